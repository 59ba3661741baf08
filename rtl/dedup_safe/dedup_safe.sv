// dedup_safe: a deduplication unit that may stand in a chip. It makes its metadata after a cold reset, survives resets
// of what is around it, says when it is at rest, and counts what it does.
//
//   rd, wr ──▶ open? ──▶ ┌────────────┐ ──▶ dropped? ──▶ l2, probe, reads of dram
//                        │ dedup_unit │ ◀── probe_rsp, or dedup_guard for an L2 in reset
//   APB ◀─ counters ◀─── └────────────┘ ──▶ *_mem_req ◀── metadata_image (type, mask, lent)
//
// Three ways to stop:
//   cold reset  rst_ni     everything is forgotten. metadata_image writes the initial metadata: every line is at home
//                          and untouched. DRAM keeps the bytes of each slot, so a line reads as its home slot
//   warm reset  warm_i     only the L2 and what is before it are reset. Every write that was taken is kept
//   drain       drain_i    nothing more is taken; replies still come. drained_o: all data are in DRAM
//
// Sleep (cfg_sleep_i): from a cold reset until the first write the unit is in reset, and power_o is low. Its supply
// may be off: it holds nothing yet, and every line is at home. Reads go to DRAM as they are. A write that is on offer
// raises power_o. Once power_good_i is high the unit clears its tables. Meanwhile no read and no write is taken. It
// sleeps once only: what it holds later has to stay.
//
// With Secded the tables of the unit correct one wrong bit in a part of a word (dedup_unit.sv). A lost word raises
// fatal_o and closes the unit: it does not drain, and only a cold reset opens it again.
//
// The address map needs no image: it is read only where a type says so, and the L2 never reads a spare line.
//
// Rules for a warm reset:
//   - replies, probes and reads of DRAM that were dropped are gone with the reads that the L2 has forgotten
//   - l2_valid_o and probe_valid_o may fall without ready: their sink is in reset. No other valid does
//   - DRAM may still answer home and slot reads that it took before. The L2 must throw these away
//   - metadata and hash store stay in the unit's memories and registers: they need their supply and no reset
// Rule for a cold reset: the memories answer no read from before it.
//
//   latency     as dedup_unit while open_o is high. From a cold reset to open_o: the longest image (mask), that is
//               cfg_total_lines_i / 64 + 3 cycles when the memory takes a sector per cycle
//               Of a read while the unit sleeps: 1 cycle to DRAM. To wake: 6 cycles, those until power_good_i, and
//               those of clearing: the most of StoreSets * 2 and the words of the region filter
//   throughput  as dedup_unit; asleep a read per cycle
//
// Other ports and rules: dedup.sv, metadata_cache.sv. Counters: README.md. Source: this project.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_safe #(
  parameter int unsigned LineBits      = 21,
  parameter int unsigned BufferEntries = 32,
  parameter int unsigned Contexts      = 16,
  parameter int unsigned FreeEntries   = 256,
  parameter int unsigned TagBits       = 10,
  parameter int unsigned Lookups       = 8,
  parameter int unsigned HashUnits     = 32,   // line hashers
  parameter int unsigned Verify        = 0,    // 1: can compare contents before sharing (cfg_verify_i)
  parameter int unsigned DomainBits    = 0,    // lines of two domains never share; 0: one domain
  parameter int unsigned RegionBits    = 0,    // lines of a region of the filter, log2; 0: no filter
  parameter int unsigned ByteMasks     = 0,    // 1: sectors may be written in part (wr_bytes_i)
  parameter int unsigned StoreSets     = 128,
  parameter int unsigned StoreWays     = 16,
  parameter int unsigned CountBits     = 16,
  parameter int unsigned SipHash       = 0,    // 1: keyed SipHash-2-4-128 instead of MD5
  parameter int unsigned StepsPerCycle = 1,    // of MD5: 1, 2 or 4; half rounds of SipHash: 1 or 2
  parameter int unsigned Parks         = 8,
  parameter int unsigned TypeSets      = 8,
  parameter int unsigned TypeWays      = 5,
  parameter int unsigned MaskSets      = 16,
  parameter int unsigned MaskWays      = 5,
  parameter int unsigned AddrSets      = 64,
  parameter int unsigned AddrWays      = 6,
  parameter int unsigned LentSets      = 4,
  parameter int unsigned LentWays      = 5,
  parameter int unsigned Secded        = 0,    // 1: hash store and caches correct one wrong bit and report two
  parameter int unsigned EventBits     = 32,   // of each counter of the register block
  // follow from the others
  parameter int unsigned IdBits    = $clog2(Contexts + Lookups + 2),
  parameter int unsigned LevelBits = $clog2(BufferEntries + 1),
  parameter int unsigned DomainWidth = DomainBits > 0 ? DomainBits : 1
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 cfg_car_i,  // copy a clean L2 sector of the reference instead of reading DRAM
  input  wire logic                 cfg_hash_i,  // find equal lines; low: intra-duplicates only
  input  wire logic                 cfg_verify_i,  // compare contents before sharing; needs Verify
  input  wire logic                 cfg_region_i,    // reads ask the region filter first; needs RegionBits
  input  wire logic                 cfg_pass_i,  // do not hash writes of fewer than four sectors; needs ByteMasks
  input  wire logic [127:0]         cfg_hash_key_i,  // SipHash: secret of this boot
  input  wire logic [LevelBits-1:0] cfg_bypass_level_i,  // skip the hash from this many buffered writes on; 0: never
  input  wire logic [LineBits:0]    cfg_total_lines_i,  // lines of this controller, spare lines included
  input  wire logic [LineBits:0]    cfg_spare_lines_i,  // lines that the L2 never addresses
  input  wire logic                 rd_valid_i,  // a read from the L2
  output logic                      rd_ready_o,
  input  wire logic [LineBits-1:0]  rd_line_i,  // line number in this controller
  input  wire logic [3:0]           rd_mask_i,  // sectors to read, at least one
  input  wire logic [TagBits-1:0]   rd_tag_i,  // returned with each reply
  input  wire logic                 wr_valid_i,  // dirty sectors of an evicted line
  output logic                      wr_ready_o,
  input  wire logic [LineBits-1:0]  wr_line_i,  // line number in this controller
  input  wire logic [3:0]           wr_mask_i,  // dirty sectors, at least one
  input  wire logic [127:0]         wr_bytes_i,  // bytes of these sectors that are written; all without ByteMasks
  input  wire logic [1023:0]        wr_data_i,  // their data
  input  wire logic [DomainWidth-1:0] wr_domain_i,  // owner of the line; lines of two domains never share
  output logic                      l2_valid_o,  // a reply that needs no DRAM
  input  wire logic                 l2_ready_i,
  output logic [TagBits-1:0]        l2_tag_o,  // rd_tag_i of the read
  output logic [3:0]                l2_mask_o,  // sectors in this reply
  output logic [1:0]                l2_source_o,   // 0 forward, 1 intra, 2 copy
  output logic [1023:0]             l2_data_o,     // sectors outside l2_mask_o: undefined
  output logic                      dram_valid_o,  // one ordered stream of reads and writes
  input  wire logic                 dram_ready_i,
  output logic [2:0]                dram_kind_o,   // 0 home read, 1 slot read, 2 dedup read, 3 write, 4 verify read
  output logic [LineBits-1:0]       dram_line_o,  // line number of the DRAM address
  output logic [3:0]                dram_mask_o,  // sectors
  output logic [TagBits-1:0]        dram_tag_o,    // home and slot reads: rd_tag; dedup reads: entry; verify reads, and
                                                 // dedup reads of a write that is not hashed: BufferEntries; writes: 0
  output logic [127:0]              dram_bytes_o,  // writes: bytes of the masked sectors; else undefined
  output logic [1023:0]             dram_data_o,   // writes: the masked sectors; else undefined
  input  wire logic                 dram_rsp_valid_i,  // data of dedup and verify reads, in any order
  output logic                      dram_rsp_ready_o,
  input  wire logic [TagBits-1:0]   dram_rsp_tag_i,  // dram_tag_o of the read
  input  wire logic [1023:0]        dram_rsp_data_i,  // its sectors
  output logic                      probe_valid_o,  // probe of the L2 for a reference line
  input  wire logic                 probe_ready_i,
  output logic [LineBits-1:0]       probe_line_o,  // the reference line
  output logic [3:0]                probe_mask_o,  // sectors needed
  output logic [IdBits-1:0]         probe_id_o,  // context number; commit: Contexts
  input  wire logic                 probe_rsp_valid_i,  // one answer per probe
  output logic                      probe_rsp_ready_o,
  input  wire logic [IdBits-1:0]    probe_rsp_id_i,  // probe_id_o of the probe
  input  wire logic [3:0]           probe_rsp_mask_i,  // sectors that are valid and clean in the L2
  input  wire logic [1023:0]        probe_rsp_data_i,  // their data
  output logic                      done_valid_o,  // one cycle per write; there is no back-pressure
  output logic [LineBits-1:0]       done_line_o,  // line of the write
  output logic [2:0]                done_outcome_o, // 0 intra 1 inter 2 home 3 in place 4 kept 5 borrowed 6 silent
  output logic [7:0]                done_flags_o,   // 0 no entry 1 saturated 2 partial limit 3 entry evicted 4 scanned
                                                    // 5 verified 6 collision 7 passed
  output logic [3:0]                done_read_o,    // sectors fetched by dedup reads
  output logic [3:0]                done_verify_o,  // sectors fetched by a verify read
  output logic [3:0]                done_written_o, // sectors written to DRAM
  output logic                      type_mem_req_valid_o,
  input  wire logic                 type_mem_req_ready_i,
  output logic                      type_mem_req_write_o,
  output logic [LineBits-8:0]       type_mem_req_sector_o,
  output logic [255:0]              type_mem_req_data_o,
  input  wire logic                 type_mem_rsp_valid_i,
  output logic                      type_mem_rsp_ready_o,
  input  wire logic [LineBits-8:0]  type_mem_rsp_sector_i,
  input  wire logic [255:0]         type_mem_rsp_data_i,
  output logic                      mask_mem_req_valid_o,
  input  wire logic                 mask_mem_req_ready_i,
  output logic                      mask_mem_req_write_o,
  output logic [LineBits-7:0]       mask_mem_req_sector_o,
  output logic [255:0]              mask_mem_req_data_o,
  input  wire logic                 mask_mem_rsp_valid_i,
  output logic                      mask_mem_rsp_ready_o,
  input  wire logic [LineBits-7:0]  mask_mem_rsp_sector_i,
  input  wire logic [255:0]         mask_mem_rsp_data_i,
  output logic                      addr_mem_req_valid_o,
  input  wire logic                 addr_mem_req_ready_i,
  output logic                      addr_mem_req_write_o,
  output logic [LineBits-4:0]       addr_mem_req_sector_o,
  output logic [255:0]              addr_mem_req_data_o,
  input  wire logic                 addr_mem_rsp_valid_i,
  output logic                      addr_mem_rsp_ready_o,
  input  wire logic [LineBits-4:0]  addr_mem_rsp_sector_i,
  input  wire logic [255:0]         addr_mem_rsp_data_i,
  output logic                      lent_mem_req_valid_o,
  input  wire logic                 lent_mem_req_ready_i,
  output logic                      lent_mem_req_write_o,
  output logic [LineBits-9:0]       lent_mem_req_sector_o,
  output logic [255:0]              lent_mem_req_data_o,
  input  wire logic                 lent_mem_rsp_valid_i,
  output logic                      lent_mem_rsp_ready_o,
  input  wire logic [LineBits-9:0]  lent_mem_rsp_sector_i,
  input  wire logic [255:0]         lent_mem_rsp_data_i,
  input  wire logic                 cfg_sleep_i,   // from a cold reset until the first write the unit is off
  output logic                      power_o,       // the unit is needed
  input  wire logic                 power_good_i,  // its supply is up; 1 where it always is
  input  wire logic                 drain_i,     // finish and stay closed, while high
  input  wire logic                 warm_i,      // the L2 is in reset: a pulse is enough; stay closed, while high
  output logic                      open_o,      // reads and writes pass
  output logic                      drained_o,   // closed, and nothing is left to do
  output logic                      fatal_o,     // a word of a table was lost; high until a cold reset
  input  wire logic [2:0]           flip_table_i,  // 0; for tests, as flip_i: dedup_unit.sv
  input  wire logic [31:0]          flip_i,
  input  wire logic                 psel_i,      // the register block is an APB3 completer
  input  wire logic                 penable_i,
  input  wire logic                 pwrite_i,
  input  wire logic [7:0]           paddr_i,     // byte address of a word (README.md)
  input  wire logic [31:0]          pwdata_i,
  output logic                      pready_o,    // always
  output logic [31:0]               prdata_o,    // in the access cycle
  output logic                      pslverr_o,   // in the access cycle
  output logic                      busy_o       // low: nothing changes until a port brings something
);
  logic rd_ready, wr_ready, unit_l2, unit_dram, unit_probe, unit_done, addr_unit_valid, probe_ready, probe_rsp_ready;
  logic [4:0]          unit_corrected, unit_fatal;
  logic [LevelBits-1:0] unit_level;
  logic unit_busy, answer_valid, drop, drop_read, image_done;
  logic [IdBits-1:0]   answer_id, probe_rsp_id;
  logic [2:0]          unit_kind;
  logic [LineBits-1:0] unit_line, skid_line;
  logic [3:0]          unit_mask, skid_mask;
  logic [TagBits-1:0]  unit_tag, skid_tag;

  // Sleep: the unit is in reset, perhaps without supply, and reads go to DRAM through a skid buffer. A write wakes it:
  // the guard closes, the unit gets its supply and leaves its reset, clears its tables, and the guard opens again.
  logic wake_q, awake_q, settled_q, waking, skid_in_ready, skid_valid, unit_rst_n;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      wake_q    <= 1'b0;
      awake_q   <= 1'b0;
      settled_q <= 1'b0;
    end else begin
      wake_q    <= wake_q || !cfg_sleep_i || (open_o && wr_valid_i);
`ifdef PLANT_SAFE_WAKES_BESIDE_READS  // planted bug: reads that went by the unit are still on their way
      awake_q   <= awake_q || (wake_q && power_good_i);
`else
      awake_q   <= awake_q || (wake_q && power_good_i && !open_o && !skid_valid);
`endif
      settled_q <= settled_q || (awake_q && !unit_busy);
    end
  end
  assign waking     = wake_q && !settled_q;
  assign power_o    = wake_q;
  assign unit_rst_n = rst_ni && awake_q;
  stream_skid #(.Width(LineBits + 4 + TagBits)) i_skid (
    .clk_i,
    .rst_ni,
    .in_valid_i(rd_valid_i && open_o && !awake_q),
    .in_ready_o(skid_in_ready),
    .in_data_i({rd_line_i, rd_mask_i, rd_tag_i}),
    .out_valid_o(skid_valid),
    .out_ready_i((dram_ready_i || drop_read) && !awake_q),
    .out_data_o({skid_line, skid_mask, skid_tag})
  );

  // Requests pass while open; writes once the unit is awake.
  wire unit_rd_valid = rd_valid_i && open_o && awake_q, unit_wr_valid = wr_valid_i && open_o && awake_q;
  assign rd_ready_o = open_o && (awake_q ? rd_ready : skid_in_ready);
  assign wr_ready_o = open_o && awake_q && wr_ready;

  // What comes out of a unit that is off means nothing.
  wire   l2_valid    = unit_l2 && awake_q;
  wire   probe_valid = unit_probe && awake_q;
  wire   dram_valid  = awake_q ? unit_dram : skid_valid;
  assign dram_kind_o  = awake_q ? unit_kind : 3'd0;
  assign dram_line_o  = awake_q ? unit_line : skid_line;
  assign dram_mask_o  = awake_q ? unit_mask : skid_mask;
  assign dram_tag_o   = awake_q ? unit_tag : skid_tag;
  assign done_valid_o = unit_done && awake_q;
  assign addr_mem_req_valid_o = addr_unit_valid && awake_q;

  // Replies and probes for an L2 that is in reset go nowhere.
`ifdef PLANT_SAFE_REPLIES  // planted bug: a reply reaches the L2 that has forgotten its read
  assign l2_valid_o        = l2_valid;
`else
  assign l2_valid_o        = l2_valid && !drop;
`endif
  assign probe_valid_o     = probe_valid && !drop;
  assign probe_ready       = probe_ready_i || drop;
  assign probe_rsp_ready_o = probe_rsp_ready && awake_q && !drop;
  assign probe_rsp_id      = drop ? answer_id : probe_rsp_id_i;
  wire       unit_probe_rsp  = drop ? answer_valid : probe_rsp_valid_i;
  wire [3:0] unit_probe_mask = drop ? 4'h0 : probe_rsp_mask_i;
  // So do home and slot reads, unless DRAM has seen them: what is on offer stays.
  logic offered_q;
`ifdef PLANT_SAFE_TAKES_READ_BACK  // planted bug: an offer to DRAM disappears
  assign drop_read    = drop && dram_valid && dram_kind_o < 3'd2;
`else
  assign drop_read    = drop && !offered_q && dram_valid && dram_kind_o < 3'd2;
`endif
  assign dram_valid_o = dram_valid && !drop_read;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) offered_q <= 1'b0;
    else offered_q <= dram_valid_o && !dram_ready_i;
  end

  // The initial image of the metadata.
  // Until then the unit is closed, and its caches ask for nothing.
  logic                type_unit_valid, type_unit_write, type_image_valid, type_image_done;
  logic [LineBits-8:0] type_unit_sector, type_image_sector;
  logic [255:0]        type_unit_data, type_image_data;
  metadata_image #(.EntryBits(2), .Value(1), .IndexBits(LineBits), .SectorBytes(32)) i_type_image (
    .clk_i,
    .rst_ni,
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .req_valid_o(type_image_valid),
    .req_ready_i(type_mem_req_ready_i),
    .req_sector_o(type_image_sector),
    .req_data_o(type_image_data),
    .done_o(type_image_done)
  );
  assign type_mem_req_valid_o  = image_done ? type_unit_valid && awake_q : type_image_valid;
  assign type_mem_req_write_o  = image_done ? type_unit_write : 1'b1;
  assign type_mem_req_sector_o = image_done ? type_unit_sector : type_image_sector;
  assign type_mem_req_data_o   = image_done ? type_unit_data : type_image_data;
  logic                mask_unit_valid, mask_unit_write, mask_image_valid, mask_image_done;
  logic [LineBits-7:0] mask_unit_sector, mask_image_sector;
  logic [255:0]        mask_unit_data, mask_image_data;
  metadata_image #(.EntryBits(4), .Value(15), .IndexBits(LineBits), .SectorBytes(32)) i_mask_image (
    .clk_i,
    .rst_ni,
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .req_valid_o(mask_image_valid),
    .req_ready_i(mask_mem_req_ready_i),
    .req_sector_o(mask_image_sector),
    .req_data_o(mask_image_data),
    .done_o(mask_image_done)
  );
  assign mask_mem_req_valid_o  = image_done ? mask_unit_valid && awake_q : mask_image_valid;
  assign mask_mem_req_write_o  = image_done ? mask_unit_write : 1'b1;
  assign mask_mem_req_sector_o = image_done ? mask_unit_sector : mask_image_sector;
  assign mask_mem_req_data_o   = image_done ? mask_unit_data : mask_image_data;
  logic                lent_unit_valid, lent_unit_write, lent_image_valid, lent_image_done;
  logic [LineBits-9:0] lent_unit_sector, lent_image_sector;
  logic [255:0]        lent_unit_data, lent_image_data;
  metadata_image #(.EntryBits(1), .Value(0), .IndexBits(LineBits), .SectorBytes(32)) i_lent_image (
    .clk_i,
    .rst_ni,
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .req_valid_o(lent_image_valid),
    .req_ready_i(lent_mem_req_ready_i),
    .req_sector_o(lent_image_sector),
    .req_data_o(lent_image_data),
    .done_o(lent_image_done)
  );
  assign lent_mem_req_valid_o  = image_done ? lent_unit_valid && awake_q : lent_image_valid;
  assign lent_mem_req_write_o  = image_done ? lent_unit_write : 1'b1;
  assign lent_mem_req_sector_o = image_done ? lent_unit_sector : lent_image_sector;
  assign lent_mem_req_data_o   = image_done ? lent_unit_data : lent_image_data;
  assign image_done = type_image_done && mask_image_done && lent_image_done;

  dedup_unit #(
    .LineBits(LineBits), .BufferEntries(BufferEntries), .Contexts(Contexts), .FreeEntries(FreeEntries),
    .TagBits(TagBits), .Lookups(Lookups), .HashUnits(HashUnits), .Verify(Verify), .DomainBits(DomainBits),
    .RegionBits(RegionBits), .ByteMasks(ByteMasks), .StoreSets(StoreSets), .StoreWays(StoreWays),
    .CountBits(CountBits), .SipHash(SipHash), .StepsPerCycle(StepsPerCycle), .Parks(Parks), .TypeSets(TypeSets),
    .TypeWays(TypeWays), .MaskSets(MaskSets), .MaskWays(MaskWays), .AddrSets(AddrSets), .AddrWays(AddrWays),
    .LentSets(LentSets), .LentWays(LentWays), .Secded(Secded)
  ) i_unit (
    .clk_i,
    .rst_ni(unit_rst_n),
    .cfg_car_i,
    .cfg_hash_i,
    .cfg_verify_i,
    .cfg_region_i,
    .cfg_pass_i,
    .cfg_fresh_i(1'b1),
    .cfg_hash_key_i,
    .cfg_bypass_level_i,
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .rd_valid_i(unit_rd_valid),
    .rd_ready_o(rd_ready),
    .rd_line_i,
    .rd_mask_i,
    .rd_tag_i,
    .wr_valid_i(unit_wr_valid),
    .wr_ready_o(wr_ready),
    .wr_line_i,
    .wr_mask_i,
    .wr_bytes_i,
    .wr_data_i,
    .wr_domain_i,
    .l2_valid_o(unit_l2),
    .l2_ready_i(l2_ready_i || drop),
    .l2_tag_o,
    .l2_mask_o,
    .l2_source_o,
    .l2_data_o,
    .dram_valid_o(unit_dram),
    .dram_ready_i(dram_ready_i || drop_read),
    .dram_kind_o(unit_kind),
    .dram_line_o(unit_line),
    .dram_mask_o(unit_mask),
    .dram_tag_o(unit_tag),
    .dram_bytes_o,
    .dram_data_o,
    .dram_rsp_valid_i,
    .dram_rsp_ready_o,
    .dram_rsp_tag_i,
    .dram_rsp_data_i,
    .probe_valid_o(unit_probe),
    .probe_ready_i(probe_ready),
    .probe_line_o,
    .probe_mask_o,
    .probe_id_o,
    .probe_rsp_valid_i(unit_probe_rsp),
    .probe_rsp_ready_o(probe_rsp_ready),
    .probe_rsp_id_i(probe_rsp_id),
    .probe_rsp_mask_i(unit_probe_mask),
    .probe_rsp_data_i,
    .done_valid_o(unit_done),
    .done_line_o,
    .done_outcome_o,
    .done_flags_o,
    .done_read_o,
    .done_verify_o,
    .done_written_o,
    .type_mem_req_valid_o(type_unit_valid),
    .type_mem_req_ready_i,
    .type_mem_req_write_o(type_unit_write),
    .type_mem_req_sector_o(type_unit_sector),
    .type_mem_req_data_o(type_unit_data),
    .type_mem_rsp_valid_i,
    .type_mem_rsp_ready_o,
    .type_mem_rsp_sector_i,
    .type_mem_rsp_data_i,
    .mask_mem_req_valid_o(mask_unit_valid),
    .mask_mem_req_ready_i,
    .mask_mem_req_write_o(mask_unit_write),
    .mask_mem_req_sector_o(mask_unit_sector),
    .mask_mem_req_data_o(mask_unit_data),
    .mask_mem_rsp_valid_i,
    .mask_mem_rsp_ready_o,
    .mask_mem_rsp_sector_i,
    .mask_mem_rsp_data_i,
    .addr_mem_req_valid_o(addr_unit_valid),
    .addr_mem_req_ready_i,
    .addr_mem_req_write_o,
    .addr_mem_req_sector_o,
    .addr_mem_req_data_o,
    .addr_mem_rsp_valid_i,
    .addr_mem_rsp_ready_o,
    .addr_mem_rsp_sector_i,
    .addr_mem_rsp_data_i,
    .lent_mem_req_valid_o(lent_unit_valid),
    .lent_mem_req_ready_i,
    .lent_mem_req_write_o(lent_unit_write),
    .lent_mem_req_sector_o(lent_unit_sector),
    .lent_mem_req_data_o(lent_unit_data),
    .lent_mem_rsp_valid_i,
    .lent_mem_rsp_ready_o,
    .lent_mem_rsp_sector_i,
    .lent_mem_rsp_data_i,
    .flip_table_i,
    .flip_i,
    .level_o(unit_level),
    .corrected_o(unit_corrected),
    .fatal_o(unit_fatal),
    .busy_o(unit_busy)
  );

  assign fatal_o = unit_fatal != '0 && awake_q;
  wire probe_sent = probe_valid && probe_ready;
  wire probe_back = probe_rsp_ready && awake_q && unit_probe_rsp;
  dedup_guard #(.Ids(Contexts + 1), .IdBits(IdBits), .Caches(4), .Fetches(Parks)) i_guard (
    .clk_i,
    .rst_ni,
`ifdef PLANT_SAFE_OPEN_WHEN_LOST  // planted bug: a unit that lost a word goes on taking
    .drain_i(drain_i || waking),
`else
    .drain_i(drain_i || waking || fatal_o),
`endif
    .warm_i,
    .image_done_i(image_done),
    .busy_i(waking || (awake_q ? unit_busy : skid_valid)),
    .sent_i(probe_sent),
    .sent_id_i(probe_id_o),
    .back_i(probe_back),
    .back_id_i(probe_rsp_id),
    .fetch_i({lent_mem_req_valid_o && lent_mem_req_ready_i && !lent_mem_req_write_o,
              addr_mem_req_valid_o && addr_mem_req_ready_i && !addr_mem_req_write_o,
              mask_mem_req_valid_o && mask_mem_req_ready_i && !mask_mem_req_write_o,
              type_mem_req_valid_o && type_mem_req_ready_i && !type_mem_req_write_o}),
    .fill_i({lent_mem_rsp_valid_i && lent_mem_rsp_ready_o, addr_mem_rsp_valid_i && addr_mem_rsp_ready_o,
             mask_mem_rsp_valid_i && mask_mem_rsp_ready_o, type_mem_rsp_valid_i && type_mem_rsp_ready_o}),
    .answer_valid_o(answer_valid),
    .answer_id_o(answer_id),
    .open_o,
    .drop_o(drop),
    .drained_o
  );
  assign busy_o = (awake_q ? unit_busy : skid_valid) || waking || !(open_o || drained_o);

  // Counters, the first in bit 0. A warm reset counts once, as drop rises.
  localparam int unsigned Counters = 20;
  logic [Counters-1:0] events;
  logic                drop_q;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) drop_q <= 1'b0;
    else drop_q <= drop;
  end
  assign events = {
    unit_corrected & {5{awake_q}},                                               // 20 to 16 corrected bits: hash store,
                                                                                 // lent, address map, mask, type
    drop && !drop_q,                                                             // 15 warm resets
    drop_read,                                                                   // 14 reads of DRAM dropped
    drop && l2_valid,                                                            // 13 replies dropped
    l2_valid_o && l2_ready_i,                                                    // 12 replies without DRAM
    done_valid_o && done_flags_o[7],                                             // 11 passed
    done_valid_o && done_flags_o[4],                                             // 10 a slot was scanned for
    done_valid_o && done_flags_o[0],                                             // 9 no entry
    done_valid_o && done_flags_o[3],                                             // 8 an entry was replaced
    done_valid_o && done_flags_o[6],                                             // 7 collisions
    done_valid_o && done_outcome_o >= 3'd2 && done_outcome_o != 3'd6,            // 6 unique
    done_valid_o && (done_outcome_o == 3'd1 || done_outcome_o == 3'd6),          // 5 duplicates
    done_valid_o && done_outcome_o == 3'd0,                                      // 4 intra-duplicates
    done_valid_o,                                                                // 3 commits
    wr_valid_i && wr_ready_o,                                                    // 2 writes
    rd_valid_i && rd_ready_o                                                     // 1 reads
  };
  event_counters #(.Counters(Counters), .EventBits(EventBits), .StatusBits(16 + LevelBits)) i_counters (
    .clk_i,
    .rst_ni,
    .events_i(events),
    .status_i({unit_level & {LevelBits{awake_q}}, 10'd0, fatal_o, awake_q, !image_done, drained_o, drop, open_o}),
    .psel_i,
    .penable_i,
    .pwrite_i,
    .paddr_i,
    .pwdata_i,
    .pready_o,
    .prdata_o,
    .pslverr_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_idle_until_image:   assert (image_done || !awake_q || !(type_unit_valid || mask_unit_valid || lent_unit_valid));
    a_off_without_need:   assert (!awake_q || power_good_i);
    a_closed_until_image: assert (image_done || !open_o);
    a_no_read_is_dropped: assert (!drop_read || !offered_q);
    c_probe_answered:     cover (drop && probe_back);
    c_read_stays:         cover (drop && offered_q && dram_kind_o < 3'd2);
    c_read_dropped:       cover (drop_read);
    c_reply_dropped:      cover (drop && l2_valid);
    c_drained_dropping:   cover (drained_o && drop);
    c_read_by_the_unit:   cover (skid_valid && dram_ready_i);
    c_dropped_asleep:     cover (!awake_q && drop_read);
    c_waits_for_supply:   cover (wake_q && !open_o && !power_good_i);
    c_lost:               cover (fatal_o && !open_o);
  end
`endif
`ifdef FORMAL_DEDUP_SAFE
  `include "dedup_safe_props.svh"
`endif
endmodule
`default_nettype wire
