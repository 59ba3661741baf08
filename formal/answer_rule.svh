// Contract of a server that answers: an answer is on offer only while something that was asked is not answered. For
// `include behind reset.svh. The server proves it (promise = assert), the client relies on it (promise = assume).
// `asked`: a request is taken now; `valid`, `ready`: of the answer. g_<label>.f_open_q: requests that are not answered.
`define ANSWER_RULE(label, promise, asked, valid, ready) \
  if (1) begin : g_``label \
    logic [15:0] f_open_q; \
    always_ff @(posedge clk_i) begin \
      if (!rst_ni) f_open_q <= '0; \
      else f_open_q <= f_open_q + 16'(asked) - 16'((valid) && (ready)); \
    end \
    always_comb if (f_started_q) p_``label: promise (!(valid) || f_open_q != '0); \
  end
