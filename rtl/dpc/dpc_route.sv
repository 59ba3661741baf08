// dpc_route: computes which rows of the plane array move in each stage of the packing network. Combinational.
//
// The array has one row for each plane of a step and W columns (W = words of the critical sub-blocks). Plane g starts
// as row g, with bit w in column w. Read row by row, the array is the chunk in which nothing is compressed.
//
// A compressed plane gives back W - 1 bits. So plane g must move towards the front by (W - 1) * c(g), where c(g)
// counts the compressed planes before it. Stage s moves the planes whose c has bit s, by (W - 1) * 2^s bits.
// That is 2^s rows up and 2^s columns to the right. With the low stages first no two bits collide, because c never
// decreases.
//
// Why one bit per row steers a stage: before stage s plane g starts at row g - t, column t, with t = c(g) mod 2^s.
// A row therefore holds, from left to right:
//   - the tail of the row above, in the columns below the row's first t,
//   - the values of compressed planes, one column each,
//   - the plane that ends the row.
// All planes that start in one row agree in the bits of c from s upwards. The tail agrees as well, because c stays
// the same after a plane that is not compressed. So one bit decides for all columns, whatever W is:
//
//     move(row) = bit s of c of the first plane that starts in the row
//
// A row in which no plane starts can hold the end of an earlier plane. It moves as the latest row above it in which
// one starts.
//
// Why the first 2^s rows have no choice in stage s: a plane that starts in row g is plane g + t, so c <= g + t.
// If bit s of c is set, then c >= 2^s + t, so g >= 2^s. A mapper cannot find this, so the code states it.
//
// Encoder and decoder use the same moves. Source: this project; format: decisions D2, D4.
`default_nettype none
/* verilator tracing_off */
module dpc_route #(
  parameter int unsigned SubWords = 2,            // words per sub-block
  parameter int unsigned Rows     = 4,            // planes of a step
  parameter int unsigned Stages   = $clog2(Rows)  // not to be set
) (
  input  wire logic [Rows-1:0]  same_i,  // ES of the planes, in stream order
  output logic [Stages*Rows-1:0] move_o  // bit s * Rows + row
);
  if (SubWords < 2 || SubWords > 8) begin : g_bad_sub_words
    $error("dpc_route: SubWords must be 2 to 8");
  end
  if (Rows < 2 || Rows > 32) begin : g_bad_rows
    $error("dpc_route: Rows must be 2 to 32");
  end
  if (Stages != $clog2(Rows)) begin : g_bad_stages
    $error("dpc_route: Stages follows from Rows and must not be overridden");
  end

  // Compressed planes up to each plane but the last: a sparse (Brent-Kung) prefix sum, pairs upwards, then the gaps.
  for (genvar l = 0; l < 2 * Stages; l++) begin : g_prefix
    localparam int unsigned Half = l <= Stages ? (1 << l) >> 1 : 1 << (2 * Stages - 1 - l);
    for (genvar g = 0; g < Rows - 1; g++) begin : g_row
      logic [Stages-1:0] sum;
      if (l == 0) begin : g_leaf
        assign sum = Stages'(same_i[g]);
      end else if (l <= Stages ? (g + 1) % (2 * Half) == 0 : (g + 1) % (2 * Half) == Half && g >= Half) begin : g_add
        assign sum = g_prefix[l-1].g_row[g].sum + g_prefix[l-1].g_row[g-Half].sum;
      end else begin : g_done
        assign sum = g_prefix[l-1].g_row[g].sum;
      end
    end
  end
  logic unused_last;  // nothing stands behind the last plane
  assign unused_last = same_i[Rows-1];

  for (genvar s = 0; s < Stages; s++) begin : g_stage
    for (genvar g = 0; g < Rows; g++) begin : g_row
      localparam int unsigned Step = 1 << s >> 1;  // of the stage before
      logic              used;   // a plane starts in this row
      logic [Stages-1:0] first;  // c of the first one
      if (s == 0) begin : g_start
        assign used = 1'b1;
        if (g == 0) begin : g_zero
          assign first = '0;
        end else begin : g_count
          assign first = g_prefix[2*Stages-1].g_row[g-1].sum;
        end
      end else if (g + Step < Rows) begin : g_merge
        logic stays, comes;
        assign stays = g_stage[s-1].g_row[g].used && !g_stage[s-1].g_row[g].first[s-1];
        assign comes = g_stage[s-1].g_row[g+Step].used && g_stage[s-1].g_row[g+Step].first[s-1];
        assign used  = stays || comes;
        assign first = stays ? g_stage[s-1].g_row[g].first : g_stage[s-1].g_row[g+Step].first;
      end else begin : g_keep
        assign used  = g_stage[s-1].g_row[g].used && !g_stage[s-1].g_row[g].first[s-1];
        assign first = g_stage[s-1].g_row[g].first;
      end
      if (g < 2 ** s) begin : g_fixed  // c is too small: see above
        assign move_o[s*Rows + g] = 1'b0;
      end else begin : g_moves
        // A row without a start of its own belongs to the latest plane before it.
        localparam int unsigned Reach = ((1 << s) - 1 + SubWords - 1) / SubWords;  // rows a start can lie ahead
        localparam int unsigned Back  = Reach < g ? Reach : g;
        for (genvar b = 0; b <= Back; b++) begin : g_back  // from the earliest row to this one
          logic high;
          if (b == 0) begin : g_first
            assign high = g_stage[s].g_row[g-Back].first[s];
          end else begin : g_later
            assign high = g_stage[s].g_row[g-Back+b].used ? g_stage[s].g_row[g-Back+b].first[s] : g_back[b-1].high;
          end
        end
`ifdef PLANT_NO_LOOK_BACK  // planted bug: a row without a start moves by what it held before
        assign move_o[s*Rows + g] = g_stage[s].g_row[g].first[s];
`else
        assign move_o[s*Rows + g] = g_back[Back].high;
`endif
      end
      logic unused;
      assign unused = ^{used, first};
    end
  end
endmodule
/* verilator tracing_on */
`default_nettype wire
