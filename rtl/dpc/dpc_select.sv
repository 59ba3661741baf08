// dpc_select: the planes of a step, and which planes of the line compress. Combinational.
//
//   line ──▶ [planes of this step] ──▶ rows
//     └────▶ [per plane: critical bits all 0 or all 1?] ──▶ ES of all planes, and their number
//
// Rows without a plane (last step) are 0, and all rows without a step.
//
// Source: DPC thesis, 3.4.1.2 and 3.4.1.3 (figure 3.9); decisions D2, D4.
`default_nettype none
module dpc_select #(
  parameter int unsigned SubWords  = 2,  // words per sub-block
  parameter int unsigned Planes    = 4,  // bits per word
  parameter int unsigned Rows      = 2,  // planes of a step
  parameter int unsigned Steps     = (Planes + Rows - 1) / Rows,  // not to be set
  parameter int unsigned TotalBits = $clog2(Planes + 1)           // not to be set
) (
  input  wire logic [4*SubWords*Planes-1:0] line_i,   // word 0 in the low bits
  input  wire logic [3:0]                   mask_i,   // critical sub-blocks
  input  wire logic [Steps-1:0]             step_i,   // one-hot, or 0
  output logic [4*SubWords*Rows-1:0]        rows_o,   // row after row, each from word 0 on; row 0 is the upper plane
  output logic [Planes-1:0]                 same_o,   // ES; bit 0 is plane Planes-1, the first of the stream
  output logic [TotalBits-1:0]              total_o   // compressed planes
);
  localparam int unsigned Cols = 4 * SubWords;

  if (SubWords < 2 || SubWords > 8) begin : g_bad_sub_words
    $error("dpc_select: SubWords must be 2 to 8");
  end
  if (Planes < 2 || Planes > 32) begin : g_bad_planes
    $error("dpc_select: Planes must be 2 to 32");
  end
  if (Rows < 1 || Rows > Planes) begin : g_bad_rows
    $error("dpc_select: Rows must be 1 to Planes");
  end
  if (Steps != (Planes + Rows - 1) / Rows) begin : g_bad_steps
    $error("dpc_select: Steps follows from Planes and Rows and must not be overridden");
  end
  if (TotalBits != $clog2(Planes + 1)) begin : g_bad_total_bits
    $error("dpc_select: TotalBits follows from Planes and must not be overridden");
  end

  for (genvar r = 0; r < Rows; r++) begin : g_row
    for (genvar j = 0; j < Cols; j++) begin : g_word
      logic [Steps-1:0] bits;
      for (genvar s = 0; s < Steps; s++) begin : g_step
        if (s * Rows + r < Planes) begin : g_plane
          assign bits[s] = line_i[j*Planes + Planes - 1 - (s*Rows + r)];
        end else begin : g_none
          assign bits[s] = 1'b0;
        end
      end
      assign rows_o[r*Cols + j] = |(bits & step_i);
    end
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

  assign total_o = TotalBits'($countones(same_o));

`ifdef FORMAL_DPC_SELECT
  `include "dpc_select_props.svh"
`endif
endmodule
`default_nettype wire
