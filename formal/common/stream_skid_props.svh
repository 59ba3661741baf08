// stream_skid: order, no loss, no duplicate, two items deep.
`ifdef FORMAL_STREAM_SKID_LIVE
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live, in_valid_i, in_ready_o, out_valid_o, out_ready_i, 2, 0)
  `LIVE_ACCEPT(live_accept, 1'b1, in_ready_o, g_live.f_held_q < 16'd2 ? 16'd0 : g_live.f_left + 16'd1, `LIVE_K - 1)
`else
  `include "stream_order.svh"
  always_comb if (f_started_q) begin
    a_held_is_valid_bits: assert (f_held_q == 16'(head_valid_q) + 16'(spare_valid_q));
    a_ready_iff_room:     assert (in_ready_o == (f_held_q < 16'd2));
    a_order_of_slots:     assert (!spare_valid_q || head_valid_q);
    a_item_in_its_slot:   assert (!f_tracked_q || (f_ahead_q == '0 ? head_q : spare_q) == f_item_q);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_tracked_in_spare: cover (f_tracked_q && f_ahead_q == 16'd1);
    c_full_rate:        cover (f_in && f_out);
  end
`endif
