// Requests of hash_store, in the module's own scope: what both proofs of it say (README.md beside this file).
// The operation at work is the one that was accepted, all of it: the statements here are about its registers.
logic                         f_taken_q, f_sought_q, f_sought2_q, f_accepted;
logic [3+HashBits+RefBits-1:0] f_request_q;
logic [IndexBits-1:0]         f_asked_q;
initial {f_taken_q, f_sought_q, f_sought2_q} = '0;
assign f_accepted = rst_ni && req_valid_i && req_ready_o;
always_ff @(posedge clk_i) begin
  f_taken_q   <= f_accepted && req_op_i <= Increment;
  f_sought_q  <= f_accepted && req_op_i > Increment;
  f_sought2_q <= rst_ni && f_sought_q && !lost;
  if (f_accepted) begin
    f_request_q <= {req_op_i, req_hash_i, req_ref_i};
    f_asked_q   <= req_index_i;
  end
end
always_comb if (f_started_q) begin
  a_accepted_is_at_work: assert (work_q == (f_taken_q || f_sought2_q) && seek_q == f_sought_q);
  a_as_accepted:         assert (!(work_q || seek_q) || {op_q, hash_q, ref_q} == f_request_q);
  a_index_as_accepted:   assert (!(work_q && op_q == Increment) || (index_q == f_asked_q && known_q));
end

// One operation is in flight, and the block is idle after it.
logic f_gone_q;
initial f_gone_q = 1'b0;
always_ff @(posedge clk_i) begin
  f_gone_q <= rst_ni && rsp_valid_o && rsp_ready_i;
  if (rst_ni) begin
    a_one_in_flight:  assert (!(work_q && rsp_valid_q));
    a_answered_once:  assert (!f_gone_q || !rsp_valid_o);
    a_idle_is_ready:  assert (req_ready_o || seek_q || work_q || clean_q || wipe_q || rsp_valid_o || clearing || fatal_q);
    a_clear_ends:     assert (clear_q <= ClearBits'(ClearSets));
  end
end
`include "hash_store_live.svh"
