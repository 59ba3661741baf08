// The stream keeps the rule, the accumulator never overflows, and every line is answered after 37 cycles, whatever
// its content. (Included in bpc_encoder.)
  `include "reset.svh"
  logic [5:0] f_age_q;  // cycles since the line was taken
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !busy_q) f_age_q <= '0;
    else if (!out_valid_o)  f_age_q <= f_age_q + 6'd1;
  end
  always_comb if (f_started_q) begin
    a_ready:   assert (in_ready_o == !busy_q);
    a_latency: assert (!busy_q || f_age_q == step_q);
    a_level:   assert (!busy_q || level_q <= 6'd38);
    // Bits above the level are zero: nothing is ever added on top of older bits.
    a_rest:    assert (!busy_q || (rest_q >> level_q) == '0);
    a_run:     assert (!busy_q || run_q <= 6'd33);
    c_answer:  cover (out_valid_o && out_ready_i && packed_form);
  end
