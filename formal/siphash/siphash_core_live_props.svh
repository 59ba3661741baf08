// siphash_core in time, whatever its half rounds compute: the promises between it and siphash_line_hasher, and bounded
// response. A tag leaves at most 17 words and 16/H cycles after the start, plus LIVE_K for the sink.
  `include "reset.svh"
  `include "live.svh"
  `define PROMISE_CORE assert
  `define PROMISE_USER assume
  if (1) begin : g_contract
    localparam int unsigned CHalf = HalfRoundsPerCycle;
    logic c_start, c_start_ready, c_next, c_last, c_out_valid, c_take;
    assign c_start       = start_valid_i && start_ready_o;
    assign c_start_ready = start_ready_o;
    assign c_next        = msg_next_o;
    assign c_last        = msg_last_i;
    assign c_out_valid   = out_valid_o;
    assign c_take        = out_valid_o && out_ready_i;
    `include "siphash_core_contract.svh"
  end
  `undef PROMISE_CORE
  `undef PROMISE_USER
  localparam int unsigned FLongest = g_contract.CWord * g_contract.CWords + g_contract.CTag;  // from start to offer
  logic [4:0] f_tag_step;
  assign f_tag_step = g_contract.c_tag_q - 5'd1;
  always_comb if (f_started_q) begin
    a_state: assert (busy_q == g_contract.c_busy_q && done_q == g_contract.c_done_q && !(busy_q && done_q));
    a_tag:   assert (32'(g_contract.c_tag_q) <= g_contract.CTag && (busy_q || g_contract.c_tag_q == '0) &&
                     first_tag_q == (g_contract.c_tag_q != '0 && 32'(g_contract.c_tag_q) <= g_contract.CTag / 2) &&
                     second_tag_q == (32'(g_contract.c_tag_q) > g_contract.CTag / 2));
    a_step:  assert (step_q == (g_contract.c_tag_q != '0 ? StepBits'(f_tag_step) : StepBits'(g_contract.c_word_q)));
    a_word:  assert (32'(g_contract.c_word_q) < g_contract.CWord && ((busy_q && !first_tag_q && !second_tag_q) ||
                     g_contract.c_word_q == '0));
    a_used:  assert (!busy_q || g_contract.c_tag_q != '0 || 32'(g_contract.c_used_q) < g_contract.CWords);
    a_began: assert (!busy_q || g_contract.c_tag_q != '0 || g_contract.c_used_q != '0 || g_contract.c_word_q != '0);
  end
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  `LIVE_LEAVE(live_tag, busy_q || done_q, out_valid_o && out_ready_i, g_contract.c_to_offer + g_live_sink.f_left,
              FLongest + `LIVE_K - 1)
  `LIVE_ACCEPT(live_start, start_valid_i, start_ready_o,
               busy_q || done_q ? g_contract.c_to_offer + g_live_sink.f_left + 16'd1 : 16'd0, FLongest + `LIVE_K - 1)
