// fifo: order, no loss, no duplicate, ready while a slot is free; full and empty tell the items held.
`ifdef FORMAL_FIFO_LIVE
  `include "reset.svh"
  `include "live.svh"
  `LIVE_STREAM(live, in_valid_i, in_ready_o, out_valid_o, out_ready_i, Depth, 0)
  `LIVE_ACCEPT(live_accept, 1'b1, in_ready_o, g_live.f_held_q < 16'(Depth) ? 16'd0 : g_live.f_left + 16'd1,
               Depth == 1 ? `LIVE_K : `LIVE_K - 1)
`else
  `include "stream_order.svh"
  logic [15:0] f_slot;  // where the chosen item must be
  assign f_slot = (16'(head_q) + f_ahead_q >= 16'(Depth)) ? 16'(head_q) + f_ahead_q - 16'(Depth) : 16'(head_q) + f_ahead_q;

  always_comb if (f_started_q) begin
    a_held_in_range:       assert (f_held_q <= 16'(Depth));
    a_ready_iff_room:      assert (in_ready_o == (f_held_q < 16'(Depth)));
    a_pointers_in_range:   assert (16'(head_q) < 16'(Depth) && 16'(tail_q) < 16'(Depth));
    a_pointers_apart:      assert (16'(tail_q) == 16'(head_q) + f_held_q || 16'(tail_q) + 16'(Depth) == 16'(head_q) + f_held_q);
    a_item_in_its_slot:    assert (!f_tracked_q || items_q[f_slot[PtrBits-1:0]] == f_item_q);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_tracked_behind_others: cover (f_tracked_q && f_ahead_q == 16'(Depth - 1) && f_held_q == 16'(Depth));
    c_tail_wrapped:          cover (tail_q == '0 && f_held_q == 16'(Depth));
  end
`endif
