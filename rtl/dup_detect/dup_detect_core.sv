// dup_detect_core: sector coverage (CMD IV.B, eq. 1 and 2) and intra-line duplicate (decisions C4).
//
//   bit b of the words of the sectors in the mask ──▶ all 1, or all 0 ──▶ and over all b ──▶ intra
//
//   combinational; per bit of a word two gates with an input for each word of the line
//
// Why by columns: two wide gates per column are smaller and faster than a comparison of each word with the next
// (rtl/dup_detect/area.md).
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

  logic [Sectors-1:0]  lowest;       // lowest sector in the mask, one-hot
  logic [WordBits-1:0] ones, zeros;  // column b: all bits b of the words of sectors in the mask are 1; are 0

  assign lowest = merged_mask_o & (~merged_mask_o + 1'b1);

  always_comb begin
    value_o = '0;
    for (int unsigned s = 0; s < Sectors; s++) begin
      value_o |= {WordBits{lowest[s]}} & data_i[s*SectorBits +: WordBits];
    end
  end

  always_comb begin
    ones  = '1;
    zeros = '1;
    for (int unsigned s = 0; s < Sectors; s++) begin
      logic [WordBits-1:0] all, any;
      all = '1;
      any = '0;
      for (int unsigned w = 0; w < Words; w++) begin
        all &= data_i[s*SectorBits+w*WordBits +: WordBits];
        any |= data_i[s*SectorBits+w*WordBits +: WordBits];
      end
      ones  &= all | {WordBits{!merged_mask_o[s]}};
      zeros &= ~any | {WordBits{!merged_mask_o[s]}};
    end
  end

  assign intra_o = merged_mask_o != '0 && (ones | zeros) == '1;

`ifdef FORMAL_DUP_DETECT_CORE
  `include "dup_detect_core_props.svh"
`endif
endmodule
`default_nettype wire
