// dpc_unpack: takes the planes of a step out of a chunk of the stream, and puts sub-blocks to their places.
// Combinational.
//
//   chunk ──▶ rows of W ──▶ [Stages of the network, last first] ──▶ planes ──▶ sub-blocks to their places, 0 elsewhere
//   ES ──▶ dpc_route: which row moves in which stage
//
// Why the network of dpc_pack serves both directions: it moves a bit by 0 or by (W - 1) * 2^s in stage s.
// Here the stages run backwards and undo each move. dpc_route computes the moves from ES alone.
//
// Why the rows need no mask: the columns right of W are zero in every stage. A bit that moves back over the
// start of the next row meets a zero there, so an OR is enough.
//
// Bits behind those of the planes have no effect. Source: DPC thesis, 3.4.1.2; decisions D2 to D4.
`default_nettype none
/* verilator tracing_off */
module dpc_unpack #(
  parameter int unsigned SubWords = 2,  // words per sub-block
  parameter int unsigned Rows     = 4   // planes of a step
) (
  input  wire logic [4*SubWords*Rows-1:0] chunk_i,
  input  wire logic [3:0]                 mask_i,   // critical sub-blocks
  input  wire logic [3:0]                 count_i,  // bit k-1: k of them
  input  wire logic [Rows-1:0]            same_i,   // compressed planes
  output logic [4*SubWords*Rows-1:0]      rows_o    // row after row, each from word 0 on
);
  localparam int unsigned Cols   = 4 * SubWords;
  localparam int unsigned Stages = $clog2(Rows);
  localparam int unsigned Cells  = Rows * Cols;

  if (SubWords < 2 || SubWords > 8) begin : g_bad_sub_words
    $error("dpc_unpack: SubWords must be 2 to 8");
  end
  if (Rows < 1 || Rows > 32) begin : g_bad_rows
    $error("dpc_unpack: Rows must be 1 to 32");
  end

  logic [Cells-1:0] planes;  // of a compressed plane column 0 counts
  if (Rows == 1) begin : g_one
    for (genvar k = 0; k < 4; k++) begin : g_count
      localparam int unsigned W = SubWords * (k + 1);
      logic [Cols-1:0] from;
      assign from = Cols'(chunk_i[W-1:0]) & {Cols{count_i[k]}};
    end
    assign planes = (g_count[0].from | g_count[1].from | g_count[2].from | g_count[3].from) &
                    {{(Cols-1){!same_i[0]}}, 1'b1};
  end else begin : g_network
    logic [Stages*Rows-1:0] move;
    dpc_route #(.SubWords(SubWords), .Rows(Rows)) i_route (
      .same_i,
      .move_o(move)
    );

    // Stage s undoes stage s of dpc_pack. As many rows of zeros stand in front.
    // No other row reads the rows from Alone on in the first of these stages, because nothing enters them in the
    // packer's last stage. So the stage keeps them as they are, and `kept` masks them where the chunk comes in.
    // That is one gate per row and count instead of one per cell.
    localparam int unsigned Far   = 1 << (Stages - 1);
    localparam int unsigned Alone = Stages < 2 ? Rows : Rows - Far + (Far + SubWords - 1) / SubWords;
    for (genvar s = 0; s <= Stages; s++) begin : g_stage
      for (genvar r = 0; r < 2 * Rows; r++) begin : g_row
        localparam int unsigned Row = r - Rows;
        logic [Cols-1:0] cells;
        logic            unused;
        assign unused = ^cells;
        if (r < Rows) begin : g_above
          assign cells = '0;
        end else if (s == Stages) begin : g_chunk
          logic kept;
          assign kept = Row < Alone || !move[(Stages-1)*Rows + Row];
          for (genvar k = 0; k < 4; k++) begin : g_count
            localparam int unsigned W = SubWords * (k + 1);
            logic [Cols-1:0] from;
            assign from = Cols'(chunk_i[W*Row +: W]) & {Cols{count_i[k] && kept}};
          end
          assign cells = g_count[0].from | g_count[1].from | g_count[2].from | g_count[3].from;
        end else begin : g_move
          localparam int unsigned Step = 1 << s;
          logic [Cols-1:0] shifted, moved, comes, stays;
          if (s == 0) begin : g_planes_move  // a compressed plane is column 0 alone
            assign comes = {{(Cols-1){move[Row] && !same_i[Row]}}, move[Row]};
            assign stays = {{(Cols-1){!move[Row] && !same_i[Row]}}, !move[Row]};
          end else begin : g_rows_move
            assign comes = {Cols{move[s*Rows + Row]}};
            assign stays = {Cols{(s == Stages - 1 && Row >= Alone) || !move[s*Rows + Row]}};
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
              assign leaves = Cols'({g_stage[s+1].g_row[From+1].cells[Step-1:0], {(W-Step){1'b0}}}) & {Cols{count_i[k]}};
            end else if (Tail == 0) begin : g_whole
              assign leaves = Cols'(g_stage[s+1].g_row[From].cells[W-1:0]) & {Cols{count_i[k]}};
            end else begin : g_split
              assign leaves = Cols'({g_stage[s+1].g_row[From+1].cells[Tail-1:0],
                                     g_stage[s+1].g_row[From].cells[W-1:Tail]}) & {Cols{count_i[k]}};
            end
          end
          assign moved = shifted | g_count[0].leaves | g_count[1].leaves | g_count[2].leaves | g_count[3].leaves;
          assign cells = (moved & comes) | (g_stage[s+1].g_row[r].cells & stays);
        end
      end
    end
    for (genvar g = 0; g < Rows; g++) begin : g_out
      assign planes[g*Cols +: Cols] = g_stage[0].g_row[Rows+g].cells;
    end
  end

  // Sub-blocks to their places: up by the number of others below, by two if there are so many, then by one.
  logic [3:0] below, own;  // a critical sub-block comes from the place below it, or is at its place
  assign below = mask_i & {!(^mask_i[2:0]), ^mask_i[1:0], !mask_i[0], 1'b0};
  assign own   = mask_i & ~below;
  for (genvar g = 0; g < Rows; g++) begin : g_row
    logic [Cols-1:0]     plane;
    logic [SubWords-1:0] sub0, sub1, sub2, sub3, two2, two3;  // two: after the moves by two places
    logic                fill;  // the value of a compressed plane
`ifdef PLANT_ZEROS_ONLY
    assign fill  = 1'b0;
`else
    assign fill  = planes[g*Cols] && same_i[g];
`endif
    assign plane = planes[g*Cols +: Cols] | {{(Cols-1){fill}}, 1'b0};
    assign {sub3, sub2, sub1, sub0} = plane;
    assign two2 = mask_i[1:0] == 2'b00 ? sub0 : sub2;
    assign two3 = mask_i[2:0] == 3'b111 ? sub3 : sub1;
    assign rows_o[g*Cols +: Cols] = {(two3 & {SubWords{own[3]}}) | (two2 & {SubWords{below[3]}}),
                                     (two2 & {SubWords{own[2]}}) | (sub1 & {SubWords{below[2]}}),
                                     (sub1 & {SubWords{own[1]}}) | (sub0 & {SubWords{below[1]}}),
                                     sub0 & {SubWords{own[0]}}};
  end

`ifdef FORMAL_DPC_UNPACK
  `include "dpc_unpack_props.svh"
`endif
endmodule
/* verilator tracing_on */
`default_nettype wire
