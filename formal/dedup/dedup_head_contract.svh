// What dedup_write relies on about the write that it commits. HEAD_RULE: of dedup_front, for a head that is ready: at
// most one of intra-duplicate, hashed and passing; an untouched line has no old sectors. SOME_RULE: of
// dedup_write_buffer: a sector written in part is a sector written. promise: assert there, assume in dedup_write.
`define HEAD_RULE(label, promise, ready, intra, hashed, pass, line_type, old_mask) \
  always_comb if (f_started_q) p_``label: promise (!(ready) || ($onehot0({intra, hashed, pass}) && \
                                                                ((line_type) != 2'b00 || (old_mask) == '0)));
`define SOME_RULE(label, promise, held, some, mask) \
  always_comb if (f_started_q) p_``label: promise (!(held) || ((some) & ~(mask)) == '0);
// COMMIT_RULE: of dedup_write, to dedup_front: it begins with a head that is ready, and drops it later, one at a time.
// g_<label>.f_open_q: a commit has begun.
`define COMMIT_RULE(label, promise, ready, commit, drop) \
  if (1) begin : g_``label \
    logic f_open_q; \
    always_ff @(posedge clk_i) f_open_q <= rst_ni && ((commit) || (f_open_q && !(drop))); \
    always_comb if (f_started_q) begin \
      p_``label``_begins: promise (!(commit) || ((ready) && !f_open_q)); \
      p_``label``_ends:   promise (!(drop) || f_open_q); \
    end \
  end
