// dpc_decoder in time, whatever the packets are: a flit waits at most LIVE_K + Steps cycles, and a packet whose last
// flit was taken ends, with a line or as a bad one, at most LIVE_K + Steps - 1 cycles later.
  `include "reset.svh"
  `include "live.svh"
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, FlitBits + 6, in_valid_i, in_ready_o, ({in_bits_i, in_mask_i, in_last_i, in_error_i}))
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  logic [15:0] f_steps, f_wait;  // steps to the end of the line; cycles until the line before it is gone
  always_comb begin
    f_steps = '0;
    for (int unsigned i = 0; i < Steps; i++) if (step_q[i]) f_steps = 16'(Steps - i);
    f_wait = full_q ? g_live_sink.f_left + 16'd1 : 16'd0;
  end
  `LIVE_ACCEPT(live_flit, in_valid_i, in_ready_o, in_ready_o ? 16'd0 : f_wait + f_steps, `LIVE_K + Steps)
  `LIVE_LEAVE(live_packet, open_q && last_flit_q, ends || short_packet, f_wait + f_steps - 16'd1, `LIVE_K + Steps)
  always_comb if (f_started_q) begin
    a_one_step:    assert ($onehot(step_q));
    a_open_first:  assert (open_q || step_q[0]);
    a_skip_closed: assert (!(skip_q && open_q));
    a_line_free:   assert (step_q[0] || !full_q);
  end
