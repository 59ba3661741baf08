// dpc_decode_core: unpacks a DPC stream into a cache line. Combinational.
//
//   stream ──▶ ES ──▶ dpc_route: which row moves in which stage
//     ├──▶ rows of W ──▶ [Stages of the network, last first] ──▶ planes ──▶ [C?] ──▶ sub-blocks to their places
//     └──────────────────── raw words ───────────────────────────────────────┘        zeros elsewhere
//
// Why the same network serves both directions: the encoder moves a bit by 0 or by (W - 1) * 2^s in stage s.
// The decoder runs the stages backwards and undoes each move. dpc_route computes the moves from ES alone.
//
// Why the rows need no mask: the columns right of W are zero in every stage. A bit that moves back over the
// start of the next row meets a zero there, so an OR is enough.
//
// Why C and ES steer the last stage: no gate then masks the planes behind it.
// Bits beyond the end of the stream read as 0. So every input has a defined result.
// Source: DPC thesis, 3.4.1.2; decisions D2 to D4.
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

  // Stage s undoes encoder stage s. Planes rows of zeros stand in front.
  // No other row reads the rows from Alone on in the first of these stages, because nothing enters them in the
  // encoder's last stage. So the stage keeps them as they are, and `kept` masks them where the stream comes in.
  // That is one gate per row and count instead of one per cell.
  localparam int unsigned Far   = 1 << (Stages - 1);
  localparam int unsigned Alone = Stages < 2 ? Planes : Planes - Far + (Far + SubWords - 1) / SubWords;
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
        logic kept;
        assign kept = Row < Alone || !move[(Stages-1)*Planes + Row];
        for (genvar k = 0; k < 4; k++) begin : g_count
          localparam int unsigned W = SubWords * (k + 1);
          logic [Cols-1:0] from;
          assign from = Cols'(stream[W*Row +: W]) & {Cols{count[k] && kept}};
        end
        assign cells = g_count[0].from | g_count[1].from | g_count[2].from | g_count[3].from;
      end else begin : g_move
        localparam int unsigned Step = 1 << s;
        logic [Cols-1:0] shifted, moved, comes, stays;
        if (s == 0) begin : g_planes_move  // a compressed plane is column 0 alone; raw lines have no planes
          logic any, all;
          assign any   = packed_form;
          assign all   = packed_form && !same[Row];
          assign comes = {{(Cols-1){move[Row] && all}}, move[Row] && any};
          assign stays = {{(Cols-1){!move[Row] && all}}, !move[Row] && any};
        end else begin : g_rows_move
          assign comes = {Cols{move[s*Planes + Row]}};
          assign stays = {Cols{(s == Stages - 1 && Row >= Alone) || !move[s*Planes + Row]}};
        end
        if (Step < Cols) begin : g_shift
          assign shifted = {{Step{1'b0}}, g_stage[s+1].g_row[r-Step].cells[Cols-1:Step]};
        end else begin : g_outside
          assign shifted = '0;
        end
        for (genvar k = 0; k < 4; k++) begin : g_count
          localparam int unsigned W    = SubWords * (k + 1);
          localparam int unsigned From = r - Step + Step / W;  // row of what ends up in column 0
          localparam int unsigned Tail = Step % W;
          logic [Cols-1:0] leaves;  // from the beginning of the next row, when there are k+1 sub-blocks
          if (Step < W) begin : g_tail
            assign leaves = Cols'({g_stage[s+1].g_row[From+1].cells[Step-1:0], {(W-Step){1'b0}}}) & {Cols{count[k]}};
          end else if (Tail == 0) begin : g_whole
            assign leaves = Cols'(g_stage[s+1].g_row[From].cells[W-1:0]) & {Cols{count[k]}};
          end else begin : g_split
            assign leaves = Cols'({g_stage[s+1].g_row[From+1].cells[Tail-1:0],
                                   g_stage[s+1].g_row[From].cells[W-1:Tail]}) & {Cols{count[k]}};
          end
        end
        assign moved = shifted | g_count[0].leaves | g_count[1].leaves | g_count[2].leaves | g_count[3].leaves;
        assign cells = (moved & comes) | (g_stage[s+1].g_row[r].cells & stays);
      end
    end
  end

  // Planes to words, or raw words.
  logic [Cells-1:0] joined;
  for (genvar g = 0; g < Planes; g++) begin : g_plane
    logic [Cols-1:0] plane;
    logic            fill;  // the value of a compressed plane
`ifdef PLANT_ZEROS_ONLY
    assign fill  = 1'b0;
`else
    assign fill  = g_stage[0].g_row[Planes+g].cells[0] && same[g];
`endif
    assign plane = g_stage[0].g_row[Planes+g].cells | {{(Cols-1){fill}}, 1'b0};
    for (genvar j = 0; j < Cols; j++) begin : g_word
      assign joined[j*Planes + Planes - 1 - g] = plane[j] || (bits_i[1 + j*Planes + Planes - 1 - g] && !packed_form);
    end
  end

  // Sub-blocks to their places: up by the number of others below, by two if there are so many, then by one.
  logic [SubBits-1:0] sub0, sub1, sub2, sub3, two2, two3;  // two: after the moves by two places
  logic [3:0]         below, own;  // a critical sub-block comes from the place below it, or is at its place
  assign {sub3, sub2, sub1, sub0} = joined;
  assign two2  = mask_i[1:0] == 2'b00 ? sub0 : sub2;
  assign two3  = mask_i[2:0] == 3'b111 ? sub3 : sub1;
  assign below = mask_i & {!(^mask_i[2:0]), ^mask_i[1:0], !mask_i[0], 1'b0};
  assign own   = mask_i & ~below;
  assign line_o[0 +: SubBits]         = sub0 & {SubBits{own[0]}};
  assign line_o[SubBits +: SubBits]   = (sub1 & {SubBits{own[1]}}) | (sub0 & {SubBits{below[1]}});
  assign line_o[2*SubBits +: SubBits] = (two2 & {SubBits{own[2]}}) | (sub1 & {SubBits{below[2]}});
  assign line_o[3*SubBits +: SubBits] = (two3 & {SubBits{own[3]}}) | (two2 & {SubBits{below[3]}});

  logic unused;
  assign unused = ^total;

`ifdef FORMAL_DPC_DECODE_CORE
  `include "dpc_decode_core_props.svh"
`endif
endmodule
/* verilator tracing_on */
`default_nettype wire
