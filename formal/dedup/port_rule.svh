// Contract of request ports, `width` of them, that make lookups. The server grants only what is wanted, and answers
// only lookups that it granted. The client wants nothing while its lookup is open, so an answer names its request.
// For `include behind reset.svh. `quiet`: what is granted will not be answered. g_<label>.f_out_q: open lookups.
// `server`, `client`: assert in the part that keeps this half, assume in the other one.
`define PORT_RULE(label, server, client, width, want, grant, quiet, rsp) \
  if (1) begin : g_``label \
    logic [width-1:0] f_out_q; \
    always_ff @(posedge clk_i) f_out_q <= rst_ni ? (f_out_q & ~(rsp)) | ((grant) & ~(quiet)) : '0; \
    always_comb if (f_started_q) begin \
      p_``label``_granted: server (((grant) & ~(want)) == '0); \
      p_``label``_answers: server (((rsp) & ~f_out_q) == '0); \
      p_``label``_one:     client (((want) & f_out_q) == '0); \
    end \
  end
// Of a client: what it asks for is one of `count` numbers from `first` on.
`define RANGE_RULE(label, promise, want, number, first, count) \
  always_comb if (f_started_q) p_``label: promise (!(want) || (32'(number) >= (first) && \
                                                                32'(number) < (first) + (count)));
// Of a server, without answers.
`define GRANT_RULE(label, promise, want, grant) \
  always_comb if (f_started_q) p_``label: promise (((grant) & ~(want)) == '0);
