// bpc_line_loop: plane after plane of a line, coded as bpc_encoder codes it and read as bpc_decoder reads it.
// For proofs only.
//
// An item is a run of zero planes, or none, and the other plane behind it or the end of the line. The encoder writes
// its code in the item's last cycle, the decoder begins to read it in the first. So the item is chosen when it begins,
// and its code is known from then on (i_item); the encoder must come to the same code.
// Behind the code may stand anything. Reset stands between two lines, as in both modules.
`default_nettype none
module bpc_line_loop #(
  parameter int unsigned Words = 4
) (
  input wire logic             clk_i,
  input wire logic             rst_ni,
  input wire logic [5:0]       zeros_i,  // zero planes of the item
  input wire logic [Words-2:0] plane_i,  // the plane behind them
  input wire logic [32:0]      behind_i  // the bits behind the item's code
);
  localparam int unsigned Diffs     = Words - 1;
  localparam int unsigned PlaceBits = $clog2(Diffs);
  localparam int unsigned PlaneBits = Words > 5 + PlaceBits ? Words : 5 + PlaceBits;
  localparam int unsigned CodeBits  = PlaneBits + 7;
  localparam logic [5:0] Planes = 6'd33;

  logic [5:0]       step_q;         // plane 32 - step_q
  logic             within_q;       // not the first plane of the item
  logic [5:0]       zeros_q, left_q;  // of the item; of them still to come
  logic [Diffs-1:0] item_plane_q, above_q, read_above_q;
  logic [32:0]      behind_q;
  logic [5:0]       run_q, read_run_q, read_q;  // encoder's and decoder's run; bits of the item that are read

  // The item.
  logic [5:0]          zeros, left, item_bits;
  logic [Diffs-1:0]    item_plane;
  logic [32:0]         behind;
  logic [CodeBits-1:0] item_code;
  logic                ends, unused_zero;  // the zero planes reach the end of the line
  assign zeros      = within_q ? zeros_q : zeros_i;
  assign left       = within_q ? left_q : zeros_i;
  assign item_plane = within_q ? item_plane_q : plane_i;
  assign behind     = within_q ? behind_q : behind_i;
  assign ends       = left == Planes - step_q;
  bpc_plane_code #(.Words(Words)) i_item (
    .plane_i(ends ? above_q : item_plane),
    .dbx_i  (ends ? '0 : item_plane ^ above_q),
    .run_i  (ends ? zeros - 6'd1 : zeros),
    .last_i (ends),
    .code_o (item_code),
    .bits_o (item_bits),
    .zero_o (unused_zero)
  );

  // Encoder.
  logic [Diffs-1:0]    dbx;
  logic [CodeBits-1:0] code;
  logic [5:0]          bits;
  logic                zero, last, done;
  assign dbx  = left != '0 ? '0 : item_plane ^ above_q;
  assign last = step_q == Planes - 6'd1;
  assign done = left == '0 || last;
  bpc_plane_code #(.Words(Words)) i_code (
    .plane_i(dbx ^ above_q),
    .dbx_i  (dbx),
    .run_i  (run_q),
    .last_i (last),
    .code_o (code),
    .bits_o (bits),
    .zero_o (zero)
  );

  // Decoder.
  logic [CodeBits+32:0] stream;
  logic [Diffs-1:0]     read_dbx;
  logic [31:0]          unused_base;
  logic [5:0]           read_run, read_bits, read;
  assign read   = within_q ? read_q : '0;
  assign stream = ((CodeBits+33)'(item_code) | ((CodeBits+33)'(behind) << item_bits)) >> read;
  bpc_read_code #(.Words(Words)) i_read (
    .window_i  (stream[32:0]),
    .is_base_i (1'b0),
    .is_plane_i(1'b1),
    .run_i     (read_run_q),
    .above_i   (read_above_q),
    .base_o    (unused_base),
    .dbx_o     (read_dbx),
    .run_o     (read_run),
    .bits_o    (read_bits)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || last) begin
      step_q       <= '0;
      within_q     <= 1'b0;
      run_q        <= '0;
      read_run_q   <= '0;
      above_q      <= '0;
      read_above_q <= '0;
    end else begin
      step_q       <= step_q + 6'd1;
      within_q     <= !done;
      run_q        <= zero ? run_q + 6'd1 : '0;
      read_run_q   <= read_run;
      above_q      <= above_q ^ dbx;
      read_above_q <= read_above_q ^ read_dbx;
    end
    zeros_q      <= zeros;
    left_q       <= left - 6'd1;
    item_plane_q <= item_plane;
    behind_q     <= behind;
    read_q       <= read + read_bits;
  end

`ifdef FORMAL_BPC_LINE_LOOP
  `include "reset.svh"
  always_comb begin
    m_zeros: assume (within_q || zeros_i <= Planes - step_q);
    m_plane: assume (within_q || zeros_i == Planes - step_q || plane_i != above_q);
  end
  always_comb if (f_started_q) begin
    // The decoder reads the encoder's planes; they stand at the same bit wherever an item begins.
    a_plane:  assert (read_dbx == dbx && read_above_q == above_q);
    a_code:   assert (!done || (code == item_code && bits == item_bits));
    a_bits:   assert (!done || read + read_bits == bits);
    a_silent: assert (done || bits == '0);
    // What makes it inductive.
    a_step:   assert (step_q < Planes);
    a_begins: assert (within_q || (run_q == '0 && read_run_q == '0));
    a_within: assert (!within_q || (zeros_q != '0 && left_q < zeros_q && run_q == zeros_q - left_q &&
                                    read_run_q == left_q && read_q == (zeros_q == 6'd1 ? 6'd3 : 6'd7)));
    a_left:   assert (!within_q || (left_q <= Planes - step_q && run_q <= step_q));
    a_other:  assert (!within_q || ends || item_plane_q != above_q);
    c_run:    cover (done && zeros == 6'd2 && !ends);
    c_ends:   cover (last && ends && zeros == 6'd33);
  end
`endif
endmodule
`default_nettype wire
