// dedup: what lies between its parts keeps what it promises them, with the parts free (stub=). Picks and metadata ports
// grant what is wanted. Answers of caches and DRAM come to the part that asked, by id and tag. The DRAM stream keeps
// the stream rule (stream_check). Of the parts it assumes what they assert under the same names.
  `include "reset.svh"
  `include "answer_rule.svh"
  `include "stream_rule.svh"
  `include "port_rule.svh"
  `include "dedup_read_contract.svh"
  always_comb m_space: assume (cfg_spare_lines_i != '0 && cfg_spare_lines_i < cfg_total_lines_i &&
                               cfg_total_lines_i <= {1'b1, {LineBits{1'b0}}});
  (* anyconst *) logic [PickBits-1:0] f_c;  // any context
  (* anyconst *) logic [PickBits-1:0] f_l;  // any id of the preparation
  (* anyconst *) logic [PtrBits-1:0]  f_e;  // any entry
  localparam int unsigned FFirst = Contexts, FCommit = CommitId, FVerify = BufferEntries;
  logic [31:0] f_id;
  assign f_id = Contexts + 32'(f_l);
  always_comb m_any: assume (32'(f_c) < Contexts && 32'(f_l) < Lookups && 32'(f_e) < BufferEntries);
  // Each cache answers what it took, by id (formal/metadata_cache): of a context, of the preparation, of the commit.
  // f_<kind>: in the register on its way to the cache, as bits {commit, preparation, context}.
`define CACHE_RULES(kind) \
  `ANSWER_RULE(kind``_of_context, assume, \
               kind``_req_valid_o && kind``_req_ready_i && 32'(kind``_req_id_o) == 32'(f_c), \
               kind``_rsp_valid_i && 32'(kind``_rsp_id_i) == 32'(f_c), kind``_rsp_ready_o) \
  `ANSWER_RULE(kind``_of_front, assume, kind``_req_valid_o && kind``_req_ready_i && 32'(kind``_req_id_o) == f_id, \
               kind``_rsp_valid_i && 32'(kind``_rsp_id_i) == f_id, kind``_rsp_ready_o) \
  `ANSWER_RULE(kind``_of_commit, assume, kind``_req_valid_o && kind``_req_ready_i && 32'(kind``_req_id_o) == FCommit, \
               kind``_rsp_valid_i && 32'(kind``_rsp_id_i) == FCommit, kind``_rsp_ready_o) \
  logic [2:0] f_``kind; \
  assign f_``kind = {3{kind``_req_valid_o}} & {32'(kind``_req_id_o) == FCommit, 32'(kind``_req_id_o) == f_id, \
                                               32'(kind``_req_id_o) == 32'(f_c)};
  `CACHE_RULES(type)
  `CACHE_RULES(mask)
  `CACHE_RULES(addr)
  `CACHE_RULES(lent)
`undef CACHE_RULES
  // The DRAM answers dedup and verify reads, by tag: of the preparation, of the commit.
  logic f_dram_read;
  assign f_dram_read = dram_valid_o && (dram_kind_o == 3'd2 || dram_kind_o == 3'd4);
  `ANSWER_RULE(dram_of_front, assume, f_dram_read && dram_ready_i && 32'(dram_tag_o) == 32'(f_e),
               dram_rsp_valid_i && 32'(dram_rsp_tag_i) == 32'(f_e), dram_rsp_ready_o)
  `ANSWER_RULE(dram_of_commit, assume, f_dram_read && dram_ready_i && 32'(dram_tag_o) == FVerify,
               dram_rsp_valid_i && 32'(dram_rsp_tag_i) == FVerify, dram_rsp_ready_o)
  // dedup_read
  logic f_type_rsp;
`ifdef PLANT_DEDUP_ANSWERS_ALL
  assign f_type_rsp = type_rsp_valid_i;  // planted bug: an answer goes to every context
`else
  assign f_type_rsp = type_rsp_valid_i && 32'(type_rsp_id_i) == 32'(f_c);
`endif
  `PORT_RULE(type_port, assert, assume, 1, type_want[f_c], type_grant[f_c], type_deny, f_type_rsp)
  `PORT_RULE(mask_port, assert, assume, 1, mask_want[f_c], mask_grant[f_c], 1'b0,
             mask_rsp_valid_i && 32'(mask_rsp_id_i) == 32'(f_c))
  `PORT_RULE(addr_port, assert, assume, 1, addr_want[f_c], addr_grant[f_c], 1'b0,
             addr_rsp_valid_i && 32'(addr_rsp_id_i) == 32'(f_c))
  logic f_deny;
`ifdef PLANT_DEDUP_DENIES_ALL
  assign f_deny = ref_in_buffer;  // planted bug: what is looked up is not asked
`else
  assign f_deny = type_deny;
`endif
  `DENY_RULE(deny, assert, type_grant, {Contexts{f_deny}}, type_of_ref)
  `GRANT_RULE(dram_reads, assert, dram_want, dram_grant)
  `LOAD_RULE(load, assume, load_ok, load)
  // dedup_front
  logic f_ask, f_ask_map, f_read;
  assign f_ask     = 32'(ask_id) == f_id;
  assign f_ask_map = 32'(map_id) == f_id;
  assign f_read    = 32'(front_dram_entry) == 32'(f_e);
  `PORT_RULE(front_type, assert, assume, 1, f_ask && front_want[0], f_ask && front_grant[0], 1'b0,
             type_rsp_valid_i && 32'(type_rsp_id_i) == f_id)
  `PORT_RULE(front_mask, assert, assume, 1, f_ask && front_want[1], f_ask && front_grant[1], 1'b0,
             mask_rsp_valid_i && 32'(mask_rsp_id_i) == f_id)
  `PORT_RULE(front_map, assert, assume, 1, f_ask_map && front_want[2], f_ask_map && front_grant[2], 1'b0,
             addr_rsp_valid_i && 32'(addr_rsp_id_i) == f_id)
  `PORT_RULE(front_read, assert, assume, 1, f_read && front_dram_want, f_read && front_dram_grant, 1'b0,
             dram_rsp_valid_i && dram_rsp_ready_o && 32'(dram_rsp_tag_i) == 32'(f_e))
  `RANGE_RULE(ask_range, assume, front_want[1:0] != '0, ask_id, FFirst, Lookups)
  `RANGE_RULE(map_range, assume, front_want[2], map_id, FFirst, Lookups)
  `RANGE_RULE(read_range, assume, front_dram_want, front_dram_entry, 0, BufferEntries)
  `LOAD_RULE(load_front, assert, load_ok && !commit_load, front_load)
  `include "dedup_banks_contract.svh"
  `HOLD_RULE(hold, assume, bank_re, front_hold)
  `BANKS_RULE(banks, assume, 1024, !bank_re, bank_data)
  `BANKS_RULE(front_banks, assert, 1024, front_hold, bank_data)
  // dedup_write
  `PORT_RULE(meta_port, assert, assume, 4, seq_want, seq_grant, seq_write, seq_rsp)
  `PORT_RULE(seq_read, assert, assume, 1, seq_dram_want, seq_dram_grant, seq_dram_write,
             dram_rsp_valid_i && dram_rsp_ready_o && 32'(dram_rsp_tag_i) == FVerify)
  `PORT_RULE(seq_write, assert, assume, 1, seq_dram_want && seq_dram_write, seq_dram_grant && seq_dram_write, 1'b0,
             seq_dram_taken)
  `STREAM_RULE(dram_data, assume, 1024 + 128, g_seq_write.f_out_q, seq_dram_taken, {seq_bytes, dram_data_o})
  `STREAM_RULE(store_req, assume, 3 + LineBits + IndexBits, store_valid_o, store_ready_i,
               {store_op_o, store_ref_o, store_index_o})
  // The digest stays: it comes from a memory of dedup_front, read when a commit begins (ram_1r1w).
  logic [127+DomainBits:0] f_hash_q;
  always_ff @(posedge clk_i) f_hash_q <= store_hash_o;
  always_comb if (f_started_q) m_hash: assume (!g_store_req.f_waits_q || store_hash_o == f_hash_q);
  `LOAD_RULE(load_write, assert, load_ok && commit_load, commit_load)
  // What is open is in the register, or with the cache or the DRAM, and there once.
`define OPEN_RULES(port, bits, server, reg) \
  always_comb if (f_started_q) begin \
    a_``server``_is_open: assert (port.f_out_q``bits == (reg || g_``server.f_open_q != '0)); \
    a_``server``_is_one:  assert (32'(g_``server.f_open_q) + 32'(reg) < 32'd2); \
  end
  `OPEN_RULES(g_type_port, , type_of_context, f_type[0])
  `OPEN_RULES(g_mask_port, , mask_of_context, f_mask[0])
  `OPEN_RULES(g_addr_port, , addr_of_context, f_addr[0])
  `OPEN_RULES(g_front_type, , type_of_front, f_type[1])
  `OPEN_RULES(g_front_mask, , mask_of_front, f_mask[1])
  `OPEN_RULES(g_front_map, , addr_of_front, f_addr[1])
  `OPEN_RULES(g_meta_port, [0], type_of_commit, f_type[2])
  `OPEN_RULES(g_meta_port, [1], mask_of_commit, f_mask[2])
  `OPEN_RULES(g_meta_port, [2], addr_of_commit, f_addr[2])
  `OPEN_RULES(g_meta_port, [3], lent_of_commit, f_lent[2])
  `OPEN_RULES(g_front_read, , dram_of_front, (f_dram_read && 32'(dram_tag_o) == 32'(f_e)))
  `OPEN_RULES(g_seq_read, , dram_of_commit, (f_dram_read && 32'(dram_tag_o) == FVerify))
`undef OPEN_RULES
  always_comb if (f_started_q) begin
    a_write_is_open: assert (g_seq_write.f_out_q == (dram_valid_o && dram_seq_q));
    a_seq_is_write:  assert (!(dram_valid_o && dram_kind_o == 3'd3) || dram_seq_q);
    a_blocked:       assert (next_blocked || !next_in_process);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_context_answered: cover (g_type_port.f_out_q && f_type_rsp);
    c_front_answered:   cover (g_front_read.f_out_q && dram_rsp_valid_i && dram_rsp_ready_o);
    c_commit_answered:  cover (seq_rsp == 4'hf);
    c_write_taken:      cover (seq_dram_taken);
  end
