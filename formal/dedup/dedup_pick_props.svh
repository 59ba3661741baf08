// dedup_pick: only a requester is chosen, one at a time, and one that keeps asking is served after at
// most N-1 others.
  `include "reset.svh"
  (* anyconst *) logic [IndexBits-1:0] f_who;
  logic [15:0] f_waits_q;  // served while f_who was asking
  logic [15:0] f_behind;   // requesters that stand before f_who after last_q
  assign f_behind = (16'(f_who) > 16'(last_q)) ? 16'(f_who) - 16'(last_q) - 16'd1 : 16'(N) + 16'(f_who) - 16'(last_q) - 16'd1;
  always_comb m_who: assume (16'(f_who) < 16'(N));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !want_i[f_who] || grant_o[f_who]) f_waits_q <= '0;
    else if (take_i) f_waits_q <= f_waits_q + 16'd1;
  end
  always_comb if (f_started_q && rst_ni) begin
    a_grant_asked:   assert ((grant_o & ~want_i) == '0);
    a_grant_one:     assert ($onehot0(grant_o));
    a_grant_iff:     assert ((grant_o != '0) == (take_i && want_i != '0));
    a_index_granted: assert (!(take_i && any_o) || grant_o[index_o]);
  end
  always_comb if (f_started_q) begin
    a_last_in_range: assert (16'(last_q) < 16'(N));
    a_wait_shrinks:  assert (f_waits_q == '0 || f_waits_q + f_behind <= 16'(N) - 16'd1);
    a_wait_bounded:  assert (f_waits_q < 16'(N));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_waited_longest: cover (f_waits_q == 16'(N) - 16'd1 && grant_o[f_who]);
  end
