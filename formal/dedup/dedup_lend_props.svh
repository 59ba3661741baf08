// dedup_write: what it reports to slot_alloc of any one line f_line is what the metadata of that line say. f_lends_q
// follows the reports; whenever no write is in process, it says whether f_line is mapped or intra, fully written and
// not lent. slot_alloc may answer anything (stub=), but a candidate stays while it is judged.
  // It begins between two commits, in any state. The state after a reset is one of these.
  logic f_started_q;
  initial f_started_q = 1'b0;
  always_ff @(posedge clk_i) f_started_q <= 1'b1;
  (* anyconst *) logic [LineBits-1:0] f_line;
  logic [1:0] f_type_q;
  logic [3:0] f_mask_q;
  logic       f_lent_q, f_lends_q, f_lends, f_up, f_down, f_leaves;
  logic [LineBits-1:0] f_cand_q;
  logic       f_judged_q;  // a candidate was there in the cycle before; it stays (a_stays of slot_alloc)
  `include "dedup_head_contract.svh"
  `HEAD_RULE(head, assume, ready_i, head_intra_i, head_hashed_i, head_pass_i, head_type_i, head_old_mask_i)
  `SOME_RULE(some, assume, ready_i, head_some_i, head_mask_i)
  `include "port_rule.svh"
  `include "dedup_read_contract.svh"
  `LOAD_RULE(load, assume, load_ok_i, load_o)
  `PORT_RULE(meta_port, assume, assert, 4, meta_want_o, meta_grant_i, meta_write_o, meta_rsp_i)
  `PORT_RULE(dram_port, assume, assert, 1, dram_want_o, dram_grant_i, dram_write_o, verify_rsp)
  `PORT_RULE(dram_write, assume, assert, 1, dram_want_o && dram_write_o, dram_grant_i && dram_write_o, 1'b0,
             dram_taken_i)
  `PORT_RULE(seq_probe, assume, assert, 1, probe_want_o, probe_grant_i, 1'b0, probe_rsp_i)
  always_comb if (f_started_q) begin
    m_store: assume (!store_rsp_valid_i || ((store_wait_q || posted_q) && !store_todo_q));
    m_mask:  assume (!ready_i || head_mask_i != '0);
  end

  // The metadata of f_line.
  assign f_lends = (f_type_q == 2'b01 || f_type_q == 2'b10) && f_mask_q == 4'hf && !f_lent_q;
  assign f_up    = lend_up && lend_line == f_line;
  assign f_down  = lend_down && lend_line == f_line;
  always_ff @(posedge clk_i) begin
    f_cand_q   <= cand;
    f_judged_q <= f_started_q && (state_q == Cand || state_q == Check) && !alloc_busy;
    if (meta_index_o == f_line) begin
      if (meta_grant_i[0] && meta_write_o[0]) f_type_q <= type_data_o;
      if (meta_grant_i[1] && meta_write_o[1]) f_mask_q <= mask_data_o;
      if (meta_grant_i[3] && meta_write_o[3]) f_lent_q <= lent_data_o;
    end
    if (f_up || f_down) f_lends_q <= f_up;
  end
  always_comb m_no_reset: assume (rst_ni);
  always_comb if (!f_started_q) begin
    m_begin: assume (state_q == Idle && !busy && !posted_q && !event_q && !data_held_q && !loaded_q && !commit_q &&
                     g_meta_port.f_out_q == '0 && !g_dram_port.f_out_q && !g_dram_write.f_out_q && !g_seq_probe.f_out_q);
    m_nothing: assume (!ready_i && meta_grant_i == '0 && meta_rsp_i == '0 && !dram_grant_i && !dram_taken_i &&
                       !dram_rsp_fire_i && !probe_grant_i && !probe_rsp_i && !store_rsp_valid_i && !load_ok_i && !alloc_busy);
    // What the asserts below say, and: a line in use has sectors.
    m_metadata: assume (f_lends_q == f_lends && (f_type_q == 2'b00 || f_mask_q != '0) &&
                        (!f_lent_q || f_type_q == 2'b01 || f_type_q == 2'b10) &&
                        (!f_lent_q || f_mask_q == 4'hf || partial_left_q));
  end
  // A line that leaves a slot as its last user: the owner of the slot is not resident, so the slot is lent.
  assign f_leaves = act && state_q == Place && free_slot && slot == f_line;
  always_comb begin
    m_head:    assume (!(ready_i && state_q == Idle && head_line_i == f_line) ||
                       (head_type_i == f_type_q && head_old_mask_i == (f_type_q == 2'b00 ? 4'h0 : f_mask_q)));
    m_type:    assume (!(meta_rsp_i[0] && meta_index_q == f_line) || type_rsp_i == f_type_q);
    m_mask_is: assume (!(meta_rsp_i[1] && meta_index_q == f_line) || mask_rsp_i == f_mask_q);
    m_lent:    assume (!(meta_rsp_i[3] && meta_index_q == f_line) || lent_rsp_i == f_lent_q);
    m_leaves:  assume (!f_leaves || f_lent_q);
    m_busy:    assume (!alloc_busy || state_q == Cand);  // a search begins with Next
    m_cand:    assume (!(f_judged_q && state_q == Check) || cand == f_cand_q);
  end
  always_comb if (f_started_q) begin
    a_up:     assert (!f_up || !f_lends_q);
    a_down:   assert (!f_down || f_lends_q);
    a_lends:  assert (state_q != Idle || f_lends_q == f_lends);
    a_left:   assert (state_q != Idle || !f_lent_q || f_mask_q == 4'hf || partial_left_q);
    a_home:   assert (state_q != Idle || !f_lent_q || f_type_q == 2'b01 || f_type_q == 2'b10);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_borrowed:  cover (f_down && state_q == Check);
    c_freed:     cover (f_up && state_q == Freed);
    c_new:       cover (f_up && state_q == Done && type_q == 2'b00);
    c_grown:     cover (f_up && state_q == Done && grows);
    c_grown_not: cover (drop_o && line_q == f_line && grows && f_lent_q);
    c_home:      cover (f_down && state_q == Done);
    c_left:      cover (drop_o && line_q == f_line && resident && left_q && mask != 4'hf);
  end
