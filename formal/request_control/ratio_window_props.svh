// ratio_window against the naive recount: the last Window events as a list, all of them counted in each cycle.
  `include "reset.svh"
  logic [Window:0] f_list_q, f_list;  // newest lowest; one more than the window
  logic [15:0]     f_ones;

  always_comb begin
    f_list = f_list_q;
    if (a_valid_i) f_list = {f_list[Window-1:0], a_bit_i};
    if (b_valid_i) f_list = {f_list[Window-1:0], b_bit_i};
    f_ones = '0;
    for (int unsigned i = 0; i < Window; i++) f_ones = f_ones + 16'(f_list_q[i]);
  end
  always_ff @(posedge clk_i) f_list_q <= rst_ni ? f_list : '0;

  always_comb if (f_started_q) begin
    a_same_events:   assert (bits_q == f_list_q[Window-1:0]);
    a_count_is_ones: assert (16'(count_q) == f_ones);
    a_over_is_more:  assert (over_o == (32'(f_ones) * 100 > Window * Percent));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_becomes_over: cover (!over_o && 32'(count_b) > Limit);
    c_falls_back:   cover (over_o && 32'(count_b) <= Limit);
    c_all_ones:     cover (&bits_q);
  end
