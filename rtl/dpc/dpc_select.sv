// dpc_select: the sub-block identifier. Combinational.
//
//   line ──▶ [join the k critical sub-blocks, in address order] ──▶ W = k * SubWords words, zeros above
//     └────▶ [per plane: critical bits all 0 or all 1?] ──▶ ES, and how many critical sub-blocks
//
// Source: thesis 3.4.1.2 and 3.4.1.3 (figure 3.9); decisions D2, D4.
`default_nettype none
module dpc_select #(
  parameter int unsigned SubWords = 2,  // words per sub-block
  parameter int unsigned Planes   = 4   // bits per word
) (
  input  wire logic [4*SubWords*Planes-1:0] line_i,   // word 0 in the low bits
  input  wire logic [3:0]                   mask_i,   // critical sub-blocks
  output logic [4*SubWords*Planes-1:0]      joined_o, // word 0 in the low bits
  output logic [3:0]                        count_o,  // bit k-1: k critical sub-blocks; 0 for an empty mask
  output logic [Planes-1:0]                 same_o    // ES; bit 0 is plane Planes-1, the first of the stream
);
  localparam int unsigned SubBits = SubWords * Planes;

  for (genvar k = 0; k < 4; k++) begin : g_count
    assign count_o[k] = $countones(mask_i) == k + 1;
  end

  // Word group j of the result: the critical sub-block with j critical ones below it.
  for (genvar j = 0; j < 4; j++) begin : g_join
    logic [4*SubBits-1:0] part;
    for (genvar i = 0; i < 4; i++) begin : g_from
      if (i < j) begin : g_never
        assign part[i*SubBits +: SubBits] = '0;
      end else begin : g_pick
        logic pick;
        if (i == 0) begin : g_first
          assign pick = mask_i[0];
        end else begin : g_later
          assign pick = mask_i[i] && $countones(mask_i[i-1:0]) == j;
        end
        assign part[i*SubBits +: SubBits] = line_i[i*SubBits +: SubBits] & {SubBits{pick}};
      end
    end
    assign joined_o[j*SubBits +: SubBits] = part[0 +: SubBits] | part[SubBits +: SubBits] |
                                            part[2*SubBits +: SubBits] | part[3*SubBits +: SubBits];
  end

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

`ifdef FORMAL_DPC_SELECT
  `include "dpc_select_props.svh"
`endif
endmodule
`default_nettype wire
