// pdr_table in time: a request or reply waits at most LIVE_K cycles, and its answer leaves at most 3 LIVE_K + 1 cycles
// after it was taken. Each of the two streams has this whatever the other one does.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live_req, req_valid_i, req_ready_o, fwd_valid_o, fwd_ready_i, 3, 1)
  `LIVE_ACCEPT(live_req_waits, req_valid_i, req_ready_o, req_ready_o ? 16'd0 : g_live_req.f_left + 16'd1, `LIVE_K)
  `LIVE_STREAM(live_take, take_valid_i, take_ready_o, mask_valid_o, mask_ready_i, 3, 1)
  `LIVE_ACCEPT(live_take_waits, take_valid_i, take_ready_o, take_ready_o ? 16'd0 : g_live_take.f_left + 16'd1, `LIVE_K)
