// Liveness of hash_store, in the module's own scope: bounds from the acceptance of an operation, in cycles in which the
// answer does not wait for rsp_ready_i. They hold whatever the tables hold, as long as no word in use is lost.
localparam int unsigned Answered = 3, ReadyAgain = 4, Waiting = 5;
logic [2:0]           f_busy_q;      // such cycles since the acceptance of the operation in flight, 0: none
logic                 f_answering_q;  // its answer has been on offer
logic [ClearBits-1:0] f_since_q;     // cycles since reset, to ClearSets
logic                 f_at_work;
initial {f_busy_q, f_answering_q} = '0;
assign f_at_work = seek_q || work_q || clean_q || wipe_q || rsp_valid_q;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_busy_q  <= '0;
    f_since_q <= '0;
  end else begin
    if (f_accepted) f_busy_q <= 3'd1;
    else if (req_ready_o) f_busy_q <= '0;
    else if (f_busy_q != '0 && f_busy_q != Waiting && !(rsp_valid_o && !rsp_ready_i)) f_busy_q <= f_busy_q + 1'b1;
    if (32'(f_since_q) != ClearSets) f_since_q <= f_since_q + 1'b1;
  end
  f_answering_q <= rst_ni && !f_accepted && (f_answering_q || rsp_valid_o);
end
always_comb if (f_started_q) begin
  a_answered_in_time: assert (f_busy_q < Answered || rsp_valid_o || f_answering_q || fatal_q);
  a_ready_in_time:    assert (f_busy_q < ReadyAgain || (f_busy_q == ReadyAgain && req_ready_o) || fatal_q);
  // What induction needs: how long each step of an operation may be under way.
  a_busy_in_flight:   assert (!f_at_work || f_busy_q != '0);
  a_seek_first:       assert (!seek_q || f_busy_q == 3'd1);
  a_work_next:        assert (!work_q || f_busy_q == (op_q <= Increment ? 3'd1 : 3'd2));
  a_offered_next:     assert (!rsp_valid_q || f_busy_q == 3'd2 || f_busy_q == 3'd3);
  a_clean_next:       assert (!clean_q || f_busy_q == 3'd2);
  a_answer_on_clean:  assert (!clean_q || rsp_valid_q);
  a_answer_then_rest: assert (f_busy_q < 3'd2 || work_q || rsp_valid_q || f_answering_q || fatal_q);
  a_over_when_idle:   assert (f_at_work || f_busy_q == '0 || (req_ready_o && f_busy_q <= ReadyAgain) || clearing || fatal_q);
  a_none_on_clearing: assert (!clearing || f_busy_q == '0);
  a_wipe_last:        assert (!wipe_q || f_busy_q == 3'd2 || f_busy_q == 3'd3);
end
`ifndef FROM_ANY
always_comb if (f_started_q) begin
  a_cleared_in_time: assert (clear_q == f_since_q);
end
`endif
