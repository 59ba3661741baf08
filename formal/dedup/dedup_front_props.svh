// dedup_front: entries go through their states in the order of the ring; lines in process are all different; one
// lookup per id; the answers an entry has are those to its own requests; a digest goes to the oldest line hashed;
// only sectors that were not written are filled in; nothing is offered twice; a partly written entry is neither filled
// nor hashed; an entry of few sectors is not hashed, and which of them pass follows from type, masks and intra.
// Data of dedup reads that were offered, not taken and offered no more are taken as soon as they are offered again,
// unless the banks are just being filled.
// The write buffer behaves as proved in dedup_write_buffer_props.svh; dup_detect_core and the memories may answer
// anything (stub=).
  `include "reset.svh"
  (* anyconst *) logic [PtrBits-1:0] f_a;  // any entry
  logic [15:0] f_ready_q, f_digest_q, f_map_q, f_look_q;  // entries: Ready; Skip or Hash; looked up, not detected; Look
  logic [15:0] f_pos_a;
  logic [PtrBits-1:0] f_head_q, f_next_q;
  logic [3:0]  f_state_a, f_mask_a, f_old_a;
  assign f_state_a = state_q[f_a*4 +: 4];
  assign f_mask_a  = masks_i[f_a*4 +: 4];
  assign f_old_a   = old_mask_q[f_a*4 +: 4];
  assign f_pos_a   = (16'(f_a) >= 16'(f_head_q)) ? 16'(f_a) - 16'(f_head_q) : 16'(f_a) + 16'(Entries) - 16'(f_head_q);
  function automatic logic [PtrBits-1:0] f_plus(input logic [PtrBits-1:0] entry, input logic [15:0] n);
    f_plus = (16'(entry) + n >= 16'(Entries)) ? PtrBits'(16'(entry) + n - 16'(Entries)) : PtrBits'(16'(entry) + n);
  endfunction
  // Of an entry of few sectors that is no intra-duplicate: it has no map, or old sectors to be read.
  logic [1:0] f_type_a;
  logic       f_passes;
  assign f_type_a = type_q[f_a*2 +: 2];
  assign f_passes = f_type_a[0] == f_type_a[1] || (f_type_a == 2'b10 && (f_old_a & ~f_mask_a) != '0);
  // Lookups, by id, and reads, by entry: asked, and answered.
  localparam int unsigned FId = FirstId;
  logic [Lookups-1:0] f_type_rsp, f_mask_rsp, f_map_rsp, f_ask, f_ask_map;
  logic [Entries-1:0] f_read, f_read_rsp;
  always_comb begin
    for (int unsigned c = 0; c < Lookups; c++) begin
      f_type_rsp[c] = type_rsp_valid_i && 16'(type_rsp_id_i) == 16'(FId + c);
      f_mask_rsp[c] = mask_rsp_valid_i && 16'(mask_rsp_id_i) == 16'(FId + c);
      f_map_rsp[c]  = addr_rsp_valid_i && 16'(addr_rsp_id_i) == 16'(FId + c);
      f_ask[c]      = 16'(ask_id_o) == 16'(FId + c);
      f_ask_map[c]  = 16'(map_id_o) == 16'(FId + c);
    end
  end
  always_comb begin
    for (int unsigned e = 0; e < Entries; e++) begin
      f_read[e]     = 32'(read_entry_o) == e;
      f_read_rsp[e] = dram_rsp_valid_i && dram_rsp_ready_o && 32'(dram_rsp_tag_i) == e;
    end
  end
  always_comb m_entries: assume (16'(f_a) < 16'(Entries));
  `include "port_rule.svh"
  `include "dedup_read_contract.svh"
  `PORT_RULE(type_port, assume, assert, Lookups, f_ask & {Lookups{meta_want_o[0]}},
             f_ask & {Lookups{meta_grant_i[0]}}, {Lookups{1'b0}}, f_type_rsp)
  `PORT_RULE(mask_port, assume, assert, Lookups, f_ask & {Lookups{meta_want_o[1]}},
             f_ask & {Lookups{meta_grant_i[1]}}, {Lookups{1'b0}}, f_mask_rsp)
  `PORT_RULE(map_port, assume, assert, Lookups, f_ask_map & {Lookups{meta_want_o[2]}},
             f_ask_map & {Lookups{meta_grant_i[2]}}, {Lookups{1'b0}}, f_map_rsp)
  `PORT_RULE(read_port, assume, assert, Entries, f_read & {Entries{read_want_o}}, f_read & {Entries{read_grant_i}},
             {Entries{1'b0}}, f_read_rsp)
  `LOAD_RULE(load, assume, load_ok_i, load_want_o)
  `RANGE_RULE(ask_range, assert, meta_want_o[1:0] != '0, ask_id_o, FId, Lookups)
  `RANGE_RULE(map_range, assert, meta_want_o[2], map_id_o, FId, Lookups)
  `RANGE_RULE(read_range, assert, read_want_o, read_entry_o, 0, Entries)
  `define PROMISE_BUFFER assume
  `define PROMISE_FRONT assert
  if (1) begin : g_buffer
    localparam int unsigned CEntries = Entries, CLineBits = LineBits, CPtrBits = PtrBits;
    logic [CPtrBits-1:0]           c_head, c_next, c_fill_entry;
    logic                          c_next_valid, c_blocked, c_take, c_drop, c_fill_turn, c_fill_we;
    logic [CEntries*CLineBits-1:0] c_lines;
    logic [CEntries*4-1:0]         c_masks, c_some;
    assign {c_head, c_next, c_next_valid, c_blocked} = {head_i, next_i, next_valid_i, next_blocked_i};
    assign {c_take, c_drop} = {take_o, drop_i};
    assign {c_fill_turn, c_fill_we, c_fill_entry} = {fill_turn_o, fill_we_o, fill_entry_o};
    assign {c_lines, c_masks, c_some} = {lines_i, masks_i, some_i};
    `include "dedup_buffer_contract.svh"
  end
  `undef PROMISE_BUFFER
  `undef PROMISE_FRONT
  logic f_gone_q;  // data were offered, not taken, and are not offered now
  logic f_refused_q;
  always_ff @(posedge clk_i) begin
    f_refused_q <= rst_ni && rsp_wait && (dram_rsp_valid_i ? !dram_rsp_ready_o : f_refused_q);
    f_gone_q    <= rst_ni && rsp_wait && f_refused_q && !dram_rsp_valid_i;
  end
  assign f_head_q = g_buffer.c_head_q;
  assign f_next_q = g_buffer.c_next_q;
  `include "answer_rule.svh"
  `include "dup_detect/dup_detect_core_contract.svh"
  `ANSWER_RULE(digest, assume, hash_valid_o && hash_ready_i, hash_rsp_valid_i, hash_rsp_ready_o)  // of the hashers
  `include "dedup_head_contract.svh"
  `HEAD_RULE(head, assert, ready_o && head_i == f_a, intra_o, hashed_o, pass_o, type_o, old_mask_o)  // f_a: any entry
  `MERGED_MASK(core, assume, hash_mask_o, old_mask, new_mask)                                      // of dup_detect_core
  always_comb if (f_started_q) a_digests: assert (g_digest.f_open_q == 16'(hashing_q));
  `COMMIT_RULE(commit, assume, ready_o, commit_i, drop_i)  // of dedup_write
  `include "dedup_banks_contract.svh"
  `BANKS_RULE(banks, assume, 1024, hold_o, bank_data_i)
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_ready_q <= '0;
      f_digest_q <= '0;
      f_map_q <= '0;
      f_look_q <= '0;
    end else begin
      f_ready_q  <= f_ready_q + 16'(digest_next) - 16'(drop_i);
      f_digest_q <= f_digest_q + 16'(skip_it || pass_it || (hash_valid_o && hash_ready_i)) - 16'(digest_next);
      f_map_q    <= f_map_q + 16'(map_step) - 16'(skip_it || pass_it || (hash_valid_o && hash_ready_i));
      f_look_q   <= f_look_q + 16'(take_o) - 16'(map_step);
    end
  end
  logic [15:0] f_hashes;  // entries in Hash
  always_comb begin
    f_hashes = '0;
    for (int unsigned e = 0; e < Entries; e++) if (state_q[e*4 +: 4] == Hash) f_hashes = f_hashes + 16'd1;
  end
  // Two lines in process are the same; two entries with one id are looked up; entries wait for answers.
  logic f_twice, f_id_twice;
  logic [Lookups-1:0] f_type_due, f_mask_due, f_map_due;
  always_comb begin
    f_twice    = 1'b0;
    f_id_twice = 1'b0;
    f_type_due = '0;
    f_mask_due = '0;
    f_map_due  = '0;
    for (int unsigned x = 0; x < Entries; x++) begin
      for (int unsigned y = 0; y < x; y++) begin
        if (state_q[x*4 +: 4] != Free && state_q[y*4 +: 4] != Free &&
            lines_i[x*LineBits +: LineBits] == lines_i[y*LineBits +: LineBits]) f_twice = 1'b1;
        if (x % Lookups == y % Lookups && (state_q[x*4 +: 4] == Look || state_q[x*4 +: 4] == MapWait) &&
            (state_q[y*4 +: 4] == Look || state_q[y*4 +: 4] == MapWait)) f_id_twice = 1'b1;
      end
      if (state_q[x*4 +: 4] == Look && !type_got_q[x] && !(ask_q[0] && ask_at_q == PtrBits'(x))) f_type_due[x % Lookups] = 1'b1;
      if (state_q[x*4 +: 4] == Look && !mask_got_q[x] && !(ask_q[1] && ask_at_q == PtrBits'(x))) f_mask_due[x % Lookups] = 1'b1;
      if (state_q[x*4 +: 4] == MapWait) f_map_due[x % Lookups] = 1'b1;
    end
  end
  logic [Entries-1:0] f_order, f_lookup_due, f_filled, f_busy;
  always_comb begin
    logic [3:0]  s;
    logic [15:0] p;
    for (int unsigned e = 0; e < Entries; e++) begin
      s = state_q[e*4 +: 4];
      f_busy[e] = s != Free;
      p = (16'(e) >= 16'(f_head_q)) ? 16'(e) - 16'(f_head_q) : 16'(e) + 16'(Entries) - 16'(f_head_q);
      if (p < f_ready_q) f_order[e] = s == Ready;
      else if (p < f_ready_q + f_digest_q) f_order[e] = s == Skip || s == Hash;
      else if (p < f_ready_q + f_digest_q + f_map_q) f_order[e] = s == MapWait || s == Part || s == ReadWait || s == Whole;
      else if (p < f_ready_q + f_digest_q + f_map_q + f_look_q) f_order[e] = s == Look;
      else f_order[e] = s == Free;
      f_lookup_due[e] = ask_q == '0 || ask_at_q != PtrBits'(e) ||
                        (s == Look && (!ask_q[0] || !type_got_q[e]) && (!ask_q[1] || !mask_got_q[e]));
      f_filled[e]     = !(s == Part || s == ReadWait) || (old_mask_q[e*4 +: 4] & ~masks_i[e*4 +: 4]) != '0;
      if (reading_q && read_at_q == PtrBits'(e) && s != Part) f_filled[e] = 1'b0;
      if (loader_q != Idle && detect_at_q == PtrBits'(e) && s != Whole) f_filled[e] = 1'b0;
      if ((s == Hash && !hashed_q[e]) || (s == Skip && hashed_q[e])) f_filled[e] = 1'b0;
      if (loader_q == Offer && detect_at_q == PtrBits'(e) && !(hashed_q[e] && !intra_q[e])) f_filled[e] = 1'b0;
    end
  end
  always_comb if (f_started_q) begin
    a_all_asked:     assert (f_lookup_due == '1);
    a_all_states:    assert (f_filled == '1);
    // order
    a_fits:          assert (f_ready_q <= 16'(Entries) && f_digest_q <= 16'(Entries) && f_map_q <= 16'(Entries) && f_look_q <= 16'(Entries) &&
                             f_ready_q + f_digest_q + f_map_q + f_look_q <= 16'(Entries));
    a_head_range:    assert (16'(f_head_q) < 16'(Entries));
    a_digest_at:     assert (digest_at_q == f_plus(f_head_q, f_ready_q));
    a_detect_at:     assert (detect_at_q == f_plus(f_head_q, f_ready_q + f_digest_q));
    a_map_at:        assert (map_at_q == f_plus(f_head_q, f_ready_q + f_digest_q + f_map_q));
    a_next_at:       assert (f_next_q == f_plus(f_head_q, f_ready_q + f_digest_q + f_map_q + f_look_q));
    a_order:         assert (f_order == '1);  // of all states
    a_legal:         assert (f_state_a <= Ready);
    // one write of a line
    a_lines_differ:  assert (!f_twice);
    // lookups
    a_one_lookup:    assert (!f_id_twice);
    a_out_is_due:    assert (g_type_port.f_out_q == f_type_due && g_mask_port.f_out_q == f_mask_due &&
                             g_map_port.f_out_q == f_map_due);
    a_refused:       assert (f_refused_q == missed_q);
    a_reads_are_due: assert (g_read_port.f_out_q == waiting);
    // what the buffer and the commit see
    a_in_process:    assert (g_buffer.c_in_q == f_busy &&
                             g_buffer.c_count_q == f_ready_q + f_digest_q + f_map_q + f_look_q);
    a_committing:    assert (!g_commit.f_open_q || f_ready_q != '0);
    a_asked_range:   assert (ask_q == '0 || 16'(ask_at_q) < 16'(Entries));
    a_map_lands:     assert (!(f_map_rsp[f_a % Lookups] && f_state_a == MapWait) || (map_here[f_a] && map_entry == f_a));
    // filling
    a_fill_unwritten: assert (!(fill_we_o && fill_entry_o == f_a) || (fill_mask_o & f_mask_a) == '0);
    a_fill_state:    assert (!(fill_we_o && fill_entry_o == f_a) || f_state_a == Part || f_state_a == ReadWait);
    a_reading_part:  assert (!(reading_q && read_at_q == f_a) || f_state_a == Part);
    a_reading_range: assert (!reading_q || 16'(read_at_q) < 16'(Entries));
    a_part_missing:  assert (!(f_state_a == Part || f_state_a == ReadWait) || (f_old_a & ~f_mask_a) != '0);
    a_read_unwritten: assert (!(read_want_o && read_at_q == f_a) || (read_mask_o == (f_old_a & ~f_mask_a) && read_mask_o != '0));
    a_offered_again: assert (!(f_gone_q && dram_rsp_valid_i && rsp_wait && !filling) || dram_rsp_ready_o);
    // detection and digests
    a_loads_whole:   assert (loader_q == Idle || (detect_at_q != f_a) || f_state_a == Whole);
    a_loads_one:     assert (loader_q == Idle || f_map_q != '0);
    a_room:          assert (32'(hashing_q) <= 32'(HashUnits) && (loader_q == Idle || room));
    a_hashing:       assert (16'(hashing_q) == f_hashes);
    a_digest_oldest: assert (!digest || f_hashes != '0);
    a_digest_lands:  assert (!(digest && digest_at_q == f_a) || f_state_a == Hash);
    a_hashed_not_intra: assert (!(f_state_a == Hash || f_state_a == Skip || f_state_a == Ready) || !(hashed_q[f_a] && intra_q[f_a]));
    a_hash_is_hashed: assert ((f_state_a != Hash || hashed_q[f_a]) && (f_state_a != Skip || !hashed_q[f_a]));
    a_some_passes:   assert (!ByteMasks || f_state_a == Free || f_state_a == Look || some_i[f_a*4 +: 4] == '0 || pass_q[f_a]);
    a_pass_unfilled: assert (!ByteMasks || !(f_state_a == Part || f_state_a == ReadWait) || !pass_q[f_a]);
    a_pass_unloaded: assert (!ByteMasks || !(loader_q != Idle && detect_at_q == f_a) || !pass_q[f_a]);
    a_pass_unhashed: assert (!ByteMasks || !(f_state_a == Hash || f_state_a == Skip || f_state_a == Ready) || !pass_q[f_a] ||
                             !(hashed_q[f_a] || intra_q[f_a]));
    a_few_unhashed:  assert (!ByteMasks || !(f_state_a == Hash || f_state_a == Skip || f_state_a == Ready) || !few_q[f_a] ||
                             !hashed_q[f_a]);
    a_few_unoffered: assert (!ByteMasks || !(loader_q == Offer && detect_at_q == f_a) || !few_q[f_a]);
    a_pass_early:    assert (!ByteMasks || !(f_state_a == MapWait || f_state_a == Part || f_state_a == ReadWait || f_state_a == Whole) ||
                             pass_q[f_a] == (some_i[f_a*4 +: 4] != '0 ||
                                             (few_q[f_a] && f_type_a[1] && (f_old_a & ~f_mask_a) != '0)));
    a_pass_rule:     assert (!ByteMasks || !(f_state_a == Hash || f_state_a == Skip || f_state_a == Ready) ||
                             pass_q[f_a] == (some_i[f_a*4 +: 4] != '0 || (few_q[f_a] && !intra_q[f_a] && f_passes)));
    a_untouched_new: assert (!(ready_o && type_o == 2'b00) || old_mask_o == '0);
    a_offer_hashed:  assert (!(loader_q == Offer && detect_at_q == f_a) || (hashed_q[f_a] && !intra_q[f_a]));
  end
