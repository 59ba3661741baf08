// dpc_decode_core: packed stream and mask to the line. Combinational.
//
//   stream ──▶ ES ──▶ dpc_route: who moves in which stage
//     ├──▶ rows of W ──▶ [Stages of the network, last first] ──▶ planes ──▶ [C?] ──▶ sub-blocks to their places
//     └──────────────────── raw words ───────────────────────────────────────┘        zeros elsewhere
//
// The encoder's network run backwards: before encoder stage s a bit was either where it is after it, or
// (W - 1) * 2^s further back. Bits right of column W are nonsense throughout. Bits that the stream does not have
// read as 0, so every input has a defined result. Source: thesis 3.4.1.2; decisions D2 to D4.
`default_nettype none
/* verilator tracing_off */
module dpc_decode_core #(
  parameter int unsigned SubWords = 2,  // words per sub-block
  parameter int unsigned Planes   = 4   // bits per word
) (
  input  wire logic [4*SubWords*Planes:0]   bits_i,
  input  wire logic [3:0]                   mask_i,  // critical sub-blocks
  output logic [4*SubWords*Planes-1:0]      line_o   // word 0 in the low bits
);
  localparam int unsigned Cols    = 4 * SubWords;
  localparam int unsigned Stages  = $clog2(Planes);
  localparam int unsigned Cells   = Planes * Cols;
  localparam int unsigned SubBits = SubWords * Planes;

  if (SubWords < 2 || SubWords > 8) begin : g_bad_words
    $error("dpc_decode_core: SubWords must be 2 to 8");
  end

  logic              packed_form;
  logic [Planes-1:0] same;
  logic [3:0]        count;
  assign packed_form = bits_i[0];
  assign same        = bits_i[1 +: Planes];
  for (genvar k = 0; k < 4; k++) begin : g_number
    assign count[k] = $countones(mask_i) == k + 1;
  end

  logic [Stages*Planes-1:0] move;
  logic [Stages:0]          total;
  dpc_route #(.SubWords(SubWords), .Planes(Planes)) i_route (
    .same_i(same), .move_o(move), .total_o(total)
  );

  // Stage s turns what encoder stage s made into what it was made from. Planes rows of zeros in front.
  logic [Cells-1:0] stream;
  assign stream = Cells'(bits_i[Cells:1+Planes]);
  for (genvar s = 0; s <= Stages; s++) begin : g_stage
    for (genvar r = 0; r < 2 * Planes; r++) begin : g_row
      localparam int unsigned Row = r - Planes;
      logic [Cols-1:0] cells;
      logic            unused;
      assign unused = ^cells;
      if (r < Planes) begin : g_above
        assign cells = '0;
      end else if (s == Stages) begin : g_stream
        for (genvar k = 0; k < 4; k++) begin : g_count
          localparam int unsigned W = SubWords * (k + 1);
          logic [Cols-1:0] from;
          assign from = Cols'(stream[W*Row +: W]) & {Cols{count[k]}};
        end
        assign cells = g_count[0].from | g_count[1].from | g_count[2].from | g_count[3].from;
      end else begin : g_move
        localparam int unsigned Step = 1 << s;
        logic [Cols-1:0] shifted, moved, wraps, move_row;
        assign move_row = {Cols{move[s*Planes + Row]}};
        if (Step < Cols) begin : g_shift
          assign shifted = {{Step{1'b0}}, g_stage[s+1].g_row[r-Step].cells[Cols-1:Step]};
        end else begin : g_outside
          assign shifted = '0;
        end
        for (genvar k = 0; k < 4; k++) begin : g_count
          localparam int unsigned W    = SubWords * (k + 1);
          localparam int unsigned From = r - Step + Step / W;  // row of what ends up in column 0
          localparam int unsigned Tail = Step % W;
          logic [Cols-1:0] leaves, over;  // from the beginning of the next row, when there are k+1 sub-blocks
          if (Step < W) begin : g_tail
            assign over   = Cols'({{Step{1'b1}}, {(W-Step){1'b0}}}) & {Cols{count[k]}};
            assign leaves = Cols'({g_stage[s+1].g_row[From+1].cells[Step-1:0], {(W-Step){1'b0}}}) & {Cols{count[k]}};
          end else begin : g_far
            assign over = Cols'({W{1'b1}}) & {Cols{count[k]}};
            if (Tail == 0) begin : g_whole
              assign leaves = Cols'(g_stage[s+1].g_row[From].cells[W-1:0]) & {Cols{count[k]}};
            end else begin : g_split
              assign leaves = Cols'({g_stage[s+1].g_row[From+1].cells[Tail-1:0],
                                     g_stage[s+1].g_row[From].cells[W-1:Tail]}) & {Cols{count[k]}};
            end
          end
        end
        assign wraps = g_count[0].over | g_count[1].over | g_count[2].over | g_count[3].over;
        assign moved = (shifted & ~wraps) | g_count[0].leaves | g_count[1].leaves | g_count[2].leaves |
                       g_count[3].leaves;
        assign cells = (moved & move_row) | (g_stage[s+1].g_row[r].cells & ~move_row);
      end
    end
  end

  // Planes to words, or raw words.
  logic [Cells-1:0] words, joined;
  for (genvar g = 0; g < Planes; g++) begin : g_plane
    logic [Cols-1:0] plane;
`ifdef PLANT_ZEROS_ONLY
    assign plane = g_stage[0].g_row[Planes+g].cells & {Cols{!same[g]}};
`else
    assign plane = (g_stage[0].g_row[Planes+g].cells & {Cols{!same[g]}}) |
                   {Cols{g_stage[0].g_row[Planes+g].cells[0] && same[g]}};
`endif
    for (genvar j = 0; j < Cols; j++) begin : g_word
      assign words[j*Planes + Planes - 1 - g] = plane[j];
    end
  end
  assign joined = packed_form ? words : bits_i[Cells:1];

  // Sub-blocks to their places.
  for (genvar i = 0; i < 4; i++) begin : g_sub
    logic [4*SubBits-1:0] part;
    for (genvar r = 0; r < 4; r++) begin : g_from
      if (r > i) begin : g_never
        assign part[r*SubBits +: SubBits] = '0;
      end else begin : g_pick
        logic pick;  // sub-block i is critical, and r below it are
        if (i == 0) begin : g_first
          assign pick = mask_i[0];
        end else begin : g_later
          assign pick = mask_i[i] && $countones(mask_i[i-1:0]) == r;
        end
        assign part[r*SubBits +: SubBits] = joined[r*SubBits +: SubBits] & {SubBits{pick}};
      end
    end
    assign line_o[i*SubBits +: SubBits] = part[0 +: SubBits] | part[SubBits +: SubBits] |
                                          part[2*SubBits +: SubBits] | part[3*SubBits +: SubBits];
  end

  logic unused;
  assign unused = ^total;

`ifdef FORMAL_DPC_DECODE_CORE
  `include "dpc_decode_core_props.svh"
`endif
endmodule
/* verilator tracing_on */
`default_nettype wire
