// bloom_predictor in time, with any array that keeps its contract (stub=bloom_array). Without a flush a request waits
// at most until the array is clear, Words + 1 cycles, or LIVE_K if that is more. Its answer leaves at most 3 LIVE_K +
// 1 cycles after it was taken, whatever is flushed.
  `include "reset.svh"
  `include "live.svh"
  localparam int unsigned FClear  = Counters / 4 / Lanes + 1;
  localparam int unsigned FWithin = FClear > `LIVE_K ? FClear : `LIVE_K;
  `define PROMISE assume
  if (1) begin : g_contract
    localparam int unsigned CWords = Counters / 4 / Lanes;
    logic c_ready, c_flush;
    assign {c_ready, c_flush} = {array_ready, flush_i};
    `include "bloom_array_contract.svh"
  end
  `undef PROMISE
  `LIVE_STREAM(live, req_valid_i, req_ready_o, rsp_valid_o, rsp_ready_i, RspSlots, 1)
  logic [15:0] f_room;  // cycles until a response slot is free
  assign f_room = credit_q == 2'(RspSlots) ? g_live.f_left + 16'd1 : 16'd0;
  `LIVE_ACCEPT(live_req, req_valid_i && !flush_i, req_ready_o, f_room > g_contract.c_left ? f_room : g_contract.c_left,
               FWithin)
