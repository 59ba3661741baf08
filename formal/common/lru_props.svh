// lru: for every permutation, touched way and eligible set. Ways f_a and f_b are free, so each assert
// speaks about all (pairs of) ways. As order_o is again a permutation, so is every order the caller
// reaches from the reset order.
  (* anyconst *) logic [WayBits-1:0] f_a;
  (* anyconst *) logic [WayBits-1:0] f_b;
  logic [15:0] f_in_a, f_in_b, f_out_a, f_out_b, f_in_victim;  // positions before and after
  logic [15:0] f_times_a;                                      // how often f_a is in order_o
  logic [15:0] f_times_in_a, f_times_in_b, f_times_in_way;     // how often each is in order_i

  always_comb begin
    f_in_a         = '0;
    f_in_b         = '0;
    f_out_a        = '0;
    f_out_b        = '0;
    f_in_victim    = '0;
    f_times_a      = '0;
    f_times_in_a   = '0;
    f_times_in_b   = '0;
    f_times_in_way = '0;
    for (int unsigned p = 0; p < Ways; p++) begin
      f_times_in_a   = f_times_in_a + 16'(order_i[p*WayBits +: WayBits] == f_a);
      f_times_in_b   = f_times_in_b + 16'(order_i[p*WayBits +: WayBits] == f_b);
      f_times_in_way = f_times_in_way + 16'(order_i[p*WayBits +: WayBits] == way_i);
      if (order_i[p*WayBits +: WayBits] == f_a) f_in_a = 16'(p);
      if (order_i[p*WayBits +: WayBits] == f_b) f_in_b = 16'(p);
      if (order_i[p*WayBits +: WayBits] == victim_o) f_in_victim = 16'(p);
      if (order_o[p*WayBits +: WayBits] == f_b) f_out_b = 16'(p);
      if (order_o[p*WayBits +: WayBits] == f_a) begin
        f_out_a   = 16'(p);
        f_times_a = f_times_a + 1;
      end
    end
  end

  // order_i is a permutation: every field is a way and every way is there once, said only of the ways that
  // the asserts speak about (a smaller assumption, and one that spares the solver a pigeonhole argument).
  for (genvar p = 0; p < Ways; p++) begin : g_assume_way
    always_comb assume (16'(order_i[p*WayBits +: WayBits]) < Ways);
  end

  always_comb begin
    m_ways:       assume (16'(way_i) < Ways && 16'(f_a) < Ways && 16'(f_b) < Ways);
    m_once:       assume (f_times_in_a == 1 && f_times_in_b == 1 && f_times_in_way == 1);
    a_permutation:       assert (f_times_a == 1);
    a_touched_to_front:  assert (order_o[0 +: WayBits] == way_i);
    a_others_keep_order: assert (f_a == way_i || f_b == way_i || (f_in_a < f_in_b) == (f_out_a < f_out_b));
    a_victim_exists:     assert (victim_valid_o == (eligible_i != '0));
    a_victim_is_a_way:   assert (16'(victim_o) < Ways);
    a_victim_eligible:   assert (!eligible_i[f_a] || eligible_i[victim_o]);
    a_victim_is_oldest:  assert (!eligible_i[f_a] || f_in_a <= f_in_victim);
    c_victim_not_last:   cover (victim_valid_o && f_in_victim == 0 && f_in_a == Ways - 1 && f_out_a == 0);
    c_no_victim:         cover (!victim_valid_o);
  end
