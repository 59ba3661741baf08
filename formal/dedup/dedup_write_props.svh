// dedup_write: nothing is changed before the lock is had; a write is done only after all its changes were
// granted; requests stay unchanged until taken; one request per port at a time; a write loads its data from the banks
// once at most, before they are needed and not over data that the DRAM has not taken, and what goes to DRAM is what was
// loaded; the map is that of the cycle after commit_o. With Verify: a write joins the users of a slot, or is dropped
// because its slot has the content already, only after a chosen sector was seen to be equal, in DRAM or in the L2 copy
// of a resident owner. slot_alloc may answer anything (stub=).
  `include "reset.svh"
  logic f_commit_q;  // the lock was had for the write in process
  logic f_store_q, f_dram_q;
  logic [2:0]           f_op_q;
  logic [LineBits-1:0]  f_ref_q, f_dram_line_q, f_index_q;
  logic [IndexBits-1:0] f_store_index_q;
  logic [3:0]           f_meta_q, f_meta_write_q;
  logic                 f_dram_write_q, f_committing;
  always_comb begin
    a_assume_grant: assume ((meta_grant_i & ~meta_want_o) == '0);
    a_assume_rsp:   assume ((meta_rsp_i & ~(meta_wait_q & ~meta_todo_q)) == '0);
    a_assume_dram:  assume ((!dram_grant_i || dram_want_o) && (!dram_taken_i || (data_held_q && !(dram_todo_q && dram_write_q))) &&
                            (!verify_rsp || (verify_wait_q && !dram_todo_q)));
    a_assume_head:  assume (!(head_intra_i && head_hashed_i));
    a_assume_store: assume (!store_rsp_valid_i || (store_wait_q && !store_todo_q));
    a_assume_load:  assume (!load_ok_i || load_o);
    a_assume_probe: assume ((!probe_grant_i || probe_want_o) && (!probe_rsp_i || (probe_wait_q && !probe_todo_q)));
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop_o) f_commit_q <= 1'b0;
    else if (act && state_q == Lock && !conflict_i) f_commit_q <= 1'b1;
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
                        (state_q == Fetch && !verifying_q);
  // f_bit is any bit of the line, f_map any map entry.
  (* anyconst *) logic [$clog2(4*SectorBits)-1:0] f_bit;
  (* anyconst *) logic [31:0] f_map;
  logic f_load_q, f_loaded_bit_q, f_held_q, f_held_bit_q, f_new_q, f_is_map_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || commit_o) f_load_q <= 1'b0;
    else if (load_ok_i) f_load_q <= 1'b1;
    f_new_q <= rst_ni && commit_o;
    if (f_new_q) f_is_map_q <= map_i == f_map;
    if (loaded_q) f_loaded_bit_q <= bank_data_i[f_bit];
    f_held_q     <= rst_ni && data_held_q && !dram_taken_i;
    f_held_bit_q <= data_q[f_bit];
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
    a_data_stays:       assert (!(data_held_q && loaded_q) && (!f_held_q || (data_held_q && data_q[f_bit] == f_held_bit_q)));
    a_one_load:         assert (!(load_ok_i && f_load_q) && (state_q == Idle || f_load_q == have_data_q));
    a_data_is_loaded:   assert (!(have_data_q && !loaded_q && state_q != Idle) || data_q[f_bit] == f_loaded_bit_q);
    a_loaded_before:    assert (!loaded_q || (have_data_q && state_q != Idle && state_q != Update && state_q != Probed && state_q != Compared));
    a_data_in_time:     assert (!(dram_todo_q && dram_write_q) || !loaded_q);
    a_map_is_the_lines: assert (commit_q == f_new_q && (!f_new_q || state_q == Lock || (state_q == Decide && busy)) &&
                                (state_q == Idle || f_new_q || !f_is_map_q || map_q == f_map));
    a_write_has_data:   assert (!(state_q == Write || (dram_todo_q && dram_write_q)) || have_data_q);
    a_held_while_asked: assert (!(dram_todo_q && dram_write_q) || data_held_q);
    a_todo_waits:       assert ((meta_todo_q & ~meta_wait_q & ~meta_write_q) == '0 && (!store_todo_q || store_wait_q) &&
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
  assign f_dram_equal = dram_rsp_data_i[f_sector*SectorBits +: SectorBits] == data_q[f_sector*SectorBits +: SectorBits];
  assign f_copy_equal = probe_data_i[f_sector*SectorBits +: SectorBits] == data_q[f_sector*SectorBits +: SectorBits];
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
    a_assume_static: assume (cfg_car_i == f_car_q && cfg_verify_i == f_verify_q);
    if (Verify) begin
      a_shares_only_equal: assert (!f_shares || !cfg_verify_i || !to_verify[f_sector] || f_dram_equal_q ||
                                   (f_copy_equal_q && f_resident_q));
      a_silent_same_mask:  assert (!(state_q == Done && kind_q == Silent && cfg_verify_i) || mask == old_mask_q);
      // how the registers stand for the ghosts
      a_probe_states:      assert (!probe_wait_q || state_q == Probed);
      a_probe_todo:        assert (!probe_todo_q || probe_wait_q);
      a_probe_car:         assert (!probe_wait_q || cfg_car_i);
      a_verify_read_state: assert (!verify_wait_q || state_q == Compared);
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
      a_never_probes:      assert (!probe_wait_q && !probe_todo_q && !verify_wait_q && (state_q == Idle || !verifying_q) && state_q != Probe && state_q != Probed && state_q != Compared);
    end
  end
  // Type, mask and map are written for the write's own line only: what dedup_front looked up for others stays true.
  always_comb if (f_started_q) begin
    a_write_is_own: assert ((meta_todo_q[2:0] & meta_write_q[2:0]) == '0 || meta_index_q == line_q);
  end
