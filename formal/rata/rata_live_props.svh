// rata in time: a lookup waits at most LIVE_K + 1 cycles, and its response leaves at most 3 LIVE_K + 1 cycles after
// it was taken. An update waits at most 1 cycle, and is done at most 2 cycles after it was taken, whatever the
// responses do.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live, lookup_valid_i, lookup_ready_o, rsp_valid_o, rsp_ready_i, RspSlots, 1)
  `LIVE_ACCEPT(live_lookup, lookup_valid_i, lookup_ready_o, rsp_room ? 16'(update_go) : g_live.f_left + 16'd2, `LIVE_K + 1)
  `LIVE_ACCEPT(live_update, update_valid_i, update_ready_o, 16'(wait_valid_q && yield_q), 1)
  `LIVE_LEAVE(live_done, wait_valid_q, update_go, 16'(yield_q), 2)
