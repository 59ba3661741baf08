// Contract between axis_from_line and what gives it lines of several lengths, for `include behind reset.svh: a line
// has 1 to `most` bits. bpc_encoder proves it (promise = assert), axis_from_line relies on it (promise = assume).
`define LINE_LENGTH(label, promise, valid, length, most) \
  always_comb if (f_started_q) p_``label: promise (!(valid) || ((length) != '0 && 32'(length) <= 32'(most)));
