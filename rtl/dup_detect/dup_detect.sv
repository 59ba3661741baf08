// dup_detect: dup_detect_core as a ready/valid block (CMD IV.B, decisions C4, C6).
//
//   in {old_mask, new_mask, data} ──▶ (core) ──▶ [2 responses] ──▶ out      latency 1, one line per cycle
//
// The line itself is not stored: only the response (masks, flags, one word) is, twice, so that in_ready_o
// depends on state alone and still one line per cycle passes.
`default_nettype none
module dup_detect #(
  parameter int unsigned Sectors    = 4,    // per line
  parameter int unsigned SectorBits = 256,  // a multiple of WordBits
  parameter int unsigned WordBits   = 32  // granularity of "all words equal"
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic                          in_valid_i,
  output logic                               in_ready_o,
  input  wire logic [Sectors-1:0]            in_old_mask_i,  // sectors written before
  input  wire logic [Sectors-1:0]            in_new_mask_i,  // sectors written now
  input  wire logic [Sectors*SectorBits-1:0] in_data_i,  // merged line, old sectors filled in; word 0 lowest
  output logic                               out_valid_o,
  input  wire logic                          out_ready_i,
  output logic                               out_covered_o,  // (old & ~new) == 0: no old sector must be read
  output logic [Sectors-1:0]                 out_merged_mask_o,  // old or new
  output logic [Sectors-1:0]                 out_missing_o,  // old & ~new: sectors to read first
  output logic                               out_intra_o,  // all words of the merged sectors are equal
  output logic [WordBits-1:0]                out_value_o  // first word of the lowest merged sector; 0 without sectors
);
  localparam int unsigned RspBits = 2 + 2 * Sectors + WordBits;

  logic                covered, intra;
  logic [Sectors-1:0]  merged_mask, missing;
  logic [WordBits-1:0] value;

  dup_detect_core #(.Sectors(Sectors), .SectorBits(SectorBits), .WordBits(WordBits)) i_core (
    .old_mask_i(in_old_mask_i),
    .new_mask_i(in_new_mask_i),
    .data_i(in_data_i),
    .covered_o(covered),
    .merged_mask_o(merged_mask),
    .missing_o(missing),
    .intra_o(intra),
    .value_o(value)
  );

  fifo #(.Width(RspBits), .Depth(2)) i_rsp (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o,
    .in_data_i({covered, merged_mask, missing, intra, value}),
    .out_valid_o,
    .out_ready_i,
    .out_data_o({out_covered_o, out_merged_mask_o, out_missing_o, out_intra_o, out_value_o})
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_missing_means_uncovered: assert (!out_valid_o || out_covered_o == (out_missing_o == '0));
    a_intra_needs_a_sector:    assert (!out_valid_o || !out_intra_o || out_merged_mask_o != '0);
    c_intra:                   cover (out_valid_o && out_intra_o);
    c_dedup_read:              cover (out_valid_o && !out_covered_o);
  end
`endif
`ifdef FORMAL_DUP_DETECT
  `include "dup_detect_props.svh"
`endif
endmodule
`default_nettype wire
