// dpc_select: joins the critical sub-blocks of a line and finds the bit planes that compress. Combinational.
//
//   line ──▶ [join the k critical sub-blocks, in address order] ──▶ W = k * SubWords words, then undefined words
//     └────▶ [per plane: critical bits all 0 or all 1?] ──▶ ES, and the number of critical sub-blocks
//
// A critical sub-block moves down by the number of sub-blocks below it that are not critical: by one place if that
// number is odd, then by two. This takes five two-way choices. Words above the critical ones are not used.
//
// Source: DPC thesis, 3.4.1.2 and 3.4.1.3 (figure 3.9); decisions D2, D4.
`default_nettype none
module dpc_select #(
  parameter int unsigned SubWords  = 2,  // words per sub-block
  parameter int unsigned Planes    = 4,  // bits per word
  parameter int unsigned TotalBits = $clog2(Planes) + 1  // not to be set
) (
  input  wire logic [4*SubWords*Planes-1:0] line_i,   // word 0 in the low bits
  input  wire logic [3:0]                   mask_i,   // critical sub-blocks
  output logic [4*SubWords*Planes-1:0]      joined_o, // word 0 in the low bits
  output logic [3:0]                        count_o,  // bit k-1: k critical sub-blocks; 0 for an empty mask
  output logic [Planes-1:0]                 same_o, // ES; bit 0 is plane Planes-1, the first of the stream
  output logic [TotalBits-1:0]         total_o   // compressed planes
);
  localparam int unsigned SubBits = SubWords * Planes;

  for (genvar k = 0; k < 4; k++) begin : g_count
    assign count_o[k] = $countones(mask_i) == k + 1;
  end

  logic [SubBits-1:0] sub0, sub1, sub2, sub3, one0, one1, one2;  // one: after the moves by one place
  assign {sub3, sub2, sub1, sub0} = line_i;
  // Not $countones(mask_i[2:0]) >= 2: Verilator 5.006 takes that for 0 when mask_i is the constant 1111 (Truncate = 0).
  logic two_of_three;
  assign two_of_three = (mask_i[0] && mask_i[1]) || (mask_i[2] && (mask_i[0] || mask_i[1]));
  assign one0 = mask_i[0] ? sub0 : sub1;
  assign one1 = mask_i[1:0] == 2'b11 ? sub1 : sub2;
  assign one2 = mask_i[2] && mask_i[0] == mask_i[1] ? sub2 : sub3;
  assign joined_o[0 +: SubBits]         = mask_i[1:0] != 2'b00 ? one0 : one2;
  assign joined_o[SubBits +: SubBits]   = two_of_three ? one1 : sub3;
  assign joined_o[2*SubBits +: SubBits] = one2;
  assign joined_o[3*SubBits +: SubBits] = sub3;

  // All ones, all zeros: bit b over the words of a sub-block, then over the critical ones.
  logic [Planes-1:0] ones, zeros;
  for (genvar i = 0; i < 4; i++) begin : g_sub
    logic [Planes-1:0] all, any;
    always_comb begin
      all = '1;
      any = '0;
      for (int unsigned w = 0; w < SubWords; w++) begin
        all &= line_i[(i*SubWords + w)*Planes +: Planes];
        any |= line_i[(i*SubWords + w)*Planes +: Planes];
      end
      all |= {Planes{!mask_i[i]}};
      any &= {Planes{mask_i[i]}};
    end
  end
  assign ones  = g_sub[0].all & g_sub[1].all & g_sub[2].all & g_sub[3].all;
  assign zeros = ~(g_sub[0].any | g_sub[1].any | g_sub[2].any | g_sub[3].any);
  for (genvar g = 0; g < Planes; g++) begin : g_plane
    assign same_o[g] = ones[Planes-1-g] || zeros[Planes-1-g];
  end

  assign total_o = TotalBits'($countones(same_o));

`ifdef FORMAL_DPC_SELECT
  `include "dpc_select_props.svh"
`endif
endmodule
`default_nettype wire
