// What dup_detect_core promises dedup_front (eq. 2 of CMD IV.B): the merged mask is old or new. The core proves it
// (promise = assert, dup_detect_core_props.svh); dedup_front relies on it (promise = assume), with the core free.
`define MERGED_MASK(label, promise, merged, old_mask, new_mask) \
  always_comb p_``label: promise ((merged) == ((old_mask) | (new_mask)));
