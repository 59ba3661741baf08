// md5_core in time, whatever its adders and steps compute: its promises to line_hasher, and bounded response. A digest
// leaves at most 64/S + LIVE_K cycles after the start of its last block, and a start waits at most as long.
  `include "reset.svh"
  `include "live.svh"
  `define PROMISE assert
  if (1) begin : g_contract
    localparam int unsigned CSteps = StepsPerCycle, CFold = FoldInSteps;
    logic                       c_start, c_more, c_start_ready, c_msg_last, c_out_valid, c_take;
    logic [5:0]                 c_msg_step;
    logic [4*StepsPerCycle-1:0] c_msg_index;
    assign c_start       = start_valid_i && start_ready_o;
    assign c_more        = start_more_i;
    assign c_start_ready = start_ready_o;
    assign c_msg_last    = msg_last_o;
    assign c_msg_step    = msg_step_o;
    assign c_msg_index   = msg_index_o;
    assign c_out_valid   = out_valid_o;
    assign c_take        = out_valid_o && out_ready_i;
    `include "md5_core_contract.svh"
  end
  `undef PROMISE
  always_comb if (f_started_q) begin
    a_age:   assert (32'(g_contract.c_age_q) <= g_contract.CPeriod && busy_q == (g_contract.c_age_q != '0));
    a_more:  assert (more_q == g_contract.c_open_q);
    a_fetch: assert (fetch_q == GroupBits'(g_contract.c_group));
    a_add:   assert (add_q == (FoldInSteps == 0 && 32'(g_contract.c_age_q) == g_contract.CPeriod));
  end

  logic [15:0] f_to_offer, f_to_next;  // cycles to the digest; to the end of the block at work
  assign f_to_offer = 16'(g_contract.c_to_offer);
  assign f_to_next  = g_contract.c_age_q == '0 ? 16'd0 : 16'(g_contract.CPeriod) - 16'(g_contract.c_age_q);
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  `LIVE_LEAVE(live_digest, !more_q, out_valid_o && out_ready_i, f_to_offer + g_live_sink.f_left, 64 / S + `LIVE_K)
  `LIVE_ACCEPT(live_start, start_valid_i, start_ready_o,
               more_q ? f_to_next : f_to_offer + g_live_sink.f_left + 16'd1, 64 / S + `LIVE_K)
