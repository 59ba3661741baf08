// bpc_planes: a bit plane of the differences between the neighbouring words of a line. Combinational.
//
//   line ──▶ [one bit of each word] ──────────────┐
//     └────▶ [borrows] ──▶ [one of each chain] ──xor──▶ plane
//
// Difference i = word i+1 - word i, 33 bits signed. Bit j of it is the xor of both words' bits j and of the borrow
// into bit j; bit 32 is the last borrow. So a choice per word and one per difference stand in for 33 stored bits each.
// Source: sim_cpp/blocks/bpc/bpc.h.
`default_nettype none
module bpc_planes #(
  parameter int unsigned Words = 4  // 32-bit words per line
) (
  input  wire logic [32*Words-1:0] line_i,
  input  wire logic [5:0]          step_i,  // plane 32 - step_i; a plane of zeros from 33 on
  output logic [Words-2:0]         plane_o  // difference 0 in the low bit
);
  localparam int unsigned Diffs = Words - 1;

  logic [32:0]      chosen;
  logic [Words-1:0] bits;
  logic [Diffs-1:0] borrows;
  for (genvar j = 0; j < 33; j++) begin : g_chosen
    assign chosen[j] = step_i == 6'(32 - j);
  end
  for (genvar i = 0; i < Words; i++) begin : g_word
    assign bits[i] = |(line_i[32*i +: 32] & chosen[31:0]);
  end
  for (genvar i = 0; i < Diffs; i++) begin : g_difference
    logic [31:0] low, high;
    logic [32:0] borrow;
    assign low  = line_i[32*i +: 32];
    assign high = line_i[32*(i+1) +: 32];
    always_comb begin
      borrow = '0;
      for (int unsigned j = 0; j < 32; j++) borrow[j+1] = (low[j] & ~high[j]) | ((low[j] | ~high[j]) & borrow[j]);
    end
`ifdef PLANT_PLANES_BORROW_OUT
    assign borrows[i] = |(borrow[32:1] & chosen[31:0]);  // planted bug: see formal/bpc/proofs.txt
`else
    assign borrows[i] = |(borrow & chosen);
`endif
  end
  assign plane_o = bits[Words-1:1] ^ bits[Diffs-1:0] ^ borrows;

`ifdef FORMAL_BPC_PLANES
  `include "bpc_planes_props.svh"
`endif
endmodule
`default_nettype wire
