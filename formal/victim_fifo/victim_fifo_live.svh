// Liveness of victim_fifo, in the module's own scope. INSERT and INVALIDATE are done in the cycle that accepts them.
// A lookup is answered by the second cycle after it in which the sink is ready: one may be ahead. A cycle with a ready
// sink leaves room for a request.
logic [1:0] f_sink_q;   // cycles with a ready sink since the chosen lookup, while it is not answered
logic       f_taker_q;  // the sink was ready in the cycle before
initial f_taker_q = 1'b0;
always_ff @(posedge clk_i) begin
  if (!rst_ni || !f_waiting_q) f_sink_q <= '0;
  else if (rsp_ready_i && f_sink_q != '1) f_sink_q <= f_sink_q + 1'b1;
  f_taker_q <= rsp_ready_i;
end
always_comb if (f_started_q) begin
  a_answered_in_time: assert (!f_waiting_q || f_sink_q <= 2'(!f_behind_q));
  a_room_in_time:     assert (!f_taker_q || req_ready_o);
end
