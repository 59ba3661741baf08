// dpc_link: encoder and decoder back to back, for the proof that every line comes back. Not part of any design.
`default_nettype none
module dpc_link #(
  parameter int unsigned SubWords       = 2,
  parameter int unsigned Planes         = 2,
  parameter int unsigned PlanesPerCycle = 1,
  parameter int unsigned FlitBits       = 8
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic                         in_valid_i,
  output logic                              in_ready_o,
  input  wire logic [4*SubWords*Planes-1:0] in_line_i,
  input  wire logic [3:0]                   in_mask_i,
  input  wire logic                         link_open_i,  // a flit may pass
  output logic                              out_valid_o,
  input  wire logic                         out_ready_i,
  output logic [4*SubWords*Planes-1:0]      out_line_o,
  output logic [3:0]                        out_mask_o,
  output logic                              bad_packet_o
);
  localparam int unsigned Cells      = 4 * SubWords * Planes;
  localparam int unsigned CountBits  = $clog2(FlitBits + 1);
  localparam int unsigned LengthBits = $clog2(Cells + 2);
  logic                  flit_valid, flit_ready, last, pass_q;
  logic [FlitBits-1:0]   bits;
  logic [CountBits-1:0]  count;
  logic [3:0]            mask;
  logic [LengthBits-1:0] length;
  dpc_encoder #(.SubWords(SubWords), .Planes(Planes), .PlanesPerCycle(PlanesPerCycle), .FlitBits(FlitBits)) i_encoder (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o,
    .in_line_i,
    .in_mask_i,
    .out_valid_o (flit_valid),
    .out_ready_i (flit_ready && (link_open_i || pass_q)),
    .out_bits_o  (bits),
    .out_count_o (count),
    .out_last_o  (last),
    .out_mask_o  (mask),
    .out_length_o(length)
  );
  dpc_decoder #(.SubWords(SubWords), .Planes(Planes), .PlanesPerCycle(PlanesPerCycle), .FlitBits(FlitBits)) i_decoder (
    .clk_i,
    .rst_ni,
    .in_valid_i(flit_valid && (link_open_i || pass_q)),
    .in_ready_o(flit_ready),
    .in_bits_i (bits),
    .in_mask_i (mask),
    .in_last_i (last),
    .in_error_i(1'b0),
    .out_valid_o,
    .out_ready_i,
    .out_line_o,
    .out_mask_o,
    .bad_packet_o
  );
  // Once on offer, a flit stays on offer.
  always_ff @(posedge clk_i) pass_q <= rst_ni && flit_valid && (link_open_i || pass_q) && !flit_ready;

`ifdef FORMAL_DPC_LINK
  `include "reset.svh"
  // One line is chosen freely, and one bit of it. Lines inside are counted from their offer on.
  (* anyseq *)   logic                      f_choose;
  (* anyconst *) logic [$clog2(Cells)-1:0]  f_at;
  logic             f_waits_q, f_tracked_q, f_bit_q, f_begins, f_out, f_mine;
  logic [Cells-1:0] f_line_q;
  logic [3:0]       f_mask_q, f_kept_mask_q;
  logic [3:0]       f_inside_q, f_ahead_q;
  always_comb begin
    m_at:          assume (32'(f_at) < Cells);
    m_offer_stays: assume (!f_waits_q || in_valid_i);
    m_line_stays:  assume (!f_waits_q || (in_line_i == f_line_q && in_mask_i == f_mask_q));
  end
  assign f_begins = in_valid_i && !f_waits_q;
  assign f_out    = out_valid_o && out_ready_i;
  assign f_mine   = f_tracked_q && f_ahead_q == '0 && out_valid_o;
  always_ff @(posedge clk_i) begin
    f_waits_q <= rst_ni && in_valid_i && !in_ready_o;
    f_line_q  <= in_line_i;
    f_mask_q  <= in_mask_i;
    if (!rst_ni) begin
      f_tracked_q <= 1'b0;
      f_inside_q  <= '0;
    end else begin
      f_inside_q <= f_inside_q + 4'(f_begins) - 4'(f_out);
      if (f_tracked_q && f_out) begin
        f_tracked_q <= f_ahead_q != '0;
        f_ahead_q   <= f_ahead_q - 1'b1;
      end else if (!f_tracked_q && f_begins && f_choose) begin
        f_tracked_q   <= 1'b1;
        f_ahead_q     <= f_inside_q - 4'(f_out);
        f_bit_q       <= in_line_i[f_at] && in_mask_i[32'(f_at) / (SubWords * Planes)];
        f_kept_mask_q <= in_mask_i;
      end
    end
  end
  always_comb if (f_started_q) begin
    a_never_bad: assert (!bad_packet_o);
    a_not_more:  assert (!out_valid_o || f_inside_q != '0);
    a_line:      assert (!f_mine || (out_line_o[f_at] == f_bit_q && out_mask_o == f_kept_mask_q));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_comes_back: cover (f_mine && f_bit_q && f_kept_mask_q == 4'b1011);
    c_second:     cover (f_mine && f_out && f_inside_q > 4'd2);
  end
`endif
endmodule
`default_nettype wire
