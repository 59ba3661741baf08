// dedup_region: a region that was set, and after a warm reset every region, is never answered as clear; after a cold
// reset a region that was not set is answered as clear once the words have been cleared; a set is acknowledged two
// cycles after it may begin.
  `include "reset.svh"
  (* anyconst *) logic [NumberBits-1:0] f_number;  // any region
  logic                  f_set_q, f_read_q, f_sure_q, f_pending_q, f_fresh_q;
  logic [1:0]            f_wait_q;
  always_comb if (f_started_q) m_static: assume (cfg_fresh_i == f_fresh_q);
  `include "stream_rule.svh"
  `include "dedup_read_contract.svh"
  `STREAM_RULE(set, assume, NumberBits, set_i, set_ack_o, set_number_i)  // of dedup_write
  `REGION_RULE(alone, assume, read_i, busy_o)                            // of dedup_read
  always_ff @(posedge clk_i) begin
    f_fresh_q    <= cfg_fresh_i;
    if (!rst_ni) f_set_q <= 1'b0;
    else if (set_ack_o && set_number_i == f_number) f_set_q <= 1'b1;
    f_read_q <= rst_ni && read_i && read_number_i == f_number;
    f_sure_q <= rst_ni && read_i && read_number_i == f_number && !clearing_o && cfg_fresh_i && !f_set_q &&
                !(set_ack_o && set_number_i == f_number);
    f_wait_q <= rst_ni && busy_o && !set_ack_o ? f_wait_q + 2'd1 : 2'd0;
    f_pending_q <= f_set_q;
  end
  always_comb if (f_started_q && rst_ni) begin
    a_never_missed:  assert (!(f_read_q && f_pending_q) || maybe_o);
    a_warm_is_maybe: assert (!(f_read_q && !f_fresh_q) || maybe_o);
    a_cold_is_clear: assert (!f_sure_q || !maybe_o);
    a_ack_in_time:   assert (f_wait_q < 2'd2);
    a_ack_is_asked:  assert (!set_ack_o || set_i);
  end
