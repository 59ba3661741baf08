// axis_to_line in time: a beat waits at most LIVE_K - 1 cycles, and a packet whose last beat was taken ends, with a
// line or as a bad one, at most LIVE_K - 1 cycles later.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  `LIVE_ACCEPT(live_beat, 1'b1, s_axis_tready_o, spare_valid_q ? g_live_sink.f_left + 16'd1 : 16'd0, `LIVE_K - 1)
  `LIVE_LEAVE(live_packet, spare_valid_q && spare_last_q, move, g_live_sink.f_left, `LIVE_K - 1)
  always_comb if (f_started_q) a_spare: assert (!spare_valid_q || (full_q && g_live_sink.f_stalled_q != '0));
