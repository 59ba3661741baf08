// bpc_encoder in time, whatever its codes are: a line waits at most 34 + LIVE_K cycles, and its answer leaves at most
// LIVE_K + 1 cycles after the line was taken.
  `include "reset.svh"
  `include "live.svh"
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, 32 * Words, in_valid_i, in_ready_o, in_line_i)
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  logic [15:0] f_left;
  always_comb begin
    if (step_q == StepRest) f_left = 16'(`LIVE_K) + 16'(StepRaw);
    else if (idle)          f_left = (valid_q ? g_live_sink.f_left : 16'd0) + 16'(StepRaw);
    else                    f_left = 16'(StepRaw) - 16'(step_q);
  end
  `LIVE_ACCEPT(live_line, in_valid_i, in_ready_o, f_left, 34 + `LIVE_K)
  `LIVE_LEAVE(live_answer, step_q == StepRest || valid_q, out_valid_o && out_ready_i,
              valid_q ? g_live_sink.f_left : 16'(`LIVE_K), `LIVE_K + 1)
  always_comb if (f_started_q) begin
    a_step:    assert (step_q <= StepRest && (!valid_q || idle));
    a_offered: assert (idle || step_q == StepRest || g_in_rule.f_waits_q);
  end
