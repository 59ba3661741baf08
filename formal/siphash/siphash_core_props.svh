// siphash_core: what enters the state in every cycle, and the time of everything, by induction. Holds for any function
// in place of siphash_half; that it is the right one is proved beside it. README.md says how the pieces compose.
`ifdef FORMAL_SIPHASH_CORE_LIVE
  `include "siphash_core_live_props.svh"
`else
  `include "reset.svh"
  localparam int unsigned FWord = 4 / HalfRoundsPerCycle;  // cycles of two rounds
  localparam int unsigned FTag  = 8 / HalfRoundsPerCycle;  // cycles of four rounds

  function automatic logic [63:0] f_fold(input logic [255:0] v);
    f_fold = v[63:0] ^ v[127:64] ^ v[191:128] ^ v[255:192];
  endfunction

  // f_word_q: cycle within a word; f_tag_q: cycles since the last word, from 1, 0 when there was none.
  logic         f_past_q, f_run_q, f_wait_q, f_over_q;
  logic [3:0]   f_word_q;
  logic [4:0]   f_tag_q;
  logic [255:0] f_out_q, f_init_q;
  logic [63:0]  f_one_q, f_two_q, f_after;
  logic         f_message;  // a word is at work
  assign f_message = run && f_tag_q == '0;
`ifdef PLANT_CORE_WORD_LATE
  assign f_after = f_message && f_word_q == 4'd0 ? msg_word_i : 64'd0;
`else
  assign f_after = f_message && f_word_q == 4'(FWord - 1) ? msg_word_i : 64'd0;
`endif
  initial f_past_q = 1'b0;
  always_ff @(posedge clk_i) begin
    f_past_q <= rst_ni;
    f_run_q  <= run;
    f_wait_q <= done_q && !take;
    f_over_q <= rst_ni && f_tag_q == 5'(2 * FTag);
    f_out_q  <= v_out ^ {192'd0, f_after};
    f_init_q <= v_init;
    if (!rst_ni || !f_message || f_word_q == 4'(FWord - 1)) f_word_q <= '0;
    else f_word_q <= f_word_q + 4'd1;
    if (!rst_ni || f_tag_q == 5'(2 * FTag)) f_tag_q <= '0;
    else if (f_tag_q != '0 || (msg_next_o && msg_last_i)) f_tag_q <= f_tag_q + 5'd1;
    if (f_tag_q == 5'(FTag)) f_one_q <= f_fold(v_out);
    if (f_tag_q == 5'(2 * FTag)) f_two_q <= f_fold(v_out);
  end
  always_comb if (f_past_q) begin
    a_word_time:  assert (f_tag_q != '0 || step_q == StepBits'(f_word_q));
    a_word_range: assert (f_word_q < 4'(FWord) && (busy_q || f_word_q == '0));
    a_asks_next:  assert (msg_next_o == (busy_q && f_tag_q == '0 && f_word_q == 4'(FWord - 1)));
    a_first_tag:  assert (first_tag_q == (f_tag_q >= 5'd1 && f_tag_q <= 5'(FTag)));
    a_second_tag: assert (second_tag_q == (f_tag_q > 5'(FTag)));
    a_tag_time:   assert (f_tag_q == '0 || step_q == StepBits'(f_tag_q - 5'd1));
    a_tag_range:  assert (f_tag_q <= 5'(2 * FTag) && (busy_q || f_tag_q == '0));
    a_not_both:   assert (!(busy_q && done_q));
    a_word_in:    assert (v_in[255:192] == (v_q[255:192] ^ (f_tag_q == '0 && f_word_q == '0 ? msg_word_i : 64'd0)));
    a_ee_in:      assert (v_in[191:128] == (v_q[191:128] ^ (f_tag_q == 5'd1 ? 64'hee : 64'd0)));
    a_dd_in:      assert (v_in[127:64] == (v_q[127:64] ^ (f_tag_q == 5'(FTag + 1) ? 64'hdd : 64'd0)));
    a_v0_in:      assert (v_in[63:0] == v_q[63:0]);
    a_rounds:     assert (!f_run_q || v_q == f_out_q);
    a_initial:    assert (f_run_q || f_wait_q || v_q == f_init_q);
    a_one:        assert (f_tag_q <= 5'(FTag + 1) || first_q == f_one_q);
    a_fold_one:   assert (f_tag_q != 5'(FTag + 1) || folded == f_one_q);
    a_tag:        assert (!out_valid_o || out_digest_o == {f_two_q, f_one_q});
    a_tag_comes:  assert (!f_over_q || out_valid_o);
    a_offer:      assert (out_valid_o == done_q && start_ready_o == (!busy_q && !done_q));
  end
`endif
