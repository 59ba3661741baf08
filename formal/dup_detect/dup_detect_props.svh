// dup_detect: every answer leaves in bounded time; the core is proved apart.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(g_live, in_valid_i, in_ready_o, out_valid_o, out_ready_i, 2, 0)
  `LIVE_ACCEPT(g_live_accept, in_valid_i, in_ready_o,
               g_live.f_held_q < 16'(2) ? 16'd0 : g_live.g_sink.f_left + 16'd1, `LIVE_K)
