// bpc_decoder in time, whatever the codes are: a stream waits at most Words + 33 + LIVE_K cycles, and its line leaves
// at most Words + LIVE_K - 1 cycles after the stream was taken.
  `include "reset.svh"
  `include "live.svh"
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, 32 * Words + 1, in_valid_i, in_ready_o, in_bits_i)
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  logic [15:0] f_to_done, f_left;
  assign f_to_done = 16'(StepDone) - 16'(step_q);
  always_comb begin
    if (in_ready_o)             f_left = 16'd0;
    else if (step_q > StepLast) f_left = f_to_done + g_live_sink.f_left + 16'd1 + 16'(StepLast);
    else                        f_left = 16'(StepLast) - 16'(step_q);
  end
  `LIVE_ACCEPT(live_stream, in_valid_i, in_ready_o, f_left, Words + 33 + `LIVE_K)
  `LIVE_LEAVE(live_line, step_q > StepLast && !(done && raw_q), out_valid_o && out_ready_i,
              f_to_done + g_live_sink.f_left, Words + `LIVE_K - 1)
  always_comb if (f_started_q) begin
    a_step: assert (step_q <= StepDone);
    a_raw:  assert (!(done && raw_q) || g_live_sink.f_stalled_q == '0);
    a_offered: assert (idle || step_q > StepLast || g_in_rule.f_waits_q);
  end
