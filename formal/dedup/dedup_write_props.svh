// dedup_write: nothing is changed before the lock is had; a write is done only after all its changes were granted,
// and after the region filter was told of a line that is mapped for the first time; one event per write, when its
// insertion is answered; requests stay unchanged until taken; one request per port at a time; a write loads its
// data from the banks once at most, before they are needed and not over data that the DRAM has not taken, and what
// goes to DRAM is what was loaded; the map is that of the cycle after commit_o. With Verify: a write joins the
// users of a slot, or is dropped because its slot has the content already, only after a chosen sector was seen to
// be equal, in DRAM or in the L2 copy of a resident owner. With ByteMasks: a write that passes changes the bytes that
// were written to what was written, and no other byte, unless that byte is completed with the old one; it goes home as
// it is only when the line is untouched, or resident and its entry has no user any more. slot_alloc may answer anything
// (stub=). Its requests keep the rule of ports, its commits that of dedup_front, its slots that of slot_alloc.
  `include "reset.svh"
  logic f_commit_q;  // the lock was had for the write in process
  logic f_store_q, f_dram_q;
  logic [2:0]           f_op_q;
  logic [LineBits-1:0]  f_ref_q, f_dram_line_q, f_index_q;
  logic [IndexBits-1:0] f_store_index_q;
  logic [3:0]           f_meta_q, f_meta_write_q;
  logic                 f_dram_write_q, f_committing;
  // The store: an answer comes to an operation that was asked.
  `define PROMISE_USER assert
  `define PROMISE_STORE assume
  if (1) begin : g_contract
    localparam int unsigned CReqBits = 3 + LineBits + IndexBits, CRspBits = 3 + IndexBits + LineBits + CountBits;
    logic c_req_valid, c_req_ready, c_rsp_valid, c_rsp_ready;
    logic [CReqBits-1:0] c_req;
    logic [CRspBits-1:0] c_rsp;
    assign c_req_valid = store_valid_o;
    assign c_req_ready = store_ready_i;
    assign c_req       = {store_op_o, store_ref_o, store_index_o};
    assign c_rsp_valid = store_rsp_valid_i;
    assign c_rsp_ready = store_rsp_ready_o;
    assign c_rsp       = {store_rsp_hit_i, store_rsp_ok_i, store_rsp_evicted_i, store_rsp_index_i, store_rsp_ref_i, store_rsp_count_i};
    `include "hash_store/hash_store_contract.svh"
  end
  `undef PROMISE_USER
  `undef PROMISE_STORE
  `include "dedup_head_contract.svh"
  `HEAD_RULE(head, assume, ready_i, head_intra_i, head_hashed_i, head_pass_i, head_type_i, head_old_mask_i)
  `SOME_RULE(some, assume, ready_i, head_some_i, head_mask_i)
  `COMMIT_RULE(commit, assert, ready_i, commit_o, drop_o)
  // The ports of dedup and dedup_read: lookups of metadata, reads of the DRAM, writes until they are taken, probes.
  `include "port_rule.svh"
  `include "dedup_read_contract.svh"
  `include "slot_alloc_contract.svh"
  `PORT_RULE(meta_port, assume, assert, 4, meta_want_o, meta_grant_i, meta_write_o, meta_rsp_i)
  `PORT_RULE(dram_port, assume, assert, 1, dram_want_o, dram_grant_i, dram_write_o, verify_rsp)
  `PORT_RULE(dram_write, assume, assert, 1, dram_want_o && dram_write_o, dram_grant_i && dram_write_o, 1'b0,
             dram_taken_i)
  `PORT_RULE(seq_probe, assume, assert, 1, probe_want_o, probe_grant_i, 1'b0, probe_rsp_i)
  `LOAD_RULE(load, assume, load_ok_i, load_o)
  `STREAM_RULE(region_set, assert, LineBits, region_set_o, region_ack_i, line_o)
  logic f_push;
`ifdef PLANT_WRITE_PUSHES_LATE
  always_ff @(posedge clk_i) f_push <= alloc_push;  // planted bug: when the next candidate may be asked for
`else
  assign f_push = alloc_push;
`endif
  `ALLOC_RULE(alloc, assert, f_push, alloc_next, lend_up, lend_down, alloc_busy, clearing_o)
  always_comb if (f_started_q) begin
    a_store_open: assert (g_contract.g_store_answer.f_open_q == 16'((store_wait_q || posted_q) && !store_todo_q));
    a_one_store:  assert (!(store_wait_q && posted_q));
    a_kinds:      assert ((meta_todo_q & meta_wait_q & meta_write_q) == '0);
    a_meta_open:  assert (g_meta_port.f_out_q == (meta_wait_q & ~meta_todo_q));
    a_read_open:  assert (g_dram_port.f_out_q == (verify_wait_q && !dram_todo_q));
    a_write_open: assert (g_dram_write.f_out_q == (data_held_q && !(dram_todo_q && dram_write_q)));
    a_probe_open: assert (g_seq_probe.f_out_q == (probe_wait_q && !probe_todo_q));
    a_commit:     assert (g_commit.f_open_q == (state_q != Idle));
    a_borrow:     assert (!g_alloc.f_borrows_q || state_q == Next || state_q == Cand || state_q == Check);
    a_reported:   assert (!g_alloc.f_reported_q || state_q == Next || state_q == Write || state_q == Update || state_q == Fetch || state_q == Idle);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop_o) f_commit_q <= 1'b0;
    else if (act && !conflict_i && (state_q == Lock || (state_q == Decide && !check && !silent))) f_commit_q <= 1'b1;
    f_store_q       <= rst_ni && store_valid_o && !store_ready_i;
    f_dram_q        <= rst_ni && dram_want_o && !dram_grant_i;
    f_meta_q        <= rst_ni ? meta_want_o & ~meta_grant_i : '0;
    f_op_q          <= store_op_o;
    f_ref_q         <= store_ref_o;
    f_store_index_q <= store_index_o;
    f_dram_line_q   <= dram_line_o;
    f_dram_write_q  <= dram_write_o;
    f_index_q       <= meta_index_o;
    f_meta_write_q  <= meta_write_o;
  end
  assign f_committing = state_q == Release || state_q == Place || state_q == Freed || state_q == Next || state_q == Cand ||
                        state_q == Check || state_q == Write || state_q == Update ||
                        (state_q == Fetch && !verifying_q && !(completing_q && !resident)) || (state_q == Old && resident);
  // f_bit is any bit of the line, f_map any map entry.
  (* anyconst *) logic [$clog2(4*SectorBits)-1:0] f_bit;
  (* anyconst *) logic [31:0] f_map;
  logic f_load_q, f_loaded_bit_q, f_held_q, f_held_bit_q, f_new_q, f_is_map_q;
  // Completion: f_old_q: the bit was not written, and the old one is there. f_there_q: the byte of f_bit was written.
  localparam int unsigned FByteBits = $clog2(Bytes);
  logic f_old_q, f_old_bit_q, f_there_q, f_written;
  logic [FByteBits-1:0] f_byte;
  logic [1:0]           f_s;
  assign f_byte    = f_bit[$clog2(4*SectorBits)-1 -: FByteBits];
  assign f_s       = f_bit[$clog2(4*SectorBits)-1 -: 2];
  assign f_written = new_mask_q[f_s] && f_there_q;
  `STREAM_RULE(dram_data, assert, 2, g_dram_write.f_out_q, dram_taken_i, {bytes_o[f_byte], data_o[f_bit]})
  always_ff @(posedge clk_i) begin
    if (loaded_q) f_there_q <= bank_bytes_i[f_byte];
    if (!rst_ni || commit_o) f_old_q <= 1'b0;
    else if (verify_rsp && dram_old_q && old_read_q[f_s] && !f_written) begin
      f_old_q     <= 1'b1;
      f_old_bit_q <= dram_rsp_data_i[f_bit];
    end else if (old_value && old_value_q[f_s] && !f_written) begin
      f_old_q     <= 1'b1;
      f_old_bit_q <= map_q[32'(f_bit) % (SectorBits > 32 ? 32 : SectorBits)];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || commit_o) f_load_q <= 1'b0;
    else if (load_ok_i) f_load_q <= 1'b1;
    f_new_q <= rst_ni && commit_o;
    if (f_new_q) f_is_map_q <= map_i == f_map;
    if (loaded_q) f_loaded_bit_q <= bank_data_i[f_bit];
    f_held_q     <= rst_ni && data_held_q && !dram_taken_i;
    f_held_bit_q <= data_o[f_bit];
  end
  always_comb if (f_started_q) begin
    a_legal_state:      assert (state_q <= Done);
    a_commit_states:    assert (!f_committing || f_commit_q);
    a_before_commit:    assert (f_committing || state_q == Done || !f_commit_q);
    a_meta_after_lock:  assert ((meta_todo_q & meta_write_q) == '0 || f_commit_q);
    a_store_after_lock: assert (!store_todo_q || store_op_q == Lookup || f_commit_q);
    a_write_after_lock: assert (!(dram_todo_q && dram_write_q) || f_commit_q);
    a_push_after_lock:  assert (!alloc_push || f_commit_q);
    a_quiet_states:     assert (!(state_q == Idle || state_q == Probe) || !busy);
    a_done_is_granted:  assert (!drop_o || (meta_todo_q == '0 && !dram_todo_q && !store_todo_q && !store_wait_q));
    a_data_stays:       assert (!(data_held_q && (loaded_q || old_rsp || old_value)) && (!f_held_q || (data_held_q && data_o[f_bit] == f_held_bit_q)));
    a_loaded_unheld:    assert (!(have_data_q && data_held_q) || state_q == Idle || state_q == Done);
    a_one_load:         assert (!(load_ok_i && f_load_q) && (state_q == Idle || f_load_q == have_data_q));
    a_data_is_loaded:   assert (!(have_data_q && !loaded_q && state_q != Idle) || data_o[f_bit] == (f_old_q ? f_old_bit_q : f_loaded_bit_q));
    a_loaded_before:    assert (!loaded_q || (have_data_q && state_q != Idle && state_q != Probed && state_q != Compared));
    a_data_in_time:     assert (!(dram_todo_q && dram_write_q) || !loaded_q);
    a_map_is_the_lines: assert (commit_q == f_new_q && (!f_new_q || state_q == Lock || (state_q == Fetch && completing_q) || (state_q == Decide && busy)) &&
                                (state_q == Idle || f_new_q || !f_is_map_q || map_q == f_map));
    a_write_has_data:   assert (!(state_q == Write || (dram_todo_q && dram_write_q)) || have_data_q);
    a_held_while_asked: assert (!(dram_todo_q && dram_write_q) || data_held_q);
    a_todo_waits:       assert ((meta_todo_q & ~meta_wait_q & ~meta_write_q) == '0 && (!store_todo_q || store_wait_q || posted_q) &&
                                (!probe_todo_q || probe_wait_q) && (!(dram_todo_q && !dram_write_q) || verify_wait_q));
    a_store_stays:      assert (!f_store_q || (store_valid_o && store_op_o == f_op_q));
    a_store_fields:     assert (!f_store_q || (store_ref_o == f_ref_q && store_index_o == f_store_index_q));
    a_dram_stays:       assert (!f_dram_q || (dram_want_o && dram_write_o == f_dram_write_q));
    a_dram_line_stays:  assert (!f_dram_q || dram_line_o == f_dram_line_q);
    a_meta_stays:       assert ((f_meta_q & ~meta_want_o) == '0 && (f_meta_q == '0 || (meta_index_o == f_index_q && meta_write_o == f_meta_write_q)));
  end
  // Verification. f_sector is any sector; f_dram_equal_q, f_copy_equal_q: it was compared and is the line's.
  (* anyconst *) logic [1:0] f_sector;
  logic f_dram_equal_q, f_copy_equal_q, f_copied_q, f_resident_q, f_car_q, f_verify_q, f_probe_q;
  logic [LineBits-1:0] f_probe_line_q;
  logic [3:0]          f_probe_mask_q;
  logic f_dram_equal, f_copy_equal, f_shares;
  assign f_dram_equal = dram_rsp_data_i[f_sector*SectorBits +: SectorBits] == data_o[f_sector*SectorBits +: SectorBits];
  assign f_copy_equal = probe_data_i[f_sector*SectorBits +: SectorBits] == data_o[f_sector*SectorBits +: SectorBits];
  assign f_shares     = ((f_committing || state_q == Lock) && kind_q == Inter) || (state_q == Done && (kind_q == Inter || kind_q == Silent));
  always_ff @(posedge clk_i) begin
    if (act && state_q == Decide) begin
      f_dram_equal_q <= 1'b0;
      f_copy_equal_q <= 1'b0;
      f_copied_q     <= 1'b0;
      f_resident_q   <= 1'b0;
    end else begin
      if (verify_rsp) f_dram_equal_q <= verify_read_q[f_sector] && f_dram_equal;
      if (probe_rsp_i) begin
        f_copied_q     <= probe_hit_i[f_sector];
        f_copy_equal_q <= probe_hit_i[f_sector] && f_copy_equal;
      end
      if (meta_rsp_i[0] && state_q == Probed) f_resident_q <= type_rsp_i == 2'b11;
    end
    f_probe_q      <= rst_ni && probe_want_o && !probe_grant_i;
    f_probe_line_q <= probe_line_o;
    f_probe_mask_q <= probe_mask_o;
    f_car_q        <= cfg_car_i;
    f_verify_q     <= cfg_verify_i;
  end
  always_comb if (f_started_q) begin
    m_static: assume (cfg_car_i == f_car_q && cfg_verify_i == f_verify_q);
    if (Verify) begin
      a_shares_only_equal: assert (!f_shares || !cfg_verify_i || !to_verify[f_sector] || f_dram_equal_q ||
                                   (f_copy_equal_q && f_resident_q));
      a_silent_same_mask:  assert (!(state_q == Done && kind_q == Silent && cfg_verify_i) || mask == old_mask_q);
      // how the registers stand for the ghosts
      a_probe_states:      assert (!probe_wait_q || state_q == Probed);
      a_probe_todo:        assert (!probe_todo_q || probe_wait_q);
      a_probe_car:         assert (!probe_wait_q || cfg_car_i);
      a_verify_read_state: assert (!verify_wait_q || state_q == Compared || state_q == Old);
      a_verify_is_read:    assert (state_q != Compared || !dram_write_q);
      a_verifying_flag:    assert ((!(state_q == Lock || f_committing) || !verifying_q) &&
                                   !(state_q == Decide && verifying_q) && (state_q != Probe || verifying_q));
      a_verifying_data:    assert (!(state_q == Probe || state_q == Probed || state_q == Compared) || have_data_q);
      a_verifying_ghosts:  assert (!((state_q == Fetch || state_q == Probe) && verifying_q) ||
                                   !(f_copied_q || f_dram_equal_q || f_copy_equal_q || f_resident_q || probe_wait_q));
      a_no_probe_ghost:    assert (!((state_q == Probed || state_q == Compared) && !cfg_car_i) || !f_copied_q);
      a_probed_before:     assert (!(state_q == Probed && probe_wait_q) || !f_copied_q);
      a_verified_flag:     assert (state_q != Compared || !verifying_q);
      a_verifying_fetch:   assert (!((state_q == Fetch || state_q == Probe) && verifying_q) ||
                                   ((kind_q == Inter || kind_q == Silent) && cfg_verify_i && copied_q == '0 && !differs_q));
      a_verifying_kind:    assert (!(state_q == Probed || state_q == Compared) || (kind_q == Inter || kind_q == Silent));
      a_verifying_on:      assert (!(state_q == Probed || state_q == Compared) || cfg_verify_i);
      a_copied_asked:      assert (!(state_q == Probed || state_q == Compared) || (copied_q & ~to_verify) == '0);
      a_copied_ghost:      assert (!((state_q == Probed || state_q == Compared) && to_verify[f_sector] && !probe_wait_q) ||
                                   copied_q[f_sector] == f_copied_q);
      a_copied_late:       assert (!(state_q == Probed && probe_wait_q) || (copied_q == '0 && !differs_q));
      a_copy_differs:      assert (!(state_q == Probed && !probe_wait_q && copied_q[f_sector] && !differs_q) || f_copy_equal_q);
      a_no_probe_no_copy:  assert (!((state_q == Probed || state_q == Compared) && !cfg_car_i) || copied_q == '0);
      a_type_ghost:        assert (!((state_q == Probed || state_q == Compared) && cfg_car_i && !meta_wait_q[0]) ||
                                   f_resident_q == (type_got_q == 2'b11));
      a_type_awaited:      assert (!(state_q == Probed && meta_wait_q[0]) || cfg_car_i);
      a_kind_open:         assert (state_q != Decide || kind_q == Unique);
      a_silent_dropped:    assert (!(f_committing || state_q == Lock) || kind_q != Silent);
      a_silent_compared:   assert (!(state_q == Compared && kind_q == Silent) || mask == old_mask_q);
      a_compared_quiet:    assert (state_q != Compared || (meta_wait_q == '0 && !store_wait_q));
      a_probed_quiet:      assert (state_q != Probed || ((meta_wait_q & 4'b1110) == '0 && !store_wait_q && !verify_wait_q));
      a_read_the_rest:     assert (state_q != Compared || verify_read_q == unread);
      a_compared_copy:     assert (!(state_q == Compared && trusted[f_sector]) || (f_copy_equal_q && f_resident_q));
      a_compared_read:     assert (!(state_q == Compared && !verify_wait_q && verify_read_q[f_sector] && !differs_q) || f_dram_equal_q);
      a_nothing_hit_alone: assert (!(state_q == Compared && verify_wait_q) || !differs_q);
      a_probe_stays:       assert (!f_probe_q || (probe_want_o && probe_line_o == f_probe_line_q && probe_mask_o == f_probe_mask_q));
    end else begin
      a_never_probes:      assert (!probe_wait_q && !probe_todo_q && (!verify_wait_q || state_q == Old) && (state_q == Idle || !verifying_q) && state_q != Probe && state_q != Probed && state_q != Compared);
    end
  end
  // Events and the region filter.
  logic f_drop_q, f_mapping_q, f_told_q, f_region_q;
  always_ff @(posedge clk_i) begin
    f_drop_q   <= rst_ni && drop_o;
    f_region_q <= cfg_region_i;
    if (!rst_ni || commit_o) f_mapping_q <= 1'b0;
    else if (act && (state_q == Write || state_q == Update))
      f_mapping_q <= (new_type == 2'b01 || new_type == 2'b10) && type_q != 2'b01 && type_q != 2'b10;
    if (!rst_ni || commit_o) f_told_q <= 1'b0;
    else if (region_set_o && region_ack_i) f_told_q <= 1'b1;
  end
  always_comb if (f_started_q) begin
    m_region_static: assume (cfg_region_i == f_region_q);
    a_region_told:      assert (!(drop_o && f_mapping_q && RegionBits != 0 && cfg_region_i && kind_q != Silent) || f_told_q);
    a_region_is_told:   assert (state_q != Done || kind_q == Silent || RegionBits == 0 || !cfg_region_i || !f_mapping_q ||
                                region_todo_q || f_told_q);
    a_region_state:     assert (!region_todo_q || state_q == Done);
    a_post_alone:       assert (!(posted_q && store_wait_q) && (!posted_q || state_q == Done || state_q == Idle));
    a_one_event:        assert (!(drop_o && event_q) && (!event_q || (posted_q && state_q == Idle)));
    a_event_follows:    assert (!f_drop_q || done_valid_o || event_q);
    a_no_early_event:   assert (!(done_valid_o && event_q));
  end
  // Placement. Ghosts keep what the ports answered last.
  logic                 f_lent_q, f_hit_q;
  logic [1:0]           f_type_q;
  logic [3:0]           f_mask_q;
  logic [CountBits-1:0] f_count_q;
  logic [3:0]           f_meta_got_q;  // answered since the commit began
  logic                 f_got_q, f_own_slot_q, f_left_q, f_lends_q;
  always_ff @(posedge clk_i) begin
    if (meta_rsp_i[0]) f_type_q <= type_rsp_i;
    if (meta_rsp_i[1]) f_mask_q <= mask_rsp_i;
    if (meta_rsp_i[3]) f_lent_q <= lent_rsp_i;
    if (store_wait_q && store_rsp_valid_i) begin
      f_hit_q   <= store_rsp_hit_i;
      f_count_q <= store_rsp_count_i;
    end
    f_meta_got_q <= !rst_ni || commit_o ? '0 : f_meta_got_q | meta_rsp_i;
    if (!rst_ni || commit_o) f_got_q <= 1'b0;
    else if (store_wait_q && store_rsp_valid_i) f_got_q <= 1'b1;
    // Others use the home of a resident line that leaves it: f_left_q from Place on; f_lends_q: the flag was granted.
    if (!rst_ni || commit_o) f_left_q <= 1'b0;
    else if (act && state_q == Place) f_left_q <= type_q == 2'b11 && f_hit_q && f_count_q != '0;
    if (!rst_ni || commit_o) f_lends_q <= 1'b0;
    else if (meta_grant_i[3] && meta_write_q[3] && meta_index_q == line_q && lent_data_q) f_lends_q <= 1'b1;
    if (!rst_ni || commit_o) f_own_slot_q <= 1'b0;
    else if (act && state_q == Check && issue_lends) f_own_slot_q <= 1'b1;
  end
  logic issue_lends;
  assign issue_lends = act && state_q == Check && meta_issue[3];
  always_comb if (f_started_q) begin
    // how the registers stand for the ghosts, where they are used
a_got_type:      assert ((!f_meta_got_q[0] || type_got_q == f_type_q) && (!f_meta_got_q[1] || mask_got_q == f_mask_q) &&
                             (!f_meta_got_q[3] || lent_got_q == f_lent_q));
    a_got_all:       assert (state_q != Check || (4'b1011 & ~meta_wait_q & ~f_meta_got_q) == '0);
a_got_count:     assert (!f_got_q || (hit_got_q == f_hit_q && count_got_q == f_count_q));
    a_got_before:    assert (!(state_q == Decide || (state_q == Place && type_q[1])) || store_wait_q || f_got_q);
    // C12: only a full, mapped or intra line that does not lend lends its slot
    a_lender:        assert (!issue_lends || ((f_type_q == 2'b01 || f_type_q == 2'b10) && f_mask_q == 4'hf && !f_lent_q));
    a_borrows_here:  assert (!(place_q == OutBorrowed && (state_q == Write || state_q == Done || (state_q == Fetch && !verifying_q && !completing_q))) ||
                             kind_q != Unique || f_own_slot_q);
    a_home_at_first: assert (!(state_q == Decide || (state_q == Fetch && verifying_q) || state_q == Probe || state_q == Probed ||
                               state_q == Compared || state_q == Lock || state_q == Release || state_q == Place ||
                               (!resident && (state_q == Old || (state_q == Fetch && completing_q)))) ||
                             place_q == OutHome);
    a_dram_states:   assert (!dram_todo_q || state_q == Compared || state_q == Old || state_q == Done);
    a_unique_writes: assert (!(state_q == Write || (state_q == Fetch && !verifying_q)) || kind_q == Unique);
    // a line counts as untouched only at home
    a_forgets_home:  assert (!(state_q == Done && kind_q == Unique && new_type == 2'b00) || (target_q == line_q && !insert_q));
    a_target_home:   assert (state_q == Idle || place_q == OutKept || place_q == OutBorrowed || target_q == line_q);
    a_unhashed_alone: assert (state_q == Idle || hashed_q || (!insert_q && state_q != Decide));
    a_searches:      assert (!(state_q == Next || state_q == Cand || state_q == Check ||
                               (resident && (state_q == Old || (state_q == Fetch && completing_q)))) || place_q == OutBorrowed);
    a_others_update: assert (state_q != Update || kind_q != Unique);
    a_kind_is_open:  assert (state_q != Decide || kind_q == Unique);
    a_writes_here:   assert (!(dram_todo_q && dram_write_q) || (state_q == Done && kind_q == Unique));
    a_borrows_lent:  assert (!(dram_todo_q && dram_write_q && place_q == OutBorrowed) || f_own_slot_q);
    // a home or borrowed slot gets every sector of the line, the others the new ones
    a_whole_write:   assert (!(dram_want_o && dram_write_o) ||
                             dram_mask_o == ((place_q == OutInPlace || place_q == OutKept) ? new_mask_q : old_mask_q | new_mask_q));
    // a home that others use is marked before the write is done
    a_home_is_lent:  assert (!(state_q == Done && f_left_q) || f_lends_q);
    a_home_lent_soon: assert (!(f_left_q && state_q != Idle) || f_lends_q ||
                              (meta_todo_q[3] && meta_write_q[3] && meta_index_q == line_q && lent_data_q));
    // a saturated count does not grow, where the line is locked at once
    a_not_saturated: assert (!(act && state_q == Decide && issue_store) || f_count_q != '1);
  end
  // Type, mask and map are written for the write's own line only: what dedup_front looked up for others stays true.
  always_comb if (f_started_q) begin
    a_write_is_own: assert ((meta_todo_q[2:0] & meta_write_q[2:0]) == '0 || meta_index_q == line_q);
  end
  // Writes that pass. f_count_q and f_hit_q are the answer to the decrement, f_dec_q: there was one, of the line.
  logic f_dec_q, f_store_ref_q, f_lacks, f_to_come;
  // Before the line is loaded a byte counts as written only if its sector is whole.
  assign f_lacks   = (old_mask_q[f_s] || some_q[f_s]) &&
                     !(have_data_q && !loaded_q ? f_written : new_mask_q[f_s] && !some_q[f_s]);
  // An intra line that goes home with its value, which is there; f_valued_q: in this sector.
  logic f_plain_value, f_valued_q;
  assign f_plain_value = plain && type_q == 2'b01 && (state_q == Lock || state_q == Place || state_q == Write || state_q == Done);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || commit_o) f_valued_q <= 1'b0;
    else if (old_value && old_value_q[f_s]) f_valued_q <= 1'b1;
  end
  assign f_to_come = (old_value_q[f_s] || old_slot_q[f_s] || old_rest_q[f_s]);
  always_ff @(posedge clk_i) begin
    if (store_valid_o && store_ready_i) f_store_ref_q <= store_op_o == Decrement && store_ref_o == line_q;
    if (!rst_ni || commit_o) f_dec_q <= 1'b0;
    else if (store_wait_q && store_rsp_valid_i && f_store_ref_q) f_dec_q <= 1'b1;
  end
  always_comb if (f_started_q && ByteMasks) begin
    if (dram_want_o && dram_write_o && pass_q && dram_mask_o[f_s]) begin
      a_byte_as_written: assert (!f_written || (data_o[f_bit] == f_loaded_bit_q && (!dram_plain_o || bytes_o[f_byte])));
      a_byte_not_written: assert (f_written || (dram_plain_o && !f_valued_q ? !bytes_o[f_byte] : f_old_q && data_o[f_bit] == f_old_bit_q &&
                                                (!dram_plain_o || bytes_o[f_byte])));
    end
    if (dram_want_o && dram_write_o && dram_plain_o) begin
      a_plain_goes_home: assert (dram_line_o == line_q && dram_mask_o == (type_q == 2'b01 ? old_mask_q | new_mask_q : new_mask_q) &&
                                (type_q != 2'b10 && (type_q != 2'b01 || !lent_got_q)));
      a_value_goes_home: assert (type_q != 2'b01 || !old_mask_q[f_s] || bytes_o[f_byte]);
      a_entry_has_left:  assert (type_q != 2'b11 || (f_dec_q && !(f_hit_q && f_count_q != '0)));
    end
    a_plain_forgets:   assert (!(state_q == Done && plain) || ((meta_todo_q & meta_write_q & 4'b1110) == '0 && new_type == 2'b00));
    m_whole:    assume (!loaded_q || !new_mask_q[f_s] || some_q[f_s] || bank_bytes_i[f_byte]);
    // how the registers stand for the ghosts
    a_old_state:       assert (state_q != Old || (pass_q && completing_q && !completed_q && have_data_q));
    a_fetch_for_old:   assert (!(state_q == Fetch && completing_q) || (pass_q && !completed_q && !verifying_q));
    a_plain_states:    assert (!plain || !(state_q == Freed || state_q == Next || state_q == Cand || state_q == Check));
    a_plain_releases:  assert (!plain || !(state_q == Release || state_q == Place) || type_q == 2'b11 || (type_q == 2'b01 && state_q == Place));
    a_plain_decrement: assert (!(plain && state_q == Place) || type_q == 2'b01 || f_dec_q ||
                               (store_wait_q && (store_todo_q ? store_op_q == Decrement : f_store_ref_q)));
    a_decrement_got:   assert (!f_dec_q || f_got_q);
    a_pass_no_insert:  assert (state_q == Idle || !pass_q || !insert_q);
    a_plain_quiet:     assert (!(plain && store_wait_q) || state_q == Idle || (state_q == Place && !f_dec_q));
    a_plain_intra:     assert (state_q == Idle || !(plain && type_q == 2'b01) || !(f_dec_q || store_wait_q));
    a_plain_undone:    assert (!(plain && (state_q == Lock || state_q == Release)) || !f_dec_q);
    a_pass_unhashed:   assert (state_q == Idle || !pass_q || !hashed_q);
    a_pass_unverified: assert (state_q == Idle || !pass_q || !verifying_q);
    a_old_answer:      assert (!(verify_wait_q && dram_old_q) || (state_q == Old && !loaded_q));
    a_old_waits:       assert (!(state_q == Old && verify_wait_q) || dram_old_q);
    a_old_ghost:       assert (state_q == Idle || !f_old_q || (pass_q && completing_q && have_data_q && !loaded_q && !f_written));
    a_completed:       assert (state_q == Idle || !completed_q || (pass_q && completing_q && have_data_q && !loaded_q));
    a_completes:       assert (state_q == Idle || !completing_q || completed_q || state_q == Old || state_q == Fetch || f_plain_value);
    a_completes_some:  assert (state_q == Idle || completing_q || !pass_q || type_q[0] == type_q[1]);
    a_valued:          assert (!f_plain_value || (completing_q && !lent_got_q && have_data_q && !loaded_q && old_value_q == '0 &&
                               !meta_wait_q[3] && !meta_todo_q[3] && !verify_wait_q));
    a_valued_loaded:   assert (state_q == Idle || !f_valued_q || (pass_q && completing_q && have_data_q && !loaded_q));
    a_valued_intra:    assert (state_q == Idle || !(old_value_q != '0 || f_valued_q) || type_q == 2'b01);
    a_valued_apart:    assert (state_q == Idle || !(old_value_q[f_s] || f_valued_q) ||
                               !(old_slot_q[f_s] || old_rest_q[f_s] || (verify_wait_q && dram_old_q && old_read_q[f_s])));
    a_valued_once:     assert (state_q == Idle || !(f_valued_q && old_value_q[f_s]));
    a_valued_sector:   assert (!(f_plain_value && old_mask_q[f_s]) || f_valued_q || (new_mask_q[f_s] && !some_q[f_s]));
    a_valued_to_come:  assert (!(state_q == Fetch && completing_q) || !f_valued_q || type_q != 2'b01);
    a_valued_or_due:   assert (!((state_q == Old || (state_q == Fetch && completing_q)) && type_q == 2'b01 && old_mask_q[f_s]) || old_value_q[f_s] || f_valued_q ||
                               (new_mask_q[f_s] && !some_q[f_s]));
    a_whole_loaded:    assert (!(have_data_q && !loaded_q && state_q != Idle && new_mask_q[f_s] && !some_q[f_s]) || f_there_q);
    a_old_to_come:     assert (state_q == Idle || !pass_q || !completing_q || !f_lacks || f_old_q ||
                               (!completed_q && (f_to_come || (verify_wait_q && old_read_q[f_s]))));
    a_pass_home:       assert (state_q == Idle || type_q != 2'b00 || old_mask_q == '0);
    a_pass_place:      assert (state_q == Idle || !plain || place_q == OutHome || place_q == OutInPlace || state_q == Fetch || state_q == Old);
    a_plain_placed:    assert (!(state_q == Write || (state_q == Fetch && !completing_q) || (dram_todo_q && dram_write_q)) || !plain ||
                               (type_q == 2'b00 || type_q == 2'b01 ? place_q == OutHome : type_q == 2'b11 && place_q == OutInPlace && f_dec_q &&
                                !(f_hit_q && f_count_q != '0)));
    a_plain_target:    assert (state_q == Idle || !plain || target_q == line_q);
    a_pass_unique:     assert (state_q == Idle || !pass_q || (kind_q == Unique && state_q != Decide && state_q != Probe &&
                               state_q != Probed && state_q != Compared && state_q != Update));
    a_pass_some:       assert (state_q == Idle || (some_q & ~new_mask_q) == '0);
    a_bytes_loaded:    assert (!(have_data_q && !loaded_q && state_q != Idle) || bytes_o[f_byte] == (f_there_q || f_valued_q));
  end
  always_comb if (f_started_q && !ByteMasks) begin
    a_never_passes:    assert (state_q == Idle || (!pass_q && !completing_q && state_q != Old));
    a_never_adds:      assert (!(verify_wait_q && dram_old_q) && (state_q == Idle || !f_old_q));
  end
