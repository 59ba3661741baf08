// dpc_route: which bits of the plane array move in each stage of the packing network. Combinational.
//
// The array has one row per plane and W columns (W = words of the critical sub-blocks): plane g starts as row g,
// bit w in column w; read row by row it is the stream in which nothing is compressed. A compressed plane gives
// back W - 1 bits, so plane g has to move towards the front by (W - 1) * c(g), c(g) = compressed planes before
// it. Stage s moves those whose c has bit s, by (W - 1) * 2^s: 2^s rows up and 2^s columns to the right. Low
// stages first nothing collides, because c never decreases.
//
// Before stage s plane g starts at row g - t, column t, with t = c(g) mod 2^s. A row therefore holds: the tail of
// the row above (columns below the row's first t), then the values of compressed planes, one column each, then
// the plane that ends the row. All planes that start in one row agree in the bits of c from s upwards. So one
// decision per row is enough, and the t of its first plane tells where the row above ends:
//
//     move(row r, column j) = bit s of c, of the row that column belongs to: r, or an earlier one while j < t
//
// Columns from 2^s - 1 on always belong to their own row. Where W < 2^s - 1 a row's start lies in a later row,
// and the search looks further back (only for one critical sub-block, in the last stage, at the paper's size).
//
// move_o holds Stages * Planes rows of 4 * SubWords bits. Used in both directions: the decoder runs the same
// stages backwards. Source: ours; format: decisions D2, D4.
`default_nettype none
/* verilator tracing_off */
module dpc_route #(
  parameter int unsigned SubWords = 2,                // words per sub-block
  parameter int unsigned Planes   = 4,                // bits per word
  parameter int unsigned Stages   = $clog2(Planes)    // not to be set
) (
  input  wire logic [Planes-1:0]                 same_i,   // ES in stream order
  input  wire logic [3:0]                        count_i,  // bit k-1: k critical sub-blocks
  output logic [Stages*Planes*4*SubWords-1:0]    move_o,
  output logic [Stages:0]                        total_o   // compressed planes
);
  localparam int unsigned Cols = 4 * SubWords;

  if (SubWords < 2 || SubWords > 8) begin : g_bad_words
    $error("dpc_route: SubWords must be 2 to 8");
  end
  if (Planes < 2 || Planes > 32) begin : g_bad_planes
    $error("dpc_route: Planes must be 2 to 32");
  end
  if (Stages != $clog2(Planes)) begin : g_bad_stages
    $error("dpc_route: Stages follows from Planes and must not be overridden");
  end

  // Compressed planes up to each plane but the last, by a parallel prefix sum.
  for (genvar l = 0; l <= Stages; l++) begin : g_prefix
    for (genvar g = 0; g < Planes - 1; g++) begin : g_row
      logic [Stages-1:0] sum;  // of the 2^l planes that end with this one
      if (l == 0) begin : g_leaf
        assign sum = Stages'(same_i[g]);
      end else if (g >= (1 << (l - 1))) begin : g_add
        assign sum = g_prefix[l-1].g_row[g].sum + g_prefix[l-1].g_row[g-(1<<(l-1))].sum;
      end else begin : g_done
        assign sum = g_prefix[l-1].g_row[g].sum;
      end
    end
  end
  assign total_o = (Stages+1)'(g_prefix[Stages].g_row[Planes-2].sum) + (Stages+1)'(same_i[Planes-1]);

  for (genvar s = 0; s < Stages; s++) begin : g_stage
    localparam int unsigned Step  = 1 << s;
    localparam int unsigned Reach = Step + 2 * Cols;
    for (genvar g = 0; g < Planes; g++) begin : g_row
      logic              used;   // a plane starts in this row
      logic [Stages-1:0] first;  // c of the first one
      if (s == 0) begin : g_start
        assign used = 1'b1;
        if (g == 0) begin : g_zero
          assign first = '0;
        end else begin : g_count
          assign first = g_prefix[Stages].g_row[g-1].sum;
        end
      end else if (g + Step / 2 < Planes) begin : g_merge
        logic stays, comes;
        assign stays = g_stage[s-1].g_row[g].used && !g_stage[s-1].g_row[g].first[s-1];
        assign comes = g_stage[s-1].g_row[g+Step/2].used && g_stage[s-1].g_row[g+Step/2].first[s-1];
        assign used  = stays || comes;
        assign first = stays ? g_stage[s-1].g_row[g].first : g_stage[s-1].g_row[g+Step/2].first;
      end else begin : g_keep
        assign used  = g_stage[s-1].g_row[g].used && !g_stage[s-1].g_row[g].first[s-1];
        assign first = g_stage[s-1].g_row[g].first;
      end
      // starts: from where on the array belongs to this row or a later one, counted from this row's column 0.
      // near: for each column this row or the one above it, which is enough unless W is small.
      logic [Reach-1:0] starts;
      logic [Cols-1:0]   near;
      if (s == 0 || g == 0) begin : g_whole
        assign starts = '1;
        assign near   = {Cols{first[s]}};
      end else begin : g_part
        assign starts = used ? {Reach{1'b1}} << first[s-1:0] : '0;
`ifdef PLANT_ROW_ALONE
        assign near   = {Cols{first[s]}};
`else
        assign near   = (starts[Cols-1:0] & {Cols{first[s]}}) |
                        (~starts[Cols-1:0] & {Cols{g_stage[s].g_row[g-1].first[s]}});
`endif
      end
      logic [Cols-1:0] move;
`ifdef PLANT_NEAR_ONLY
      if (1 == 0) begin : g_far
`else
      if (g > 1 && Step - 1 > SubWords) begin : g_far
`endif
        for (genvar k = 0; k < 4; k++) begin : g_count
          localparam int unsigned W    = SubWords * (k + 1);
          localparam int unsigned Need = (Step - 1 + W - 1) / W;
          localparam int unsigned Back = Need < g ? Need : g;  // rows back, at most
          logic [Cols-1:0] found;
          logic            used_here;
          assign used_here = Back > 1 && count_i[k];
          if (Back > 1) begin : g_search
            for (genvar b = 0; b <= Back; b++) begin : g_back  // from the earliest row to this one
              localparam int unsigned Ago = Back - b;
              logic [Cols-1:0] owner;
              if (b == 0) begin : g_last
                assign owner = {Cols{g_stage[s].g_row[g-Back].first[s]}};
              end else begin : g_later
                assign owner = (g_stage[s].g_row[g-Ago].starts[W*Ago +: Cols] &
                                {Cols{g_stage[s].g_row[g-Ago].first[s]}}) |
                               (~g_stage[s].g_row[g-Ago].starts[W*Ago +: Cols] & g_back[b-1].owner);
              end
            end
            assign found = g_back[Back].owner & {Cols{used_here}};
          end else begin : g_none
            assign found = '0;
          end
        end
        assign move = g_count[0].found | g_count[1].found | g_count[2].found | g_count[3].found |
                      (near & {Cols{!(g_count[0].used_here || g_count[1].used_here || g_count[2].used_here ||
                                      g_count[3].used_here)}});
      end else begin : g_near
        assign move = near;
      end
      assign move_o[(s*Planes + g)*Cols +: Cols] = move;
      logic unused;
      assign unused = ^{used, first, starts};
    end
  end

  logic unused;
  assign unused = ^count_i;
endmodule
/* verilator tracing_on */
`default_nettype wire
