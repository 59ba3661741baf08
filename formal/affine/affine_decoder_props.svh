// The stream keeps order and loses nothing: outputs equal those of a two-item queue. (Included in
// affine_decoder, whose core is a function of the register slice's output.)
  `include "reset.svh"
`ifdef FORMAL_AFFINE_DECODER_LIVE
  `include "live.svh"
  `LIVE_STREAM(live, in_valid_i, in_ready_o, out_valid_o, out_ready_i, 2, 0)
  `LIVE_ACCEPT(live_accept, 1'b1, in_ready_o, g_live.f_held_q < 16'd2 ? 16'd0 : g_live.f_left + 16'd1, `LIVE_K - 1)
`else
  logic [1:0]        q_count_q;
  logic [Width+StrideBits-1:0] q_head_q, q_tail_q, q_in;
  logic              q_push, q_pop;
  assign q_in   = {in_base_i, in_stride_i};
  assign q_push = in_valid_i && in_ready_o;
  assign q_pop  = out_valid_o && out_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) q_count_q <= '0;
    else         q_count_q <= q_count_q + 2'(q_push) - 2'(q_pop);
    if (q_pop) q_head_q <= q_count_q == 2'd2 ? q_tail_q : q_in;
    else if (q_count_q == '0) q_head_q <= q_in;
    if (q_push) q_tail_q <= q_in;
  end
  always_comb if (f_started_q) begin
    a_valid: assert (out_valid_o == (q_count_q != '0));
    a_ready: assert (in_ready_o == (q_count_q != 2'd2));
    a_item:  assert (!out_valid_o || {base, stride} == q_head_q);
  end
`endif
