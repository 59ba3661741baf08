// metadata_image: writes the initial image of one metadata table to its memory, once after a reset.
//
//   cfg ──▶ [number of the sector] ──▶ which of its entries are spare lines ──▶ req (writes only)
//
// The entry of a spare line is Value, all others are 0. Spare lines are the last cfg_spare_lines_i of
// cfg_total_lines_i lines. Sectors are written in order, each once, up to the one of the last line.
//
//   latency     done_o rises the cycle after the last sector was taken
//   throughput  one sector per cycle, from the second cycle on: cfg_total_lines_i * EntryBits / SectorBits, rounded up
//
// cfg_* are static. Asserted: 0 < spare < total <= 2^IndexBits.
// Source: this project; the image is that of decision C12.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module metadata_image #(
  parameter int unsigned EntryBits   = 2,    // power of two, at most a sector
  parameter int unsigned Value       = 1,    // of the entry of a spare line
  parameter int unsigned IndexBits   = 10,   // of the number of a line; more than one sector's worth of entries
  parameter int unsigned SectorBytes = 32,   // power of two
  // follow from the others
  parameter int unsigned SectorBits = 8 * SectorBytes,
  parameter int unsigned OffsetBits = $clog2(SectorBits / EntryBits),
  parameter int unsigned NumberBits = IndexBits - OffsetBits
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [IndexBits:0]    cfg_total_lines_i,  // lines of this controller, spare lines included
  input  wire logic [IndexBits:0]    cfg_spare_lines_i,  // lines that the L2 never addresses
  output logic                       req_valid_o,
  input  wire logic                  req_ready_i,
  output logic [NumberBits-1:0]      req_sector_o,       // number of the sector to write
  output logic [SectorBits-1:0]      req_data_o,         // its entries, the lowest line in the lowest bits
  output logic                       done_o              // all are written
);
  localparam int unsigned Entries = SectorBits / EntryBits;

  if (EntryBits == 0 || (EntryBits & (EntryBits - 1)) != 0 || EntryBits > 32 || SectorBytes == 0 ||
      (SectorBytes & (SectorBytes - 1)) != 0) begin : g_bad_entry
    $error("metadata_image: EntryBits and SectorBytes must be powers of two, EntryBits at most 32");
  end
  if (IndexBits <= OffsetBits || OffsetBits == 0) begin : g_bad_index
    $error("metadata_image: a sector must hold two entries or more, and IndexBits reach more than one sector");
  end

  logic                  started_q, done_q;
  logic [NumberBits-1:0] sector_q;

  // {sector, entry in it} of the first spare line and of the last line. Outputs depend on registers only: where the
  // sector stands is compared a cycle ahead.
  logic [IndexBits:0]    first, last;
  logic [OffsetBits-1:0] first_entry_q, last_entry_q;
  logic [NumberBits-1:0] next_sector;
  logic                  past_first_q, at_first_q, is_last_q;
  assign first       = cfg_total_lines_i - cfg_spare_lines_i;
  assign last        = cfg_total_lines_i - 1'b1;
  assign next_sector = sector_q + NumberBits'(req_valid_o && req_ready_i);
  always_ff @(posedge clk_i) begin
    first_entry_q <= first[OffsetBits-1:0];
    last_entry_q  <= last[OffsetBits-1:0];
    past_first_q  <= {1'b0, next_sector} > first[IndexBits:OffsetBits];
    at_first_q    <= {1'b0, next_sector} == first[IndexBits:OffsetBits];
    is_last_q     <= {1'b0, next_sector} == last[IndexBits:OffsetBits];
  end

  // Entries from the first spare line on, and up to the last line.
  logic [Entries-1:0] spare, used;
`ifdef PLANT_IMAGE_ONE_LESS  // planted bug: the first spare line is not one
  assign spare = past_first_q ? '1 : at_first_q ? {Entries{1'b1}} << first_entry_q << 1 : '0;
`else
  assign spare = past_first_q ? '1 : at_first_q ? {Entries{1'b1}} << first_entry_q : '0;
`endif
  assign used  = is_last_q ? ~({Entries{1'b1}} << last_entry_q << 1) : '1;
  for (genvar k = 0; k < Entries; k++) begin : g_entry
    assign req_data_o[k*EntryBits +: EntryBits] = spare[k] && used[k] ? EntryBits'(Value) : '0;
  end
  assign req_valid_o  = started_q && !done_q;
  assign req_sector_o = sector_q;
  assign done_o       = done_q;

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      started_q <= 1'b0;
      done_q    <= 1'b0;
      sector_q  <= '0;
    end else begin
      started_q <= 1'b1;
      if (req_valid_o && req_ready_i) begin
        sector_q <= next_sector;
`ifdef PLANT_IMAGE_ENDS_EARLY  // planted bug: the sector that is used in part is not written
        done_q   <= is_last_q || {1'b0, next_sector} == cfg_total_lines_i[IndexBits:OffsetBits];
`else
        done_q   <= is_last_q;
`endif
      end
    end
  end

`ifndef SYNTHESIS
  stream_check #(.Width(NumberBits + SectorBits)) i_req_check (
    .clk_i,
    .rst_ni,
    .valid_i(req_valid_o),
    .ready_i(req_ready_i),
    .data_i({req_sector_o, req_data_o})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_spare_lines: assert (cfg_spare_lines_i != '0 && cfg_spare_lines_i < cfg_total_lines_i);
    a_lines_fit:   assert (cfg_total_lines_i <= {1'b1, {IndexBits{1'b0}}});
  end
`endif
`ifdef FORMAL_METADATA_IMAGE
  `include "metadata_image_props.svh"
`endif
endmodule
`default_nettype wire
