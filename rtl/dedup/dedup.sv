// dedup: control of deduplication in one memory controller (CMD IV.A to IV.C; decisions C4 to C16).
// It keeps one copy of lines with equal content and redirects reads to that copy.
//
//   rd ──▶ dedup_read (contexts, forwarding) ──▶ l2      probe / probe_rsp: L2 slices
//            │      ▲ lookups, lock                      type, mask, addr, lent: metadata caches
//            ▼      ▼                                    hash: line hasher     store: hash store
//   wr ──▶ dedup_write_buffer ──▶ dedup_front ──▶ dedup_write ──▶ done
//            │                    prepares        commits
//            │                    many at a time  in order
//            └── dram: one ordered stream of home, slot, dedup and verify reads and of writes; dram_rsp answers
//                dedup and verify reads, in any order (the data of the other reads go to the L2 by tag)
//
// Words of this project (home, slot, lent, resident, reference, kept): sim_cpp/GLOSSARY.md.
//
// Metadata of a line:
//   type   00 untouched, 01 intra (all words equal), 10 mapped to another slot, 11 resident in its home slot
//   mask   sectors that were written; not looked at while the line is untouched
//   map    the word of an intra line, or the slot of a mapped line
//   lent   other lines use the home slot of a line that is not resident (an addition to the paper)
//
// A read of a sector goes home when the line is untouched or resident, or when the sector is not in the mask.
// Of an intra line it returns the word, of a mapped line the content of the slot.
//
//   latency     of a forwarded read 2 cycles to the L2 register, of a home read 4 + m to the DRAM register
//   throughput  one read per cycle, at most Contexts/8 (m = 3); intra replies every 2nd cycle, forwards every 3rd
//   context     held for 5 + m cycles by a home read, for 7 + 2m by a mapped or intra read
//   commit      5 cycles for an intra-duplicate, 8 for unique content, of a line that was untouched (dedup_write.sv)
//
// m is the latency of a metadata hit. All buffered writes are prepared side by side.
// A write accepted in the same cycle as a read of its line is not seen by that read.
// RegionBits: a filter of regions without mapped lines. Reads of such a region need no metadata (dedup_region.sv).
// Verify, DomainBits: the secure options (README.md, dedup_write.sv). With both off, this is the paper's design.
//
// ByteMasks: writes may bring sectors of which only some bytes are written; they go home with their masks and are not
// hashed (dedup_write.sv). cfg_pass_i: nor is a write of fewer than four sectors.
//
// cfg_* are static. The L2 never addresses the last cfg_spare_lines_i of cfg_total_lines_i lines. Their metadata start
// as type 01, mask 1111. Asserted: 0 < spare < total <= 2^LineBits.
// rd_mask_i and wr_mask_i are never 0. Every probe is answered once, with the id of the probe.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup #(
  parameter int unsigned LineBits      = 21,   // local line number
  parameter int unsigned IndexBits     = 11,   // hash-store index
  parameter int unsigned CountBits     = 16,   // hash-store count
  parameter int unsigned BufferEntries = 32,  // evicted lines that wait
  parameter int unsigned Contexts      = 16,  // reads in process
  parameter int unsigned FreeEntries   = 256,  // freed slots that are remembered
  parameter int unsigned TagBits       = 10,  // bits of a read's tag; BufferEntries must fit
  parameter int unsigned Lookups       = 8,    // writes whose metadata are looked up at a time; divides BufferEntries
  parameter int unsigned HashUnits     = 32,   // lines that the hasher works on at a time; digests come in order
  parameter int unsigned Verify        = 0,    // 1: can compare contents before sharing (cfg_verify_i)
  parameter int unsigned DomainBits    = 0,    // lines of two domains never share; 0: one domain
  parameter int unsigned RegionBits    = 0,    // lines of a region of the filter, log2; 0: no filter
  parameter int unsigned ByteMasks     = 0,    // 1: sectors may be written in part (wr_bytes_i)
  parameter int unsigned SectorBits    = 256,  // bits of a sector; less in proofs only
  parameter int unsigned IdBits        = $clog2(Contexts + Lookups + 2),  // follows
  parameter int unsigned LevelBits     = $clog2(BufferEntries + 1), // follows
  parameter int unsigned DomainWidth   = DomainBits > 0 ? DomainBits : 1, // follows
  parameter int unsigned Bytes         = SectorBits > 8 ? SectorBits / 2 : 4  // of a line; follows
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 cfg_car_i,  // copy a clean L2 sector of the reference instead of reading DRAM
  input  wire logic                 cfg_hash_i,  // find equal lines; low: intra-duplicates only
  input  wire logic                 cfg_verify_i,  // compare contents before sharing; needs Verify
  input  wire logic                 cfg_region_i,    // reads ask the region filter first; needs RegionBits
  input  wire logic                 cfg_pass_i,  // do not hash writes of fewer than four sectors; needs ByteMasks
  input  wire logic                 cfg_fresh_i,     // at a reset: metadata hold their initial image
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
  input  wire logic [Bytes-1:0]     wr_bytes_i,  // bytes of these sectors that are written; all without ByteMasks
  input  wire logic [4*SectorBits-1:0] wr_data_i,  // their data
  input  wire logic [DomainWidth-1:0] wr_domain_i,  // owner of the line; lines of two domains never share
  output logic                      l2_valid_o,  // a reply that needs no DRAM
  input  wire logic                 l2_ready_i,
  output logic [TagBits-1:0]        l2_tag_o,  // rd_tag_i of the read
  output logic [3:0]                l2_mask_o,  // sectors in this reply
  output logic [1:0]                l2_source_o,   // 0 forward, 1 intra, 2 copy
  output logic [4*SectorBits-1:0]   l2_data_o,     // sectors outside l2_mask_o: undefined
  output logic                      dram_valid_o,  // one ordered stream of reads and writes
  input  wire logic                 dram_ready_i,
  output logic [2:0]                dram_kind_o,   // 0 home read, 1 slot read, 2 dedup read, 3 write, 4 verify read
  output logic [LineBits-1:0]       dram_line_o,  // line number of the DRAM address
  output logic [3:0]                dram_mask_o,  // sectors
  output logic [TagBits-1:0]        dram_tag_o,    // home and slot reads: rd_tag; dedup reads: entry; verify reads, and
                                                 // dedup reads of a write that is not hashed: BufferEntries; writes: 0
  output logic [Bytes-1:0]          dram_bytes_o,  // writes: bytes of the masked sectors; else undefined
  output logic [4*SectorBits-1:0]   dram_data_o,   // writes: the masked sectors; else undefined
  input  wire logic                 dram_rsp_valid_i,  // data of dedup and verify reads, in any order
  output logic                      dram_rsp_ready_o,
  input  wire logic [TagBits-1:0]   dram_rsp_tag_i,  // dram_tag_o of the read
  input  wire logic [4*SectorBits-1:0] dram_rsp_data_i,  // its sectors
  output logic                      type_req_valid_o,  // request to the type cache
  input  wire logic                 type_req_ready_i,
  output logic                      type_req_write_o,  // replace the entry
  output logic [LineBits-1:0]       type_req_index_o,  // line number
  output logic [1:0]                type_req_data_o,  // new type
  output logic [IdBits-1:0]         type_req_id_o,  // returned with the answer (dedup_meta_port.sv)
  input  wire logic                 type_rsp_valid_i,
  output logic                      type_rsp_ready_o,
  input  wire logic [1:0]           type_rsp_data_i,  // type
  input  wire logic [IdBits-1:0]    type_rsp_id_i,  // type_req_id_o of the request
  output logic                      mask_req_valid_o,  // request to the mask cache
  input  wire logic                 mask_req_ready_i,
  output logic                      mask_req_write_o,  // replace the entry
  output logic [LineBits-1:0]       mask_req_index_o,  // line number
  output logic [3:0]                mask_req_data_o,  // new mask of written sectors
  output logic [IdBits-1:0]         mask_req_id_o,  // returned with the answer (dedup_meta_port.sv)
  input  wire logic                 mask_rsp_valid_i,
  output logic                      mask_rsp_ready_o,
  input  wire logic [3:0]           mask_rsp_data_i,  // mask of written sectors
  input  wire logic [IdBits-1:0]    mask_rsp_id_i,  // mask_req_id_o of the request
  output logic                      addr_req_valid_o,  // request to the address-map cache
  input  wire logic                 addr_req_ready_i,
  output logic                      addr_req_write_o,  // replace the entry
  output logic [LineBits-1:0]       addr_req_index_o,  // line number
  output logic [31:0]                addr_req_data_o,  // new word of an intra line, or slot of a mapped line
  output logic [IdBits-1:0]         addr_req_id_o,  // returned with the answer (dedup_meta_port.sv)
  input  wire logic                 addr_rsp_valid_i,
  output logic                      addr_rsp_ready_o,
  input  wire logic [31:0]           addr_rsp_data_i,  // word of an intra line, or slot of a mapped line
  input  wire logic [IdBits-1:0]    addr_rsp_id_i,  // addr_req_id_o of the request
  output logic                      lent_req_valid_o,  // request to the lent cache
  input  wire logic                 lent_req_ready_i,
  output logic                      lent_req_write_o,  // replace the entry
  output logic [LineBits-1:0]       lent_req_index_o,  // line number
  output logic                      lent_req_data_o,  // new lent flag
  output logic [IdBits-1:0]         lent_req_id_o,  // returned with the answer (dedup_meta_port.sv)
  input  wire logic                 lent_rsp_valid_i,
  output logic                      lent_rsp_ready_o,
  input  wire logic                 lent_rsp_data_i,  // lent flag
  input  wire logic [IdBits-1:0]    lent_rsp_id_i,  // lent_req_id_o of the request
  output logic                      hash_valid_o,  // a line for the hasher
  input  wire logic                 hash_ready_i,
  output logic [3:0]                hash_mask_o,  // sectors to hash
  output logic [4*SectorBits-1:0]   hash_data_o,   // sectors outside hash_mask_o: undefined
  input  wire logic                 hash_rsp_valid_i,  // digests, in the order of the lines
  output logic                      hash_rsp_ready_o,
  input  wire logic [127:0]         hash_rsp_digest_i,  // digest of the oldest line
  output logic                      store_valid_o,  // request to hash_store.sv
  input  wire logic                 store_ready_i,
  output logic [2:0]                store_op_o,  // operation
  output logic [127+DomainBits:0]   store_hash_o,  // {domain, fingerprint}
  output logic [LineBits-1:0]       store_ref_o,  // reference line
  output logic [IndexBits-1:0]      store_index_o,  // INCREMENT: the entry
  input  wire logic                 store_rsp_valid_i,
  output logic                      store_rsp_ready_o,
  input  wire logic                 store_rsp_hit_i,  // the entry was found
  input  wire logic [IndexBits-1:0] store_rsp_index_i,  // the entry
  input  wire logic [LineBits-1:0]  store_rsp_ref_i,  // its reference line
  input  wire logic [CountBits-1:0] store_rsp_count_i,  // its count
  input  wire logic                 store_rsp_ok_i,  // the operation was done
  input  wire logic                 store_rsp_evicted_i,  // an entry was replaced
  output logic                      probe_valid_o,  // probe of the L2 for a reference line
  input  wire logic                 probe_ready_i,
  output logic [LineBits-1:0]       probe_line_o,  // the reference line
  output logic [3:0]                probe_mask_o,  // sectors needed
  output logic [IdBits-1:0]         probe_id_o,  // context number; commit: Contexts
  input  wire logic                 probe_rsp_valid_i,  // one answer per probe
  output logic                      probe_rsp_ready_o,
  input  wire logic [IdBits-1:0]    probe_rsp_id_i,  // probe_id_o of the probe
  input  wire logic [3:0]           probe_rsp_mask_i,  // sectors that are valid and clean in the L2
  input  wire logic [4*SectorBits-1:0] probe_rsp_data_i,  // their data
  output logic                      done_valid_o,  // one cycle per write; there is no back-pressure
  output logic [LineBits-1:0]       done_line_o,  // line of the write
  output logic [2:0]                done_outcome_o, // 0 intra 1 inter 2 home 3 in place 4 kept 5 borrowed 6 silent
  output logic [7:0]                done_flags_o,   // 0 no entry 1 saturated 2 partial limit 3 entry evicted 4 scanned
                                                    // 5 verified 6 collision 7 passed
  output logic [3:0]                done_read_o,    // sectors fetched by dedup reads
  output logic [3:0]                done_verify_o,  // sectors fetched by a verify read
  output logic [3:0]                done_written_o, // sectors written to DRAM
  output logic [LevelBits-1:0]      level_o,        // lines in the write buffer
  output logic                      busy_o          // low: nothing changes until rd or wr brings something
);
  if (Contexts == 0 || BufferEntries == 0 || FreeEntries == 0 || TagBits == 0 || IndexBits == 0) begin : g_bad_size
    $error("dedup: every size must be at least 1");
  end
  if (IdBits != $clog2(Contexts + Lookups + 2) || LevelBits != $clog2(BufferEntries + 1) ||
      DomainWidth != (DomainBits > 0 ? DomainBits : 1) || Bytes != (SectorBits > 8 ? SectorBits / 2 : 4)) begin : g_bad_derived
    $error("dedup: IdBits, LevelBits, DomainWidth and Bytes follow and must not be overridden");
  end
  if (Verify > 1 || ByteMasks > 1) begin : g_bad_switch
    $error("dedup: Verify and ByteMasks must be 0 or 1");
  end
  if (RegionBits >= LineBits) begin : g_bad_region
    $error("dedup: RegionBits must be less than LineBits");
  end
  if (BufferEntries >= 2 ** TagBits) begin : g_bad_tag
    $error("dedup: the tag of a verify read, BufferEntries, must fit TagBits");
  end
  localparam int unsigned PtrBits  = BufferEntries > 1 ? $clog2(BufferEntries) : 1;
  localparam int unsigned CommitId = Contexts + Lookups;

  // Write buffer.
  logic [3:0]           forward, head_mask, fill_mask;
  logic [PtrBits-1:0]   forward_entry, head, bank_entry, next, fill_entry;
  logic                 in_process, probed_in_buffer, ref_in_buffer, bank_re, take, drop, conflict;
  logic                 load, load_ok, commit_load, front_load, front_hold, fill_turn, fill_we, next_valid, next_blocked;
  logic [LineBits-1:0]  head_line, line, probed_line, type_pick_line;
  logic [LevelBits-1:0] level;
  logic [4*SectorBits-1:0] bank_data, fill_data;
  logic [DomainWidth-1:0] head_domain;
  logic [BufferEntries*LineBits-1:0] lines;
  logic [BufferEntries*4-1:0]        masks, somes;
  logic [3:0]           head_some;
  logic [Bytes-1:0]     bank_bytes;
  logic                 wr_close, rd_some;
  dedup_write_buffer #(
    .LineBits(LineBits), .Entries(BufferEntries), .ByteMasks(ByteMasks != 0), .DomainBits(DomainBits),
    .SectorBits(SectorBits)
  ) i_buffer (
    .clk_i,
    .rst_ni,
    .wr_valid_i,
    .wr_ready_o,
    .wr_line_i,
    .wr_mask_i,
    .wr_bytes_i,
    .wr_data_i,
    .wr_domain_i,
    .wr_close_i(wr_close),
    .rd_line_i,
    .rd_mask_i,
    .rd_forward_o(forward),
    .rd_entry_o(forward_entry),
    .rd_in_process_o(in_process),
    .rd_some_o(rd_some),
    .ref_a_i(probed_line),
    .ref_a_hit_o(probed_in_buffer),
    .ref_b_i(type_pick_line),
    .ref_b_hit_o(ref_in_buffer),
    .bank_re_i(bank_re),
    .bank_entry_i(bank_entry),
    .bank_data_o(bank_data),
    .bank_bytes_o(bank_bytes),
    .fill_turn_i(fill_turn),
    .fill_we_i(fill_we),
    .fill_entry_i(fill_entry),
    .fill_mask_i(fill_mask),
    .fill_data_i(fill_data),
    .lines_o(lines),
    .masks_o(masks),
    .some_o(somes),
    .head_some_o(head_some),
    .count_o(level),
    .head_o(head),
    .head_line_o(head_line),
    .head_mask_o(head_mask),
    .head_domain_o(head_domain),
    .next_o(next),
    .next_valid_o(next_valid),
    .next_blocked_o(next_in_process),
    .next_line_o(next_line),
    .take_i(take),
    .drop_i(drop)
  );

  // One event of a line is out before the next write of the line is looked at, so that events can be told apart.
  logic                next_in_process, event_wait;
  logic [LineBits-1:0] next_line;
  assign next_blocked = next_in_process || (event_wait && next_line == done_line_o);

  // Preparation.
  logic [2:0]          front_want, front_grant;
  logic [LineBits-1:0] ask_line, map_line, front_dram_line;
  logic [IdBits-1:0]   ask_id, map_id;
  logic                front_dram_want, front_dram_grant, verify_wait, ready, commit, head_intra, head_hashed, head_pass;
  logic [3:0]          front_dram_mask, head_old_mask;
  logic [PtrBits-1:0]  front_dram_entry, front_entry;
  logic [1:0]          head_type;
  logic [31:0]         map;
  logic [127:0]        result;
  dedup_front #(
    .LineBits(LineBits), .Entries(BufferEntries), .Lookups(Lookups), .HashUnits(HashUnits), .FirstId(Contexts),
    .IdBits(IdBits), .TagBits(TagBits), .LevelBits(LevelBits), .ByteMasks(ByteMasks != 0),
    .SectorBits(SectorBits)
  ) i_front (
    .clk_i,
    .rst_ni,
    .cfg_hash_i,
    .cfg_bypass_level_i,
    .cfg_pass_i,
    .count_i(level),
    .lines_i(lines),
    .masks_i(masks),
    .some_i(somes),
    .head_i(head),
    .next_i(next),
    .next_valid_i(next_valid),
    .next_blocked_i(next_blocked),
    .take_o(take),
    .fill_turn_o(fill_turn),
    .fill_we_o(fill_we),
    .fill_entry_o(fill_entry),
    .fill_mask_o(fill_mask),
    .fill_data_o(fill_data),
    .load_want_o(front_load),
    .load_entry_o(front_entry),
    .load_ok_i(load_ok && !commit_load),
    .hold_o(front_hold),
    .bank_data_i(bank_data),
    .meta_want_o(front_want),
    .ask_line_o(ask_line),
    .ask_id_o(ask_id),
    .map_line_o(map_line),
    .map_id_o(map_id),
    .meta_grant_i(front_grant),
    .type_rsp_valid_i,
    .type_rsp_data_i,
    .type_rsp_id_i,
    .mask_rsp_valid_i,
    .mask_rsp_data_i,
    .mask_rsp_id_i,
    .addr_rsp_valid_i,
    .addr_rsp_data_i,
    .addr_rsp_id_i,
    .read_want_o(front_dram_want),
    .read_line_o(front_dram_line),
    .read_mask_o(front_dram_mask),
    .read_entry_o(front_dram_entry),
    .read_grant_i(front_dram_grant),
    .verify_wait_i(verify_wait),
    .dram_rsp_valid_i,
    .dram_rsp_ready_o,
    .dram_rsp_tag_i,
    .dram_rsp_data_i,
    .hash_valid_o,
    .hash_ready_i,
    .hash_mask_o,
    .hash_rsp_valid_i,
    .hash_rsp_ready_o,
    .hash_rsp_digest_i,
    .ready_o(ready),
    .commit_i(commit),
    .type_o(head_type),
    .old_mask_o(head_old_mask),
    .intra_o(head_intra),
    .hashed_o(head_hashed),
    .pass_o(head_pass),
    .map_o(map),
    .result_o(result),
    .drop_i(drop)
  );
  assign hash_data_o = bank_data;
  assign load        = commit_load || front_load;

  // Reads.
  logic [Contexts-1:0]          type_want, type_of_ref, type_grant, mask_want, mask_grant, addr_want, addr_grant;
  logic [Contexts-1:0]          dram_want, dram_slot, dram_grant;
  logic [Contexts*LineBits-1:0] type_line, ctx_line, dram_line;
  logic [Contexts*4-1:0]        dram_mask;
  logic [Contexts*TagBits-1:0]  dram_tag;
  logic                         type_deny, read_busy, seq_probe_want, seq_probe_grant, seq_probe_rsp;
  logic [LineBits-1:0]          seq_probe_line;
  logic [3:0]                   seq_probe_mask, seq_probe_hit;
  dedup_read #(
    .LineBits(LineBits), .Contexts(Contexts), .TagBits(TagBits), .BufferPtrBits(PtrBits), .Verify(Verify != 0),
    .RegionBits(RegionBits), .SectorBits(SectorBits), .IdBits(IdBits)
  ) i_read (
    .clk_i,
    .rst_ni,
    .cfg_car_i,
    .cfg_region_i,
    .rd_valid_i,
    .rd_ready_o,
    .busy_o(read_busy),
    .rd_line_i,
    .rd_mask_i,
    .rd_tag_i,
    .l2_valid_o,
    .l2_ready_i,
    .l2_tag_o,
    .l2_mask_o,
    .l2_source_o,
    .l2_data_o,
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
    .forward_i(forward),
    .forward_entry_i(forward_entry),
    .in_process_i(in_process),
    .some_i(rd_some),
    .take_i(take),
    .take_line_i(next_line),
    .wr_close_o(wr_close),
    .region_read_o(region_read),
    .region_maybe_i(region_maybe),
    .region_busy_i(region_busy),
    .probed_line_o(probed_line),
    .probed_in_buffer_i(probed_in_buffer),
    .bank_re_o(bank_re),
    .bank_entry_o(bank_entry),
    .bank_data_i(bank_data),
    .load_i(load),
    .load_hold_i(front_hold),
    .load_entry_i(commit_load ? head : front_entry),
    .load_ok_o(load_ok),
    .release_i(drop),
    .lock_line_i(line),
    .conflict_o(conflict),
    .seq_probe_want_i(seq_probe_want),
    .seq_probe_line_i(seq_probe_line),
    .seq_probe_mask_i(seq_probe_mask),
    .seq_probe_grant_o(seq_probe_grant),
    .seq_probe_rsp_o(seq_probe_rsp),
    .seq_probe_hit_o(seq_probe_hit),
    .type_want_o(type_want),
    .type_of_ref_o(type_of_ref),
    .type_line_o(type_line),
    .type_grant_i(type_grant),
    .type_deny_i(type_deny),
    .type_rsp_valid_i,
    .type_rsp_data_i,
    .type_rsp_id_i,
    .mask_want_o(mask_want),
    .line_o(ctx_line),
    .mask_grant_i(mask_grant),
    .mask_rsp_valid_i,
    .mask_rsp_data_i,
    .mask_rsp_id_i,
    .addr_want_o(addr_want),
    .addr_grant_i(addr_grant),
    .addr_rsp_valid_i,
    .addr_rsp_data_i,
    .addr_rsp_id_i,
    .dram_want_o(dram_want),
    .dram_slot_o(dram_slot),
    .dram_line_o(dram_line),
    .dram_mask_o(dram_mask),
    .dram_tag_o(dram_tag),
    .dram_grant_i(dram_grant)
  );

  // Region filter.
  logic region_read, region_maybe, region_set, region_ack, region_busy, region_clearing;
  if (RegionBits > 0) begin : g_region
    dedup_region #(.NumberBits(LineBits - RegionBits)) i_region (
      .clk_i,
      .rst_ni,
      .cfg_fresh_i,
      .read_i(region_read),
      .read_number_i(rd_line_i[LineBits-1:RegionBits]),
      .maybe_o(region_maybe),
      .set_i(region_set),
      .set_number_i(line[LineBits-1:RegionBits]),
      .set_ack_o(region_ack),
      .busy_o(region_busy),
      .clearing_o(region_clearing)
    );
  end else begin : g_no_region
    assign region_maybe    = 1'b1;
    assign region_ack      = 1'b1;
    assign region_busy     = 1'b0;
    assign region_clearing = 1'b0;
    wire unused_region = &{region_read, region_set};
  end

  // Commits.
  logic                slots_clearing;
  logic [3:0]          seq_want, seq_write, seq_grant, seq_rsp;
  logic [LineBits-1:0] seq_index, seq_dram_line;
  logic [1:0]          seq_type;
  logic [3:0]          seq_mask, seq_dram_mask;
  logic [31:0]         seq_addr;
  logic                seq_lent, seq_dram_want, seq_dram_write, seq_dram_old, seq_dram_grant, seq_dram_taken, seq_plain;
  logic [Bytes-1:0]    seq_bytes;
  assign seq_rsp = {
    lent_rsp_valid_i && lent_rsp_id_i == IdBits'(CommitId), addr_rsp_valid_i && addr_rsp_id_i == IdBits'(CommitId),
    mask_rsp_valid_i && mask_rsp_id_i == IdBits'(CommitId), type_rsp_valid_i && type_rsp_id_i == IdBits'(CommitId)
  };
  dedup_write #(
    .LineBits(LineBits), .IndexBits(IndexBits), .CountBits(CountBits), .FreeEntries(FreeEntries),
    .VerifyTag(BufferEntries), .TagBits(TagBits), .Verify(Verify != 0), .ByteMasks(ByteMasks != 0),
    .DomainBits(DomainBits), .RegionBits(RegionBits), .SectorBits(SectorBits)
  ) i_write (
    .clk_i,
    .rst_ni,
    .cfg_car_i,
    .cfg_verify_i,
    .cfg_region_i,
    .cfg_fresh_i,
    .region_set_o(region_set),
    .region_ack_i(region_ack),
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .ready_i(ready),
    .commit_o(commit),
    .head_line_i(head_line),
    .head_mask_i(head_mask),
    .head_domain_i(head_domain),
    .head_type_i(head_type),
    .head_old_mask_i(head_old_mask),
    .head_intra_i(head_intra),
    .head_hashed_i(head_hashed),
    .head_pass_i(head_pass),
    .head_some_i(head_some),
    .bank_bytes_i(bank_bytes),
    .dram_old_o(seq_dram_old),
    .dram_plain_o(seq_plain),
    .bytes_o(seq_bytes),
    .map_i(map),
    .result_i(result),
    .drop_o(drop),
    .load_o(commit_load),
    .load_ok_i(load_ok && commit_load),
    .bank_data_i(bank_data),
    .conflict_i(conflict),
    .line_o(line),
    .meta_want_o(seq_want),
    .meta_write_o(seq_write),
    .meta_index_o(seq_index),
    .type_data_o(seq_type),
    .mask_data_o(seq_mask),
    .addr_data_o(seq_addr),
    .lent_data_o(seq_lent),
    .meta_grant_i(seq_grant),
    .meta_rsp_i(seq_rsp),
    .type_rsp_i(type_rsp_data_i),
    .mask_rsp_i(mask_rsp_data_i),
    .lent_rsp_i(lent_rsp_data_i),
    .dram_want_o(seq_dram_want),
    .dram_write_o(seq_dram_write),
    .dram_line_o(seq_dram_line),
    .dram_mask_o(seq_dram_mask),
    .data_o(dram_data_o),
    .dram_grant_i(seq_dram_grant),
    .dram_taken_i(seq_dram_taken),
    .verify_wait_o(verify_wait),
    .dram_rsp_fire_i(dram_rsp_valid_i && dram_rsp_ready_o),
    .dram_rsp_tag_i,
    .dram_rsp_data_i,
    .store_valid_o,
    .store_ready_i,
    .store_op_o,
    .store_hash_o,
    .store_ref_o,
    .store_index_o,
    .store_rsp_valid_i,
    .store_rsp_ready_o,
    .store_rsp_hit_i,
    .store_rsp_index_i,
    .store_rsp_ref_i,
    .store_rsp_count_i,
    .store_rsp_ok_i,
    .store_rsp_evicted_i,
    .probe_want_o(seq_probe_want),
    .probe_line_o(seq_probe_line),
    .probe_mask_o(seq_probe_mask),
    .probe_grant_i(seq_probe_grant),
    .probe_rsp_i(seq_probe_rsp),
    .probe_hit_i(seq_probe_hit),
    .probe_data_i(probe_rsp_data_i),
    .clearing_o(slots_clearing),
    .event_wait_o(event_wait),
    .done_valid_o,
    .done_line_o,
    .done_outcome_o,
    .done_flags_o,
    .done_read_o,
    .done_verify_o,
    .done_written_o
  );

  // Metadata ports. A lookup of type[R] is rejected while R waits in the write buffer: its L2 copy may be newer.
  localparam int unsigned PickBits = $clog2(Contexts + 2);
  logic [PickBits-1:0] type_pick;
  always_comb begin
    type_deny = 1'b0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      if (type_pick == PickBits'(c) && type_of_ref[c] && ref_in_buffer) type_deny = 1'b1;
    end
  end
  dedup_meta_port #(
    .Contexts(Contexts), .LineBits(LineBits), .DataBits(2), .IdBits(IdBits), .CommitId(CommitId)
  ) i_type (
    .clk_i,
    .rst_ni,
    .want_i(type_want),
    .index_i(type_line),
    .deny_i(type_deny),
    .grant_o(type_grant),
    .pick_index_o(type_pick_line),
    .pick_o(type_pick),
    .front_want_i(front_want[0]),
    .front_index_i(ask_line),
    .front_id_i(ask_id),
    .front_grant_o(front_grant[0]),
    .seq_want_i(seq_want[0]),
    .seq_write_i(seq_write[0]),
    .seq_index_i(seq_index),
    .seq_data_i(seq_type),
    .seq_grant_o(seq_grant[0]),
    .req_valid_o(type_req_valid_o),
    .req_ready_i(type_req_ready_i),
    .req_write_o(type_req_write_o),
    .req_index_o(type_req_index_o),
    .req_data_o(type_req_data_o),
    .req_id_o(type_req_id_o)
  );
  assign type_rsp_ready_o = 1'b1;  // only the type port's pick is looked at: the others leave it open
  // verilator lint_off PINCONNECTEMPTY
  dedup_meta_port #(
    .Contexts(Contexts), .LineBits(LineBits), .DataBits(4), .IdBits(IdBits), .CommitId(CommitId)
  ) i_mask (
    .clk_i,
    .rst_ni,
    .want_i(mask_want),
    .index_i(ctx_line),
    .deny_i(1'b0),
    .grant_o(mask_grant),
    .pick_index_o(),
    .pick_o(),
    .front_want_i(front_want[1]),
    .front_index_i(ask_line),
    .front_id_i(ask_id),
    .front_grant_o(front_grant[1]),
    .seq_want_i(seq_want[1]),
    .seq_write_i(seq_write[1]),
    .seq_index_i(seq_index),
    .seq_data_i(seq_mask),
    .seq_grant_o(seq_grant[1]),
    .req_valid_o(mask_req_valid_o),
    .req_ready_i(mask_req_ready_i),
    .req_write_o(mask_req_write_o),
    .req_index_o(mask_req_index_o),
    .req_data_o(mask_req_data_o),
    .req_id_o(mask_req_id_o)
  );
  assign mask_rsp_ready_o = 1'b1;
  dedup_meta_port #(
    .Contexts(Contexts), .LineBits(LineBits), .DataBits(32), .IdBits(IdBits), .CommitId(CommitId)
  ) i_addr (
    .clk_i,
    .rst_ni,
    .want_i(addr_want),
    .index_i(ctx_line),
    .deny_i(1'b0),
    .grant_o(addr_grant),
    .pick_index_o(),
    .pick_o(),
    .front_want_i(front_want[2]),
    .front_index_i(map_line),
    .front_id_i(map_id),
    .front_grant_o(front_grant[2]),
    .seq_want_i(seq_want[2]),
    .seq_write_i(seq_write[2]),
    .seq_index_i(seq_index),
    .seq_data_i(seq_addr),
    .seq_grant_o(seq_grant[2]),
    .req_valid_o(addr_req_valid_o),
    .req_ready_i(addr_req_ready_i),
    .req_write_o(addr_req_write_o),
    .req_index_o(addr_req_index_o),
    .req_data_o(addr_req_data_o),
    .req_id_o(addr_req_id_o)
  );
  assign addr_rsp_ready_o = 1'b1;
  dedup_meta_port #(
    .Contexts(Contexts), .LineBits(LineBits), .DataBits(1), .IdBits(IdBits), .CommitId(CommitId)
  ) i_lent (
    .clk_i,
    .rst_ni,
    .want_i('0),
    .index_i('0),
    .deny_i(1'b0),
    .grant_o(),
    .pick_index_o(),
    .pick_o(),
    .front_want_i(1'b0),
    .front_index_i('0),
    .front_id_i('0),
    .front_grant_o(),
    .seq_want_i(seq_want[3]),
    .seq_write_i(seq_write[3]),
    .seq_index_i(seq_index),
    .seq_data_i(seq_lent),
    .seq_grant_o(seq_grant[3]),
    .req_valid_o(lent_req_valid_o),
    .req_ready_i(lent_req_ready_i),
    .req_write_o(lent_req_write_o),
    .req_index_o(lent_req_index_o),
    .req_data_o(lent_req_data_o),
    .req_id_o(lent_req_id_o)
  );
  assign lent_rsp_ready_o = 1'b1;
  // verilator lint_on PINCONNECTEMPTY

  assign level_o = level;
  assign busy_o = region_clearing || slots_clearing || read_busy || level != '0 || done_valid_o || dram_valid_o || type_req_valid_o || mask_req_valid_o ||
                  addr_req_valid_o || lent_req_valid_o;

  // DRAM stream: the header is registered, the data stay in dedup_write until a write is taken.
  logic                dram_free, dram_any, dram_seq_q;
  logic [PickBits-1:0] dram_pick;
  assign dram_free      = !dram_valid_o || dram_ready_i;
  assign seq_dram_taken = dram_valid_o && dram_ready_i && dram_seq_q;
  dedup_pick #(.N(Contexts + 2)) i_dram_pick (
    .clk_i,
    .rst_ni,
    .want_i({seq_dram_want, front_dram_want, dram_want}),
    .take_i(dram_free),
    .any_o(dram_any),
    .index_o(dram_pick),
    .grant_o({seq_dram_grant, front_dram_grant, dram_grant})
  );
  // The bytes stay with the data. Whether they count is known with the header: the next commit may be another one.
  if (ByteMasks != 0) begin : g_bytes
    logic plain_q;
    always_ff @(posedge clk_i) if (dram_free) plain_q <= seq_plain;
    assign dram_bytes_o = plain_q ? seq_bytes : '1;
  end else begin : g_all_bytes
    assign dram_bytes_o = '1;
    wire unused_bytes = &{seq_bytes, seq_plain};
  end
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) dram_valid_o <= 1'b0;
    else if (dram_free) dram_valid_o <= dram_any;
  end
  always_ff @(posedge clk_i) begin
    if (dram_free) begin
      dram_seq_q  <= dram_pick == PickBits'(Contexts + 1) && seq_dram_write;
      dram_kind_o <= seq_dram_write ? 3'd3 : seq_dram_old ? 3'd2 : 3'd4;
      dram_line_o <= seq_dram_line;
      dram_mask_o <= seq_dram_mask;
      dram_tag_o  <= seq_dram_write ? '0 : TagBits'(BufferEntries);
      if (dram_pick == PickBits'(Contexts)) begin
        dram_kind_o <= 3'd2;
        dram_line_o <= front_dram_line;
        dram_mask_o <= front_dram_mask;
        dram_tag_o  <= TagBits'(front_dram_entry);
      end
      for (int unsigned c = 0; c < Contexts; c++) begin
        if (dram_pick == PickBits'(c)) begin
          dram_kind_o <= {2'b00, dram_slot[c]};
          dram_line_o <= dram_line[c*LineBits +: LineBits];
          dram_mask_o <= dram_mask[c*4 +: 4];
          dram_tag_o  <= dram_tag[c*TagBits +: TagBits];
        end
      end
    end
  end

`ifndef SYNTHESIS
  stream_check #(.Width(3 + LineBits + 4 + TagBits + Bytes + 4 * SectorBits)) i_dram_check (
    .clk_i,
    .rst_ni,
    .valid_i(dram_valid_o),
    .ready_i(dram_ready_i),
    .data_i({dram_kind_o, dram_line_o, dram_mask_o, dram_tag_o, dram_kind_o == 3'd3 ? {dram_bytes_o, dram_data_o} : '0})
  );
  stream_check #(.Width(3 + 128 + DomainBits + LineBits + IndexBits)) i_store_check (
    .clk_i,
    .rst_ni,
    .valid_i(store_valid_o),
    .ready_i(store_ready_i),
    .data_i({store_op_o, store_hash_o, store_ref_o, store_index_o})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_spare_lines:       assert (cfg_spare_lines_i != '0 && cfg_spare_lines_i < cfg_total_lines_i);
    a_lines_fit:         assert (cfg_total_lines_i <= {1'b1, {LineBits{1'b0}}});
    c_deny:              cover (type_deny && type_grant != '0);
    c_lock_waits:        cover (conflict);
  end
`endif
`ifdef FORMAL_DEDUP
  `include "dedup_props.svh"
`endif
endmodule
`default_nettype wire
