// fifo: order, no loss, no duplicate, ready while a slot is free; full and empty tell the items held.
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
