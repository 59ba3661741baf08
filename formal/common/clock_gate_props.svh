// clock_gate with its latch: whole pulses of the clock or none, for a clock and an enable that change at any time.
// A step of this proof is any moment, not a cycle.
  logic f_past_q, f_clk_q, f_clk_o_q, f_open_q;  // the moment before
  initial f_past_q = 1'b0;
  always @($global_clock) begin
    f_past_q  <= 1'b1;
    f_clk_q   <= clk_i;
    f_clk_o_q <= clk_o;
    f_open_q  <= enable_i || test_i;
  end
  always_comb if (f_past_q) begin
    a_low_with_the_clock:  assert (clk_i || !clk_o);
    a_rises_with_the_clock: assert (!(clk_o && !f_clk_o_q) || !f_clk_q);
    a_falls_with_the_clock: assert (!(!clk_o && f_clk_o_q) || !clk_i);
    a_edge_if_enabled:     assert (!(clk_i && !f_clk_q) || clk_o == f_open_q);
    c_enable_ends_in_pulse: cover (clk_o && f_clk_o_q && !enable_i && !test_i);
    c_enable_comes_late:    cover (clk_i && f_clk_q && !clk_o && enable_i);
    c_scan:                 cover (clk_o && !f_clk_o_q && !enable_i);
  end
