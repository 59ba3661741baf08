// dup_detect_core: sector coverage (CMD IV.B, eq. 1 and 2) and intra-line duplicate (decisions C4).
//
//   word 0 == word 1 == ... == last word      inside each sector: a chain of neighbour comparisons
//   first words of the sectors in the mask    each against the first word of the lowest one
//
//   combinational; Sectors x (words per sector) - 1 comparisons of WordBits bits
//
// intra_o says something about the line only when the data of all sectors in merged_mask_o is there.
// merged_mask_o == 0: intra_o = 0, value_o = 0.
`default_nettype none
module dup_detect_core #(
  parameter int unsigned Sectors    = 4,    // per line
  parameter int unsigned SectorBits = 256,  // a multiple of WordBits
  parameter int unsigned WordBits   = 32
) (
  input  wire logic [Sectors-1:0]            old_mask_i,
  input  wire logic [Sectors-1:0]            new_mask_i,
  input  wire logic [Sectors*SectorBits-1:0] data_i,         // sector s from bit s*SectorBits, word 0 lowest
  output logic                               covered_o,      // eq. 1: new_mask contains old_mask
  output logic [Sectors-1:0]                 merged_mask_o,  // eq. 2: old | new
  output logic [Sectors-1:0]                 missing_o,      // old & ~new
  output logic                               intra_o,        // all words of the sectors in merged_mask equal
  output logic [WordBits-1:0]                value_o         // first word of the lowest sector in merged_mask
);
  if (Sectors == 0) begin : g_bad_sectors
    $error("dup_detect_core: Sectors must be at least 1");
  end
  if (WordBits == 0 || SectorBits == 0 || SectorBits % WordBits != 0) begin : g_bad_words
    $error("dup_detect_core: SectorBits must be a positive multiple of WordBits");
  end

  localparam int unsigned Words = SectorBits / WordBits;

  assign merged_mask_o = old_mask_i | new_mask_i;
  assign missing_o     = old_mask_i & ~new_mask_i;
  assign covered_o     = missing_o == '0;

  logic [Sectors*WordBits-1:0] first;   // first word of each sector
  logic [Sectors-1:0]          lowest;  // lowest sector in the mask, one-hot
  logic [Sectors-1:0]          flat;    // all words of the sector are equal
  logic [Sectors-1:0]          joins;   // its first word equals that of the lowest sector in the mask

  assign lowest = merged_mask_o & (~merged_mask_o + 1'b1);

  always_comb begin
    value_o = '0;
    for (int unsigned s = 0; s < Sectors; s++) begin
      value_o |= {WordBits{lowest[s]}} & first[s*WordBits +: WordBits];
    end
  end

  for (genvar s = 0; s < Sectors; s++) begin : g_sector
    assign first[s*WordBits +: WordBits] = data_i[s*SectorBits +: WordBits];
    if (Words == 1) begin : g_flat
      assign flat[s] = 1'b1;
    end else begin : g_flat
      assign flat[s] = data_i[s*SectorBits +: SectorBits-WordBits] ==
                       data_i[s*SectorBits+WordBits +: SectorBits-WordBits];
    end
    assign joins[s] = first[s*WordBits +: WordBits] == value_o;
  end

  assign intra_o = (merged_mask_o != '0) && ((merged_mask_o & ~(flat & joins)) == '0);

`ifdef FORMAL_DUP_DETECT_CORE
  `include "dup_detect_core_props.svh"
`endif
endmodule
`default_nettype wire
