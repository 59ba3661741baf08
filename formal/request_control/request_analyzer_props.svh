// request_analyzer: every answer leaves in bounded time; the core is proved apart.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live, in_valid_i, in_ready_o, out_valid_o, out_ready_i, 2, 0)
  `LIVE_ACCEPT(live_accept, 1'b1, in_ready_o, g_live.f_held_q < 16'd2 ? 16'd0 : g_live.f_left + 16'd1, `LIVE_K - 1)
