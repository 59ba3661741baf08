// The standard reset assumption, for `include in a module with clk_i and rst_ni: the first cycle is in
// reset. f_started_q is low in that cycle and high ever after; later resets stay possible, so every
// property must hold across a reset in mid-operation too.
  logic f_started_q;
  initial f_started_q = 1'b0;
  always_ff @(posedge clk_i) f_started_q <= 1'b1;
  always_comb if (!f_started_q) m_first_cycle_in_reset: assume (!rst_ni);
