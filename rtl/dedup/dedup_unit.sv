// dedup_unit: deduplication of one memory controller, complete: wires.
// It has the control (dedup), line hashers, one hash store and the type, mask, address-map and lent caches.
//
//   rd, wr ─▶ ┌───────┐ ─▶ l2, dram, probe, done        ┌─ line hashers
//   dram_rsp, │ dedup │ ◀─▶ hash, store, 4 metadata ◀─▶ ├─ hash_store
//   probe_rsp └───────┘                                 └─ 4 x metadata_cache ◀─▶ *_mem_req, *_mem_rsp
//
// The hashers are MD5, or SipHash with a secret key that is stable from the last cycle of reset on. Those of SipHash
// share a memory of lines (siphash_line_hashers.sv). Lines go to the hashers in turn, and digests come back in turn.
//
// With Secded, one wrong bit in a part of a word of the tables is corrected. A lost word stops its table, so what needs
// that table is not done and busy_o stays high; the rest goes on, with right data. Only a reset, which forgets what the
// caches held, ends it: rules in metadata_cache.sv and hash_store.sv. Bits of corrected_o and fatal_o: 0 type, 1 mask,
// 2 address map, 3 lent, 4 hash store.
//
// Ports of the control and rules for cfg_*: dedup.sv. Memory side of the caches: metadata_cache.sv.
// The latencies that the simulator adds (76 cycles per hash chunk, 20 per metadata access) are not in this module.
// Source: CMD paper, IV.A to IV.C and IV.E; decisions C4 to C16.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_unit #(
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
  // follow from the others
  parameter int unsigned IndexBits = StoreSets * StoreWays > 1 ? $clog2(StoreSets) + $clog2(StoreWays) : 1,
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
  input  wire logic                 cfg_fresh_i,     // at a reset: metadata hold their initial image
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
  input  wire logic [2:0]           flip_table_i,  // 0; for tests, 1 + bit in corrected_o of the table of flip_i
  input  wire logic [31:0]          flip_i,        // stored bits to write inverted: metadata_cache.sv, hash_store.sv
  output logic [LevelBits-1:0]      level_o,       // lines in the write buffer
  output logic [4:0]                corrected_o,   // a wrong bit was corrected in this cycle, by table
  output logic [4:0]                fatal_o,       // a word was lost: the table stands until reset
  output logic                      busy_o  // low: nothing changes until a port brings something
);
  if (Verify > 1 || ByteMasks > 1 || SipHash > 1 || Secded > 1) begin : g_bad_switch
    $error("dedup_unit: Verify, ByteMasks, SipHash and Secded must be 0 or 1");
  end
  if (StoreSets == 0 || (StoreSets & (StoreSets - 1)) != 0) begin : g_bad_store_sets
    $error("dedup_unit: StoreSets must be a power of two");
  end
  if (TypeSets == 0 || (TypeSets & (TypeSets - 1)) != 0) begin : g_bad_type_sets
    $error("dedup_unit: TypeSets must be a power of two");
  end
  if (MaskSets == 0 || (MaskSets & (MaskSets - 1)) != 0) begin : g_bad_mask_sets
    $error("dedup_unit: MaskSets must be a power of two");
  end
  if (AddrSets == 0 || (AddrSets & (AddrSets - 1)) != 0) begin : g_bad_addr_sets
    $error("dedup_unit: AddrSets must be a power of two");
  end
  if (LentSets == 0 || (LentSets & (LentSets - 1)) != 0) begin : g_bad_lent_sets
    $error("dedup_unit: LentSets must be a power of two");
  end
  if (LineBits < 9) begin : g_bad_line_bits
    $error("dedup_unit: LineBits must be at least 9, one sector of lent flags and one bit");
  end

  logic type_req_valid, type_req_ready, type_req_write, type_rsp_valid, type_rsp_ready, type_rsp_missed_unused, type_busy;
  logic [LineBits-1:0] type_req_index;
  logic [1:0] type_req_data, type_rsp_data;
  logic [IdBits-1:0] type_req_id, type_rsp_id;
  logic mask_req_valid, mask_req_ready, mask_req_write, mask_rsp_valid, mask_rsp_ready, mask_rsp_missed_unused, mask_busy;
  logic [LineBits-1:0] mask_req_index;
  logic [3:0] mask_req_data, mask_rsp_data;
  logic [IdBits-1:0] mask_req_id, mask_rsp_id;
  logic addr_req_valid, addr_req_ready, addr_req_write, addr_rsp_valid, addr_rsp_ready, addr_rsp_missed_unused, addr_busy;
  logic [LineBits-1:0] addr_req_index;
  logic [31:0] addr_req_data, addr_rsp_data;
  logic [IdBits-1:0] addr_req_id, addr_rsp_id;
  logic lent_req_valid, lent_req_ready, lent_req_write, lent_rsp_valid, lent_rsp_ready, lent_rsp_missed_unused, lent_busy;
  logic [LineBits-1:0] lent_req_index;
  logic lent_req_data, lent_rsp_data;
  logic [IdBits-1:0] lent_req_id, lent_rsp_id;
  logic hash_valid, hash_ready, hash_rsp_valid, hash_rsp_ready;
  logic [3:0] hash_mask;
  logic [1023:0] hash_data;
  logic [127:0] hash_rsp_digest;
  logic [127+DomainBits:0] store_hash;
  logic store_valid, store_ready, store_rsp_valid, store_rsp_ready, store_rsp_hit, store_rsp_ok, store_rsp_evicted;
  logic [2:0] store_op;
  logic [LineBits-1:0] store_ref, store_rsp_ref, store_evicted_ref_unused;
  logic [IndexBits-1:0] store_index, store_rsp_index;
  logic [CountBits-1:0] store_rsp_count;
  logic dedup_busy;

  dedup #(
    .LineBits(LineBits), .IndexBits(IndexBits), .CountBits(CountBits), .BufferEntries(BufferEntries),
    .Contexts(Contexts), .FreeEntries(FreeEntries), .TagBits(TagBits), .Lookups(Lookups),
    .HashUnits(HashUnits), .Verify(Verify), .DomainBits(DomainBits), .RegionBits(RegionBits),
    .ByteMasks(ByteMasks)
  ) i_dedup (
    .clk_i,
    .rst_ni,
    .cfg_car_i,
    .cfg_hash_i,
    .cfg_verify_i,
    .cfg_region_i,
    .cfg_pass_i,
    .cfg_fresh_i,
    .cfg_bypass_level_i,
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .rd_valid_i,
    .rd_ready_o,
    .rd_line_i,
    .rd_mask_i,
    .rd_tag_i,
    .wr_valid_i,
    .wr_ready_o,
    .wr_line_i,
    .wr_mask_i,
    .wr_bytes_i,
    .wr_data_i,
    .wr_domain_i,
    .l2_valid_o,
    .l2_ready_i,
    .l2_tag_o,
    .l2_mask_o,
    .l2_source_o,
    .l2_data_o,
    .dram_valid_o,
    .dram_ready_i,
    .dram_kind_o,
    .dram_line_o,
    .dram_mask_o,
    .dram_tag_o,
    .dram_bytes_o,
    .dram_data_o,
    .dram_rsp_valid_i,
    .dram_rsp_ready_o,
    .dram_rsp_tag_i,
    .dram_rsp_data_i,
    .type_req_valid_o(type_req_valid),
    .type_req_ready_i(type_req_ready),
    .type_req_write_o(type_req_write),
    .type_req_index_o(type_req_index),
    .type_req_data_o(type_req_data),
    .type_req_id_o(type_req_id),
    .type_rsp_valid_i(type_rsp_valid),
    .type_rsp_ready_o(type_rsp_ready),
    .type_rsp_data_i(type_rsp_data),
    .type_rsp_id_i(type_rsp_id),
    .mask_req_valid_o(mask_req_valid),
    .mask_req_ready_i(mask_req_ready),
    .mask_req_write_o(mask_req_write),
    .mask_req_index_o(mask_req_index),
    .mask_req_data_o(mask_req_data),
    .mask_req_id_o(mask_req_id),
    .mask_rsp_valid_i(mask_rsp_valid),
    .mask_rsp_ready_o(mask_rsp_ready),
    .mask_rsp_data_i(mask_rsp_data),
    .mask_rsp_id_i(mask_rsp_id),
    .addr_req_valid_o(addr_req_valid),
    .addr_req_ready_i(addr_req_ready),
    .addr_req_write_o(addr_req_write),
    .addr_req_index_o(addr_req_index),
    .addr_req_data_o(addr_req_data),
    .addr_req_id_o(addr_req_id),
    .addr_rsp_valid_i(addr_rsp_valid),
    .addr_rsp_ready_o(addr_rsp_ready),
    .addr_rsp_data_i(addr_rsp_data),
    .addr_rsp_id_i(addr_rsp_id),
    .lent_req_valid_o(lent_req_valid),
    .lent_req_ready_i(lent_req_ready),
    .lent_req_write_o(lent_req_write),
    .lent_req_index_o(lent_req_index),
    .lent_req_data_o(lent_req_data),
    .lent_req_id_o(lent_req_id),
    .lent_rsp_valid_i(lent_rsp_valid),
    .lent_rsp_ready_o(lent_rsp_ready),
    .lent_rsp_data_i(lent_rsp_data),
    .lent_rsp_id_i(lent_rsp_id),
    .hash_valid_o(hash_valid),
    .hash_ready_i(hash_ready),
    .hash_mask_o(hash_mask),
    .hash_data_o(hash_data),
    .hash_rsp_valid_i(hash_rsp_valid),
    .hash_rsp_ready_o(hash_rsp_ready),
    .hash_rsp_digest_i(hash_rsp_digest),
    .store_valid_o(store_valid),
    .store_ready_i(store_ready),
    .store_op_o(store_op),
    .store_hash_o(store_hash),
    .store_ref_o(store_ref),
    .store_index_o(store_index),
    .store_rsp_valid_i(store_rsp_valid),
    .store_rsp_ready_o(store_rsp_ready),
    .store_rsp_hit_i(store_rsp_hit),
    .store_rsp_index_i(store_rsp_index),
    .store_rsp_ref_i(store_rsp_ref),
    .store_rsp_count_i(store_rsp_count),
    .store_rsp_ok_i(store_rsp_ok),
    .store_rsp_evicted_i(store_rsp_evicted),
    .probe_valid_o,
    .probe_ready_i,
    .probe_line_o,
    .probe_mask_o,
    .probe_id_o,
    .probe_rsp_valid_i,
    .probe_rsp_ready_o,
    .probe_rsp_id_i,
    .probe_rsp_mask_i,
    .probe_rsp_data_i,
    .done_valid_o,
    .done_line_o,
    .done_outcome_o,
    .done_flags_o,
    .done_read_o,
    .done_verify_o,
    .done_written_o,
    .level_o,
    .busy_o(dedup_busy)
  );
  // Hashers.
  logic hash_busy;
  if (SipHash != 0) begin : g_siphash
    siphash_line_hashers #(.Units(HashUnits), .HalfRoundsPerCycle(StepsPerCycle)) i_hashers (
      .clk_i,
      .rst_ni,
      .key_i(cfg_hash_key_i),
      .in_valid_i(hash_valid),
      .in_ready_o(hash_ready),
      .in_data_i(hash_data),
      .in_mask_i(hash_mask),
      .out_valid_o(hash_rsp_valid),
      .out_ready_i(hash_rsp_ready),
      .out_digest_o(hash_rsp_digest),
      .busy_o(hash_busy)
    );
  end else begin : g_md5  // hash_in_q takes the next line, hash_out_q gives the next digest
    localparam int unsigned UnitBits = HashUnits > 1 ? $clog2(HashUnits) : 1;
    logic [UnitBits-1:0]      hash_in_q, hash_out_q;
    logic [HashUnits-1:0]     unit_in_ready, unit_out_valid;
    logic [HashUnits*128-1:0] unit_digest;
    always_comb begin
      hash_ready      = 1'b0;
      hash_rsp_valid  = 1'b0;
      hash_rsp_digest = '0;
      for (int unsigned u = 0; u < HashUnits; u++) begin
        if (hash_in_q == UnitBits'(u)) hash_ready = unit_in_ready[u];
        if (hash_out_q == UnitBits'(u)) begin
          hash_rsp_valid  = unit_out_valid[u];
          hash_rsp_digest = unit_digest[u*128 +: 128];
        end
      end
    end
    assign hash_busy = unit_out_valid != '0 || unit_in_ready != '1;
    always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
      if (!rst_ni) begin
        hash_in_q  <= '0;
        hash_out_q <= '0;
      end else begin
        if (hash_valid && hash_ready) hash_in_q <= (hash_in_q == UnitBits'(HashUnits - 1)) ? '0 : hash_in_q + 1'b1;
        if (hash_rsp_valid && hash_rsp_ready) hash_out_q <= (hash_out_q == UnitBits'(HashUnits - 1)) ? '0 : hash_out_q + 1'b1;
      end
    end
    for (genvar u = 0; u < HashUnits; u++) begin : g_hasher
      line_hasher #(.StepsPerCycle(StepsPerCycle)) i_hasher (
        .clk_i,
        .rst_ni,
        .in_valid_i(hash_valid && hash_in_q == UnitBits'(u)),
        .in_ready_o(unit_in_ready[u]),
        .in_data_i(hash_data),
        .in_mask_i(hash_mask),
        .out_valid_o(unit_out_valid[u]),
        .out_ready_i(hash_rsp_ready && hash_out_q == UnitBits'(u)),
        .out_digest_o(unit_digest[u*128 +: 128])
      );
    end
    wire unused_key = &cfg_hash_key_i;
  end
  hash_store #(
    .Sets(StoreSets), .Ways(StoreWays), .HashBits(128 + DomainBits), .RefBits(LineBits), .CountBits(CountBits),
    .RefSets(2 * StoreSets), .RefWays(StoreWays), .Secded(Secded)
  ) i_store (
    .clk_i,
    .rst_ni,
    .req_valid_i(store_valid),
    .req_ready_o(store_ready),
    .req_op_i(store_op),
    .req_hash_i(store_hash),
    .req_ref_i(store_ref),
    .req_index_i(store_index),
    .rsp_valid_o(store_rsp_valid),
    .rsp_ready_i(store_rsp_ready),
    .rsp_hit_o(store_rsp_hit),
    .rsp_index_o(store_rsp_index),
    .rsp_ref_o(store_rsp_ref),
    .rsp_count_o(store_rsp_count),
    .rsp_ok_o(store_rsp_ok),
    .rsp_evicted_o(store_rsp_evicted),
    .rsp_evicted_ref_o(store_evicted_ref_unused),
    .flip_i(flip_table_i == 3'd5 ? flip_i : 32'd0),
    .corrected_o(corrected_o[4]),
    .fatal_o(fatal_o[4])
  );
  metadata_cache #(
    .EntryBits(2), .IndexBits(LineBits), .Sets(TypeSets), .Ways(TypeWays), .LineBytes(128), .SectorBytes(32),
    .Parks(Parks), .IdBits(IdBits), .Secded(Secded)
  ) i_type (
    .clk_i,
    .rst_ni,
    .req_valid_i(type_req_valid),
    .req_ready_o(type_req_ready),
    .req_write_i(type_req_write),
    .req_index_i(type_req_index),
    .req_data_i(type_req_data),
    .req_id_i(type_req_id),
    .rsp_valid_o(type_rsp_valid),
    .rsp_ready_i(type_rsp_ready),
    .rsp_data_o(type_rsp_data),
    .rsp_id_o(type_rsp_id),
    .rsp_missed_o(type_rsp_missed_unused),
    .mem_req_valid_o(type_mem_req_valid_o),
    .mem_req_ready_i(type_mem_req_ready_i),
    .mem_req_write_o(type_mem_req_write_o),
    .mem_req_sector_o(type_mem_req_sector_o),
    .mem_req_data_o(type_mem_req_data_o),
    .mem_rsp_valid_i(type_mem_rsp_valid_i),
    .mem_rsp_ready_o(type_mem_rsp_ready_o),
    .mem_rsp_sector_i(type_mem_rsp_sector_i),
    .mem_rsp_data_i(type_mem_rsp_data_i),
    .flip_i(flip_table_i == 3'd1 ? flip_i : 32'd0),
    .corrected_o(corrected_o[0]),
    .fatal_o(fatal_o[0]),
    .busy_o(type_busy)
  );
  metadata_cache #(
    .EntryBits(4), .IndexBits(LineBits), .Sets(MaskSets), .Ways(MaskWays), .LineBytes(128), .SectorBytes(32),
    .Parks(Parks), .IdBits(IdBits), .Secded(Secded)
  ) i_mask (
    .clk_i,
    .rst_ni,
    .req_valid_i(mask_req_valid),
    .req_ready_o(mask_req_ready),
    .req_write_i(mask_req_write),
    .req_index_i(mask_req_index),
    .req_data_i(mask_req_data),
    .req_id_i(mask_req_id),
    .rsp_valid_o(mask_rsp_valid),
    .rsp_ready_i(mask_rsp_ready),
    .rsp_data_o(mask_rsp_data),
    .rsp_id_o(mask_rsp_id),
    .rsp_missed_o(mask_rsp_missed_unused),
    .mem_req_valid_o(mask_mem_req_valid_o),
    .mem_req_ready_i(mask_mem_req_ready_i),
    .mem_req_write_o(mask_mem_req_write_o),
    .mem_req_sector_o(mask_mem_req_sector_o),
    .mem_req_data_o(mask_mem_req_data_o),
    .mem_rsp_valid_i(mask_mem_rsp_valid_i),
    .mem_rsp_ready_o(mask_mem_rsp_ready_o),
    .mem_rsp_sector_i(mask_mem_rsp_sector_i),
    .mem_rsp_data_i(mask_mem_rsp_data_i),
    .flip_i(flip_table_i == 3'd2 ? flip_i : 32'd0),
    .corrected_o(corrected_o[1]),
    .fatal_o(fatal_o[1]),
    .busy_o(mask_busy)
  );
  metadata_cache #(
    .EntryBits(32), .IndexBits(LineBits), .Sets(AddrSets), .Ways(AddrWays), .LineBytes(128), .SectorBytes(32),
    .Parks(Parks), .IdBits(IdBits), .Secded(Secded)
  ) i_addr (
    .clk_i,
    .rst_ni,
    .req_valid_i(addr_req_valid),
    .req_ready_o(addr_req_ready),
    .req_write_i(addr_req_write),
    .req_index_i(addr_req_index),
    .req_data_i(addr_req_data),
    .req_id_i(addr_req_id),
    .rsp_valid_o(addr_rsp_valid),
    .rsp_ready_i(addr_rsp_ready),
    .rsp_data_o(addr_rsp_data),
    .rsp_id_o(addr_rsp_id),
    .rsp_missed_o(addr_rsp_missed_unused),
    .mem_req_valid_o(addr_mem_req_valid_o),
    .mem_req_ready_i(addr_mem_req_ready_i),
    .mem_req_write_o(addr_mem_req_write_o),
    .mem_req_sector_o(addr_mem_req_sector_o),
    .mem_req_data_o(addr_mem_req_data_o),
    .mem_rsp_valid_i(addr_mem_rsp_valid_i),
    .mem_rsp_ready_o(addr_mem_rsp_ready_o),
    .mem_rsp_sector_i(addr_mem_rsp_sector_i),
    .mem_rsp_data_i(addr_mem_rsp_data_i),
    .flip_i(flip_table_i == 3'd3 ? flip_i : 32'd0),
    .corrected_o(corrected_o[2]),
    .fatal_o(fatal_o[2]),
    .busy_o(addr_busy)
  );
  metadata_cache #(
    .EntryBits(1), .IndexBits(LineBits), .Sets(LentSets), .Ways(LentWays), .LineBytes(128), .SectorBytes(32),
    .Parks(Parks), .IdBits(IdBits), .Secded(Secded)
  ) i_lent (
    .clk_i,
    .rst_ni,
    .req_valid_i(lent_req_valid),
    .req_ready_o(lent_req_ready),
    .req_write_i(lent_req_write),
    .req_index_i(lent_req_index),
    .req_data_i(lent_req_data),
    .req_id_i(lent_req_id),
    .rsp_valid_o(lent_rsp_valid),
    .rsp_ready_i(lent_rsp_ready),
    .rsp_data_o(lent_rsp_data),
    .rsp_id_o(lent_rsp_id),
    .rsp_missed_o(lent_rsp_missed_unused),
    .mem_req_valid_o(lent_mem_req_valid_o),
    .mem_req_ready_i(lent_mem_req_ready_i),
    .mem_req_write_o(lent_mem_req_write_o),
    .mem_req_sector_o(lent_mem_req_sector_o),
    .mem_req_data_o(lent_mem_req_data_o),
    .mem_rsp_valid_i(lent_mem_rsp_valid_i),
    .mem_rsp_ready_o(lent_mem_rsp_ready_o),
    .mem_rsp_sector_i(lent_mem_rsp_sector_i),
    .mem_rsp_data_i(lent_mem_rsp_data_i),
    .flip_i(flip_table_i == 3'd4 ? flip_i : 32'd0),
    .corrected_o(corrected_o[3]),
    .fatal_o(fatal_o[3]),
    .busy_o(lent_busy)
  );
  assign busy_o = dedup_busy || hash_busy || !store_ready || type_busy || mask_busy || addr_busy || lent_busy;
endmodule
`default_nettype wire
