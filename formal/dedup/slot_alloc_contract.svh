// What slot_alloc relies on: dedup_write never frees a slot in the cycle in which it asks for the next candidate.
// promise: assert there, assume in slot_alloc.
`define ALLOC_RULE(label, promise, push, next) \
  always_comb if (f_started_q) p_``label: promise (!((push) && (next)));
