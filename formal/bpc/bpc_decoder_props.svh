// The stream keeps the rule; a raw line is answered after 1 cycle, any other after 34 + Words, whatever the bits
// are. (Included in bpc_decoder.)
  `include "reset.svh"
  logic [6:0] f_age_q;  // cycles since the stream was taken
  logic       f_coded_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !busy_q) f_age_q <= '0;
    else if (!out_valid_o)  f_age_q <= f_age_q + 7'd1;
    if (!busy_q) f_coded_q <= in_bits_i[0];
  end
  always_comb if (f_started_q) begin
    a_ready:   assert (in_ready_o == !busy_q);
    a_coded:   assert (!busy_q || !f_coded_q || f_age_q == step_q);
    a_raw:     assert (!busy_q || f_coded_q || out_valid_o);
    a_run:     assert (!busy_q || run_q <= 6'd32);
    c_answer:  cover (out_valid_o && out_ready_i && f_coded_q);
  end
