// dpc_encode_core: packs the critical words of a line into a DPC stream. Combinational.
//
//   joined words ──▶ planes ──▶ [Stages of the packing network] ──▶ rows one after another ──┬─▶ stream
//       └──────────────────────── raw, when compression does not pay ────────────────────────┘
//   ES ──▶ dpc_route: which row moves in which stage; count ──▶ length, raw or not
//
// Stream, bit 0 first. Compressed: C = 1, ES, then one bit or W bits for each plane.
// Raw: C = 0, then the joined words. Raw is used when the encoded form would not be smaller.
// Bits from length_o on are 0.
//
// dpc_route.sv explains rows, columns and moves. A bit that moves out of its row to the right enters the next row
// at column 0. Only there does W matter. Bits right of column W are undefined and only move further right.
//
// Why only column 0 of a compressed plane moves: ES steers the first stage, so no mask is needed in front of it.
// Source: DPC thesis, 3.4.1.2; decisions D2 to D4.
`default_nettype none
/* verilator tracing_off */
module dpc_encode_core #(
  parameter int unsigned SubWords   = 2,  // words per sub-block
  parameter int unsigned Planes     = 4,  // bits per word
  parameter int unsigned TotalBits  = $clog2(Planes) + 1,                // not to be set
  parameter int unsigned LengthBits = $clog2(4 * SubWords * Planes + 2)  // not to be set
) (
  input  wire logic [4*SubWords*Planes-1:0] joined_i,  // anything above the critical words
  input  wire logic [3:0]                   count_i,   // bit k-1: k critical sub-blocks
  input  wire logic [Planes-1:0]            same_i,    // ES in stream order
  input  wire logic [TotalBits-1:0]         total_i,   // ones in ES; known a cycle earlier, so the path is shorter
  output logic [4*SubWords*Planes:0]        bits_o,
  output logic [LengthBits-1:0]             length_o   // bits, C included
);
  localparam int unsigned Cols   = 4 * SubWords;
  localparam int unsigned Stages = $clog2(Planes);
  localparam int unsigned Cells  = Planes * Cols;

  if (SubWords < 2 || SubWords > 8) begin : g_bad_words
    $error("dpc_encode_core: SubWords must be 2 to 8");
  end

  logic [Stages*Planes-1:0] move;
  logic [Stages:0]          total_unused;
  dpc_route #(.SubWords(SubWords), .Planes(Planes)) i_route (
    .same_i, .move_o(move), .total_o(total_unused)
  );

  // Compression pays when total_i * (W - 1) > Planes + 1.
  logic       packed_form;
  logic [3:0] pays, packed_count;
  for (genvar k = 0; k < 4; k++) begin : g_pays
`ifdef PLANT_TIE_PACKED
    localparam int unsigned Least = Planes / (SubWords * (k + 1) - 1) + 1;
`else
    localparam int unsigned Least = (Planes + 1) / (SubWords * (k + 1) - 1) + 1;
`endif
    assign pays[k] = Least <= Planes && total_i >= TotalBits'(Least);
  end
  assign packed_count = count_i & pays;
  assign packed_form  = |packed_count;

  // The network.
  for (genvar s = 0; s <= Stages; s++) begin : g_stage
    for (genvar g = 0; g < 2 * Planes; g++) begin : g_row
      // The last rows take nothing in from a stage that moves far. They keep their cells there, and `live` says
      // whether the cells still count: one gate for the row instead of one per cell. The last cells of a row that
      // moves get into the row Reach - ceil(Reach / W) above it, at the lowest.
      localparam int unsigned Reach = 1 << s >> 1;  // of the stage before
      localparam int unsigned Alone = Planes - Reach + (Reach + SubWords - 1) / SubWords;
      logic [Cols-1:0] cells;  // before stage s
      logic            live;
      if (g >= Planes) begin : g_below
        assign live  = 1'b1;
        assign cells = '0;
      end else if (s > 1 && g >= Alone) begin : g_alone
        assign live  = g_stage[s-1].g_row[g].live && !move[(s-1)*Planes + g];
        assign cells = g_stage[s-1].g_row[g].cells;
      end else if (s == 0) begin : g_planes
        assign live     = 1'b1;
        assign cells[0] = joined_i[Planes - 1 - g];
        for (genvar j = 1; j < Cols; j++) begin : g_col
          assign cells[j] = joined_i[j*Planes + Planes - 1 - g];
        end
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
          assign stays = {Cols{!move[(s-1)*Planes + g]}};
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
    for (genvar g = 0; g < 2 * Planes; g++) begin : g_moves
      logic [Cols-1:0] cells;  // of those the ones that stage s moves
      if (g < Planes && s == 0) begin : g_plane
        logic all;
        assign all   = move[g] && !same_i[g];
        assign cells = g_row[g].cells & {{(Cols-1){all}}, move[g]};
      end else if (g < Planes && s < Stages) begin : g_some
        assign cells = g_row[g].cells & {Cols{move[s*Planes + g] && g_row[g].live}};
      end else begin : g_none
        assign cells = '0;
      end
      logic unused;
      assign unused = ^{cells, g_row[g].cells, g_row[g].live};
    end
  end

  // Rows one after another, behind C and ES; or raw.
  for (genvar k = 0; k < 4; k++) begin : g_data
    localparam int unsigned W = SubWords * (k + 1);
    logic [W*Planes-1:0] rows;
    logic [Cells-1:0]    data;
    for (genvar g = 0; g < Planes; g++) begin : g_row
      logic on;
      assign on = packed_count[k] && g_stage[Stages].g_row[g].live;
      assign rows[g*W +: W] = g_stage[Stages].g_row[g].cells[W-1:0] & {W{on}};
    end
    // What pays has at least Least compressed planes, so nothing ever stands in the last bits.
    localparam int unsigned Least = (Planes + 1) / (W - 1) + 1;
    localparam int unsigned Used  = Least < Planes ? W * Planes - (W - 1) * Least : Planes;
    assign data = Cells'(rows[Used-1:0]);
    logic unused;
    assign unused = ^rows;
  end
  logic [Cells-1:0] data;
  assign data = g_data[0].data | g_data[1].data | g_data[2].data | g_data[3].data;
  logic [Cells-1:0] raw;
  for (genvar j = 0; j < 4; j++) begin : g_raw
    logic on;
    assign on = !packed_form && count_i[3:j] != '0;
    assign raw[j*Cells/4 +: Cells/4] = joined_i[j*Cells/4 +: Cells/4] & {(Cells/4){on}};
  end
  assign bits_o[0]              = packed_form;
  assign bits_o[Planes:1]       = raw[Planes-1:0] | (same_i & {Planes{packed_form}});
  assign bits_o[Cells:Planes+1] = raw[Cells-1:Planes] | data[Cells-Planes-1:0];

  // Length: raw, or every plane that is not compressed W bits, every other one bit.
  logic [LengthBits-1:0] rows, words;
  always_comb begin
    rows  = LengthBits'(Planes) - (packed_form ? LengthBits'(total_i) : '0);
    words = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      words |= (rows * LengthBits'(k + 1)) & {LengthBits{count_i[k]}};
    end
    length_o = LengthBits'(1) + words * LengthBits'(SubWords) +
               (packed_form ? LengthBits'(Planes) + LengthBits'(total_i) : '0);
  end

  logic unused;  // a stream that is not compressed has no use for the last of them
  assign unused = ^data;

`ifdef FORMAL_DPC_ENCODE_CORE
  `include "dpc_encode_core_props.svh"
`endif
endmodule
/* verilator tracing_on */
`default_nettype wire
