// critical_data_tracker in time: a request or fill waits at most LIVE_K cycles, and its answer leaves at most
// 3 LIVE_K + 1 cycles after it was taken. Each of the two streams has this whatever the other one does.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live_req, req_valid_i, req_ready_o, rsp_valid_o, rsp_ready_i, 3, 1)
  `LIVE_ACCEPT(live_req_waits, req_valid_i, req_ready_o, req_ready_o ? 16'd0 : g_live_req.f_left + 16'd1, `LIVE_K)
  `LIVE_STREAM(live_fill, fill_valid_i, fill_ready_o, done_valid_o, done_ready_i, 3, 1)
  `LIVE_ACCEPT(live_fill_waits, fill_valid_i, fill_ready_o, fill_ready_o ? 16'd0 : g_live_fill.f_left + 16'd1, `LIVE_K)
