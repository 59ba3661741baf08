// dpc_rotate: rotates a word by any number of bits. Combinational.
//
//   Left 1: bit i goes to bit (i + amount) mod Width;  Left 0: it comes from there
//
// Stage s rotates by 2^s mod Width, so Width need not be a power of two. amount_i must be less than Width.
`default_nettype none
module dpc_rotate #(
  parameter int unsigned Width      = 8,
  parameter int unsigned Left       = 1,
  parameter int unsigned AmountBits = $clog2(Width)  // not to be set
) (
  input  wire logic [Width-1:0]      data_i,
  input  wire logic [AmountBits-1:0] amount_i,
  output logic [Width-1:0]           data_o
);
  if (Width < 2) begin : g_bad_width
    $error("dpc_rotate: Width must be at least 2");
  end
  if (Left > 1) begin : g_bad_left
    $error("dpc_rotate: Left must be 0 or 1");
  end
  if (AmountBits != $clog2(Width)) begin : g_bad_amount_bits
    $error("dpc_rotate: AmountBits follows from Width and must not be overridden");
  end

  for (genvar s = 0; s <= AmountBits; s++) begin : g_stage
    logic [Width-1:0] data;
    if (s == 0) begin : g_in
      assign data = data_i;
    end else begin : g_move
      localparam int unsigned Step = Left != 0 ? 1 << (s - 1) : Width - (1 << (s - 1));
      assign data = amount_i[s-1] ? {g_stage[s-1].data[Width-Step-1:0], g_stage[s-1].data[Width-1:Width-Step]}
                                  : g_stage[s-1].data;
    end
  end
  assign data_o = g_stage[AmountBits].data;

`ifdef FORMAL_DPC_ROTATE
  `include "dpc_rotate_props.svh"
`endif
endmodule
`default_nettype wire
