// What dedup_front relies on while it looks at a line: the banks of dedup_write_buffer keep what they read last.
// BANKS_RULE: after a quiet cycle the data are the same. Of dedup_write_buffer, quiet: no read; of dedup, to
// dedup_front, quiet: it holds the banks. HOLD_RULE: of dedup_read: no read while they are held.
// promise: assert in the part named first, assume in the others.
`define BANKS_RULE(label, promise, width, quiet, data) \
  if (1) begin : g_``label \
    logic             f_quiet_q; \
    logic [width-1:0] f_data_q; \
    always_ff @(posedge clk_i) begin \
      f_quiet_q <= f_started_q && rst_ni && (quiet); \
      f_data_q  <= data; \
    end \
    always_comb if (f_started_q) p_``label: promise (!f_quiet_q || f_data_q == (data)); \
  end
`define HOLD_RULE(label, promise, read, hold) \
  always_comb if (f_started_q) p_``label: promise (!((read) && (hold)));
