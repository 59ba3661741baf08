// Specification of an order-keeping stream buffer, for `include in a module with the stream ports in_*
// and out_* and the parameter Width: one freely chosen item is followed from its entry to its exit.
// As the choice is free, what holds for it holds for every item: it leaves after exactly the items that
// were ahead of it, once, unchanged. The including file ties f_held_q and f_item_q to the buffer's state
// so that induction closes.
  `include "reset.svh"
  (* anyseq *) logic f_choose;
  logic             f_in, f_out;
  logic             f_tracked_q;  // the chosen item is inside
  logic [15:0]      f_ahead_q;    // items that leave before it
  logic [15:0]      f_held_q;     // items inside
  logic [Width-1:0] f_item_q;

  assign f_in  = in_valid_i && in_ready_o;
  assign f_out = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_tracked_q <= 1'b0;
      f_held_q    <= '0;
    end else begin
      f_held_q <= f_held_q + 16'(f_in) - 16'(f_out);
      if (f_tracked_q && f_out) begin
        f_tracked_q <= f_ahead_q != '0;
        f_ahead_q   <= f_ahead_q - 1'b1;
      end else if (!f_tracked_q && f_in && f_choose) begin
        f_tracked_q <= 1'b1;
        f_ahead_q   <= f_held_q - 16'(f_out);
        f_item_q    <= in_data_i;
      end
    end
  end

  always_comb if (f_started_q) begin
    a_in_order:       assert (!(f_tracked_q && f_ahead_q == '0) || (out_valid_o && out_data_o == f_item_q));
    a_not_lost:       assert (!f_tracked_q || f_ahead_q < f_held_q);
    a_valid_iff_held: assert (out_valid_o == (f_held_q != '0));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_tracked_leaves: cover (f_tracked_q && f_out && f_ahead_q == '0);
  end
