// The valid/ready rule as a contract, for `include behind reset.svh: once valid is high it stays, with the same
// payload, until ready takes it. The side that drives the stream proves it (promise = assert; stream_check.sv does so
// inside the blocks), the other side relies on it (promise = assume). g_<label>.f_waits_q: the offer of the cycle
// before was not taken.
`define STREAM_RULE(label, promise, width, valid, ready, data) \
  if (1) begin : g_``label \
    logic             f_waits_q; \
    logic [width-1:0] f_data_q; \
    always_ff @(posedge clk_i) begin \
      f_waits_q <= rst_ni && (valid) && !(ready); \
      f_data_q  <= data; \
    end \
    always_comb if (f_started_q) begin \
      p_``label``_valid: promise (!f_waits_q || (valid)); \
      p_``label``_data:  promise (!f_waits_q || f_data_q == (data)); \
    end \
  end
