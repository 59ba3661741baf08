// What bloom_array promises bloom_predictor in time: included by both, inside a generate block that declares c_ready
// and c_flush (its ports) and CWords, the words of a bank. `PROMISE is `assert` in bloom_array, `assume` in
// bloom_predictor.
  logic [15:0] c_low_q, c_left;  // cycles not ready so far; at most so many more
  logic        c_was_ready_q;
  always_ff @(posedge clk_i) begin
    c_low_q       <= !rst_ni || c_flush || c_ready ? 16'd0 : c_low_q + 16'd1;
    c_was_ready_q <= rst_ni && c_ready && !c_flush;
  end
  assign c_left = c_ready ? 16'd0 : 16'(CWords + 1) - c_low_q;
  always_comb if (f_started_q) begin
    p_comes: `PROMISE (c_ready || 32'(c_low_q) <= CWords);
    p_stays: `PROMISE (c_ready || !c_was_ready_q);
  end
