// packet_filter in time, with any table (stub=pdr_table; its own streams: live-table): a size that finds a mask in
// flight waits at most LIVE_K - 1 cycles, and its packet leaves at most 2 LIVE_K cycles after it was taken. A mask
// that the table has on offer waits for a place at most LIVE_K cycles longer than for the encoders, when these offer
// the size of a mask in flight within LIVE_K cycles (assumed), plus LIVE_K for the packets before it.
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live, size_valid_i, size_ready_o, out_valid_o, out_ready_i, 2, 0)
  `LIVE_ACCEPT(live_size, size_valid_i && order_valid, size_ready_o, out_ready ? 16'd0 : g_live.f_left + 16'd1, `LIVE_K - 1)
  `LIVE_SINK(live_encoder, order_valid && out_ready, size_valid_i)
  `LIVE_ACCEPT(live_place, mask_valid, order_ready, order_ready ? 16'd0 : out_ready ? g_live_encoder.f_left + 16'd1
               : g_live.f_left + 16'd1 + 16'(`LIVE_K), 2 * `LIVE_K)
