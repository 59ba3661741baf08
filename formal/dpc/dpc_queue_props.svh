// The stream keeps order and loses nothing: a queue of three items, whatever stands in front of or behind it.
// (Included in dpc_queue.) f_count_q counts the items inside; the item that enters as number f_mark is followed.
  `include "reset.svh"
  logic [1:0]       f_count_q, f_ahead_q;
  logic             f_marked_q, f_out_q;
  logic [Width-1:0] f_item_q;
  logic             f_push, f_pop;
  (* anyseq *) logic f_mark;
  assign f_push = in_valid_i && in_ready_o;
  assign f_pop  = out_valid_o && out_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_count_q  <= '0;
      f_marked_q <= 1'b0;
      f_out_q    <= 1'b0;
    end else begin
      f_count_q <= f_count_q + 2'(f_push) - 2'(f_pop);
      if (f_mark && f_push && !f_marked_q) begin
        f_marked_q <= 1'b1;
        f_item_q   <= in_data_i;
        f_ahead_q  <= f_count_q - 2'(f_pop);
      end else if (f_marked_q && !f_out_q && f_pop) begin
        f_ahead_q <= f_ahead_q - 2'd1;
        if (f_ahead_q == '0) f_out_q <= 1'b1;
      end
    end
  end
  always_comb if (f_started_q) begin
    a_count: assert (f_count_q == held_q + 2'(head_valid_q));
    a_ready: assert (in_ready_o == (held_q != 2'd2));
    a_item:  assert (!(f_marked_q && !f_out_q && f_ahead_q == '0 && out_valid_o) || out_data_o == f_item_q);
    c_three: cover (f_marked_q && !f_out_q && f_ahead_q == 2'd2);
    c_taken: cover (f_out_q);
  end
