// What dedup_read relies on, and what others rely on it for. promise: assert in the part named first, else assume.
// FORWARD_RULE: of dedup_write_buffer, to dedup_read: only sectors that the read asks for are forwarded.
// DENY_RULE: of dedup, to dedup_read: only a lookup of R's type is rejected; any other one would wait for ever.
// REGION_RULE: of dedup_read, to dedup_region: nothing is asked while the filter is busy.
// LOAD_RULE: of dedup_read and dedup, to dedup_front and dedup_write: a part has the banks only if it wants them.
// With PORT_RULE: of dedup, to dedup_read: the three lookups of the contexts; of dedup_read, to dedup_write: the probe.
`define FORWARD_RULE(label, promise, forward, mask) \
  always_comb if (f_started_q) p_``label: promise (((forward) & ~(mask)) == '0);
`define DENY_RULE(label, promise, grant, deny, of_ref) \
  always_comb if (f_started_q) p_``label: promise (((grant) & (deny) & ~(of_ref)) == '0);
`define REGION_RULE(label, promise, read, busy) \
  always_comb if (f_started_q) p_``label: promise (!((read) && (busy)));
`define LOAD_RULE(label, promise, ok, want) \
  always_comb if (f_started_q) p_``label: promise (!(ok) || (want));
