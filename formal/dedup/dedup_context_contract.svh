// What dedup_read and dedup_context promise each other: included by both, behind reset.svh and inside a generate block
// that declares CN, the number of contexts, one bit for each in
//   c_alloc, c_free                                  a read begins; the context is free
//   c_type, c_type_grant, c_of_ref, c_deny           lookup of a type: wanted, granted, of R; a grant is rejected
//   c_mask, c_mask_grant, c_addr, c_addr_grant       the other lookups
//   c_dram, c_dram_grant, c_intra, c_intra_grant     requests without an answer
//   c_probe, c_probe_grant                           probe of the L2
//   c_type_rsp, c_mask_rsp, c_addr_rsp, c_probe_rsp  the answers
//   c_left                                           sectors to be served, 4 bits each
// and what all of them see: c_alloc_mask, sectors of the read that begins; c_hit, sectors that the probe brings.
// `PROMISE_USER is `assert` in dedup_read (formal/dedup/dedup_read_props.svh) and `assume` in dedup_context
// (formal/dedup/dedup_context_props.svh), `PROMISE_CONTEXT the other way round.
  `include "port_rule.svh"
  `PORT_RULE(context_type, `PROMISE_USER, `PROMISE_CONTEXT, CN, c_type, c_type_grant, c_deny, c_type_rsp)
  `PORT_RULE(context_mask, `PROMISE_USER, `PROMISE_CONTEXT, CN, c_mask, c_mask_grant, {CN{1'b0}}, c_mask_rsp)
  `PORT_RULE(context_addr, `PROMISE_USER, `PROMISE_CONTEXT, CN, c_addr, c_addr_grant, {CN{1'b0}}, c_addr_rsp)
  `PORT_RULE(context_probe, `PROMISE_USER, `PROMISE_CONTEXT, CN, c_probe, c_probe_grant, {CN{1'b0}}, c_probe_rsp)
  logic c_more;  // a probe brings a sector that is not to be served
  always_comb begin
    c_more = 1'b0;
    for (int unsigned c = 0; c < CN; c++) if (c_probe_rsp[c] && (c_hit & ~c_left[c*4 +: 4]) != '0) c_more = 1'b1;
  end
  always_comb if (f_started_q) begin
    p_alloc:   `PROMISE_USER ((c_alloc & ~c_free) == '0 && (c_alloc == '0 || c_alloc_mask != '0));
    p_granted: `PROMISE_USER ((c_dram_grant & ~c_dram) == '0 && (c_intra_grant & ~c_intra) == '0);
    p_denied:  `PROMISE_USER ((c_type_grant & c_deny & ~c_of_ref) == '0);  // others would wait for ever
    p_copied:  `PROMISE_USER (!c_more);
    p_idle:    `PROMISE_CONTEXT ((c_free & (c_type | c_mask | c_addr | c_dram | c_intra | c_probe)) == '0);
  end
