// md5_pipeline in time: a block waits at most LIVE_K cycles, and its result leaves at most (64/S + 3) LIVE_K + 64/S + 1
// cycles after it was taken.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live, in_valid_i, in_ready_o, out_valid_o, out_ready_i, Depth, Stages + 1)
  `LIVE_ACCEPT(live_block, in_valid_i, in_ready_o, in_ready_o ? 16'd0 : g_live.f_left + 16'd1, `LIVE_K)
