// dedup_write: nothing is changed before the lock is had; requests stay unchanged until taken; one
// request per port at a time. dup_detect_core and slot_alloc may answer anything (stub=).
  `include "reset.svh"
  logic f_commit_q;  // the lock was had for the write in process
  logic f_store_q, f_hash_q, f_dram_q;
  logic [2:0]           f_op_q;
  logic [LineBits-1:0]  f_ref_q, f_dram_line_q, f_index_q;
  logic [IndexBits-1:0] f_store_index_q;
  logic [3:0]           f_meta_q, f_meta_write_q;
  logic                 f_dram_write_q, f_committing;
  always_comb begin
    a_assume_grant: assume ((meta_grant_i & ~meta_want_o) == '0);
    a_assume_rsp:   assume ((meta_rsp_i & ~(meta_wait_q & ~meta_todo_q)) == '0);
    a_assume_dram:  assume ((!dram_grant_i || dram_want_o) && (!dram_taken_i || (dram_wait_q && !dram_todo_q && dram_write_q)) &&
                            (!dram_rsp_valid_i || (dram_wait_q && !dram_todo_q && !dram_write_q)));
    a_assume_hash:  assume (!hash_rsp_valid_i || (hash_wait_q && !hash_todo_q));
    a_assume_store: assume (!store_rsp_valid_i || (store_wait_q && !store_todo_q));
    a_assume_core:  assume (covered == (missing == '0));
    a_assume_load:  assume (!load_ok_i || load_o);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop_o) f_commit_q <= 1'b0;
    else if (act && state_q == Lock && !conflict_i) f_commit_q <= 1'b1;
    f_store_q       <= rst_ni && store_valid_o && !store_ready_i;
    f_hash_q        <= rst_ni && hash_valid_o && !hash_ready_i;
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
                        state_q == Check || state_q == Write || state_q == Update;
  always_comb if (f_started_q) begin
    a_legal_state:      assert (state_q <= Done);
    a_commit_states:    assert (!f_committing || f_commit_q);
    a_before_commit:    assert (f_committing || state_q == Done || !f_commit_q);
    a_meta_after_lock:  assert ((meta_todo_q & meta_write_q) == '0 || f_commit_q);
    a_store_after_lock: assert (!store_todo_q || store_op_q == Lookup || f_commit_q);
    a_write_after_lock: assert (!(dram_todo_q && dram_write_q) || f_commit_q);
    a_push_after_lock:  assert (!alloc_push || f_commit_q);
    a_idle_is_quiet:    assert (!(state_q == Idle || state_q == Load || state_q == Take) || !busy);
    a_read_alone:       assert (!(dram_wait_q && !dram_write_q) || (state_q == Detect && meta_wait_q == '0));
    a_map_alone:        assert (!meta_wait_q[2] || ((state_q == Mapped || state_q == Done) && !store_wait_q && !dram_wait_q && !hash_wait_q));
    a_todo_waits:       assert ((meta_todo_q & ~meta_wait_q) == '0 && (!dram_todo_q || dram_wait_q) &&
                                (!hash_todo_q || hash_wait_q) && (!store_todo_q || store_wait_q));
    a_store_stays:      assert (!f_store_q || (store_valid_o && store_op_o == f_op_q));
    a_store_fields:     assert (!f_store_q || f_op_q == Lookup || (store_ref_o == f_ref_q && store_index_o == f_store_index_q));
    a_hash_stays:       assert (!f_hash_q || hash_valid_o);
    a_dram_stays:       assert (!f_dram_q || (dram_want_o && dram_write_o == f_dram_write_q));
    a_dram_line_stays:  assert (!f_dram_q || dram_line_o == f_dram_line_q);
    a_meta_stays:       assert ((f_meta_q & ~meta_want_o) == '0 && (f_meta_q == '0 || (meta_index_o == f_index_q && meta_write_o == f_meta_write_q)));
  end
