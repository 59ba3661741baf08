// dpc_pack: packs the planes of a step into a chunk of the stream. Combinational.
//
//   rows ──▶ [join critical sub-blocks] ──▶ [Stages of the packing network] ──▶ rows one after another ──▶ chunk
//   ES ──▶ dpc_route: which row moves in which stage
//
// Chunk, bit 0 first: for each plane one bit if it is compressed, else the W bits of the critical words. 0 behind.
//
// The k critical sub-blocks are joined in address order to W = k * SubWords columns. A critical sub-block moves down by
// the number of sub-blocks below it that are not critical: by one place if that number is odd, then by two. This takes
// five two-way choices.
//
// dpc_route.sv explains rows, columns and moves. A bit that moves out of its row to the right enters the next row
// at column 0. Only there does W matter. Bits right of column W are undefined and only move further right.
//
// Why only column 0 of a compressed plane moves: ES steers the first stage, so no mask is needed in front of it.
// Source: DPC thesis, 3.4.1.2; decisions D2, D4.
`default_nettype none
/* verilator tracing_off */
module dpc_pack #(
  parameter int unsigned SubWords = 2,  // words per sub-block
  parameter int unsigned Rows     = 4   // planes of a step
) (
  input  wire logic [4*SubWords*Rows-1:0] rows_i,   // row after row, each from word 0 on
  input  wire logic [3:0]                 mask_i,   // critical sub-blocks
  input  wire logic [3:0]                 count_i,  // bit k-1: k of them
  input  wire logic [Rows-1:0]            same_i,   // planes to compress
  output logic [4*SubWords*Rows-1:0]      chunk_o
);
  localparam int unsigned Cols   = 4 * SubWords;
  localparam int unsigned Stages = $clog2(Rows);
  localparam int unsigned Cells  = Rows * Cols;

  if (SubWords < 2 || SubWords > 8) begin : g_bad_sub_words
    $error("dpc_pack: SubWords must be 2 to 8");
  end
  if (Rows < 1 || Rows > 32) begin : g_bad_rows
    $error("dpc_pack: Rows must be 1 to 32");
  end

  // Not $countones(mask_i[2:0]) >= 2: Verilator 5.006 takes that for 0 when mask_i is the constant 1111 (Truncate = 0).
  logic             two_of_three, own0, own1, own2;  // places 0 to 2: of the sub-block itself, without a move by one
  logic [Cells-1:0] joined;
  assign two_of_three = (mask_i[0] && mask_i[1]) || (mask_i[2] && (mask_i[0] || mask_i[1]));
  assign own0         = mask_i[0];
  assign own1         = mask_i[1:0] == 2'b11;
  assign own2         = mask_i[2] && mask_i[0] == mask_i[1];
  for (genvar g = 0; g < Rows; g++) begin : g_join
    logic [SubWords-1:0] sub0, sub1, sub2, sub3, one0, one1, one2;  // one: after the moves by one place
    assign {sub3, sub2, sub1, sub0} = rows_i[g*Cols +: Cols];
    assign one0 = own0 ? sub0 : sub1;
    assign one1 = own1 ? sub1 : sub2;
    assign one2 = own2 ? sub2 : sub3;
    assign joined[g*Cols +: Cols] = {sub3, one2, two_of_three ? one1 : sub3, mask_i[1:0] != 2'b00 ? one0 : one2};
  end

  logic unused_mask;  // sub-block 3 is the last, wherever it goes
  assign unused_mask = mask_i[3];

  logic [Cells-1:0] packed_rows;  // row after row, Cols apart
  logic [Rows-1:0]  alive;        // of a row: whether its cells count
  if (Rows == 1) begin : g_one
    assign packed_rows = {joined[Cells-1:1] & {(Cells-1){!same_i[0]}}, joined[0]};
    assign alive       = 1'b1;
  end else begin : g_network
    logic [Stages*Rows-1:0] move;
    dpc_route #(.SubWords(SubWords), .Rows(Rows)) i_route (
      .same_i,
      .move_o(move)
    );

    for (genvar s = 0; s <= Stages; s++) begin : g_stage
      for (genvar g = 0; g < 2 * Rows; g++) begin : g_row
        // The last rows take nothing in from a stage that moves far. They keep their cells there, and `live` says
        // whether the cells still count: one gate for the row instead of one per cell. The last cells of a row that
        // moves get into the row Reach - ceil(Reach / W) above it, at the lowest.
        localparam int unsigned Reach = 1 << s >> 1;  // of the stage before
        localparam int unsigned Alone = Rows - Reach + (Reach + SubWords - 1) / SubWords;
        logic [Cols-1:0] cells;  // before stage s
        logic            live;
        if (g >= Rows) begin : g_below
          assign live  = 1'b1;
          assign cells = '0;
        end else if (s > 1 && g >= Alone) begin : g_alone
          assign live  = g_stage[s-1].g_row[g].live && !move[(s-1)*Rows + g];
          assign cells = g_stage[s-1].g_row[g].cells;
        end else if (s == 0) begin : g_planes
          assign live  = 1'b1;
          assign cells = joined[g*Cols +: Cols];
        end else begin : g_move
          localparam int unsigned Step = 1 << (s - 1);
          logic [Cols-1:0] shifted;  // Step columns to the right, in the row
          logic [Cols-1:0] stays;    // cells that do not move
          if (s == 1) begin : g_planes_stay
            logic one, all;
            assign one   = !move[g];
            assign all   = !move[g] && !same_i[g];
            assign stays = {{(Cols-1){all}}, one};
          end else begin : g_rows_stay
            assign stays = {Cols{!move[(s-1)*Rows + g]}};
          end
          if (Step < Cols) begin : g_shift
            assign shifted = {g_stage[s-1].g_moves[g + Step].cells[Cols-Step-1:0], {Step{1'b0}}};
          end else begin : g_outside
            assign shifted = '0;
          end
          for (genvar k = 0; k < 4; k++) begin : g_count
            localparam int unsigned W    = SubWords * (k + 1);
            localparam int unsigned From = g + Step - Step / W;  // row of what ends up in the last column
            localparam int unsigned Head = Step % W;
            logic [Cols-1:0] enters;  // over the end of a row, when there are k+1 critical sub-blocks
            if (Step < W) begin : g_tail
              assign enters = Cols'(g_stage[s-1].g_moves[From - 1].cells[W-1 -: Step]) & {Cols{count_i[k]}};
            end else if (Head == 0) begin : g_whole
              assign enters = Cols'(g_stage[s-1].g_moves[From].cells[W-1:0]) & {Cols{count_i[k]}};
            end else begin : g_split
              assign enters = Cols'({g_stage[s-1].g_moves[From].cells[W-Head-1:0],
                                     g_stage[s-1].g_moves[From - 1].cells[W-1 -: Head]}) & {Cols{count_i[k]}};
            end
          end
          assign live  = 1'b1;
          assign cells = (g_stage[s-1].g_row[g].cells & stays) | shifted |
                         g_count[0].enters | g_count[1].enters | g_count[2].enters | g_count[3].enters;
        end
      end
      for (genvar g = 0; g < 2 * Rows; g++) begin : g_moves
        logic [Cols-1:0] cells;  // of those the ones that stage s moves
        if (g < Rows && s == 0) begin : g_plane
          logic all;
          assign all   = move[g] && !same_i[g];
          assign cells = g_row[g].cells & {{(Cols-1){all}}, move[g]};
        end else if (g < Rows && s < Stages) begin : g_some
          assign cells = g_row[g].cells & {Cols{move[s*Rows + g] && g_row[g].live}};
        end else begin : g_none
          assign cells = '0;
        end
        logic unused;
        assign unused = ^{cells, g_row[g].cells, g_row[g].live};
      end
    end
    for (genvar g = 0; g < Rows; g++) begin : g_out
      assign packed_rows[g*Cols +: Cols] = g_stage[Stages].g_row[g].cells;
      assign alive[g]                    = g_stage[Stages].g_row[g].live;
    end
  end

  // Rows one after another.
  for (genvar k = 0; k < 4; k++) begin : g_width
    localparam int unsigned W = SubWords * (k + 1);
    logic [W*Rows-1:0] rows;
    for (genvar g = 0; g < Rows; g++) begin : g_row
      assign rows[g*W +: W] = packed_rows[g*Cols +: W] & {W{count_i[k] && alive[g]}};
    end
  end
  assign chunk_o = Cells'(g_width[0].rows) | Cells'(g_width[1].rows) | Cells'(g_width[2].rows) | g_width[3].rows;

`ifdef FORMAL_DPC_PACK
  `include "dpc_pack_props.svh"
`endif
endmodule
/* verilator tracing_on */
`default_nettype wire
