// What slot_alloc relies on. dedup_write never frees a slot in the cycle in which it asks for the next candidate. It
// reports one line at a time, and not in the next cycle again. From its first candidate until it takes one, with a
// report that the line cannot lend any more, it reports and frees nothing else. While the counts are written or
// searched it does nothing. promise: assert there, assume in slot_alloc.
`define ALLOC_RULE(label, promise, push, next, up, down, busy, clearing) \
  if (1) begin : g_``label \
    logic f_borrows_q, f_reported_q; \
    always_ff @(posedge clk_i) begin \
      f_borrows_q  <= rst_ni && (f_borrows_q || (next)) && !(down); \
      f_reported_q <= rst_ni && ((up) || (down)); \
    end \
    always_comb if (f_started_q) begin \
      p_``label``_one:    promise (!((push) && (next)) && !((up) && (down)) && !((next) && ((up) || (down)))); \
      p_``label``_apart:  promise (!(f_reported_q && ((up) || (down)))); \
      p_``label``_borrow: promise (!(f_borrows_q && ((up) || (push)))); \
      p_``label``_quiet:  promise (!((busy) && ((push) || (next) || (up) || (down))) && \
                                   !((clearing) && ((next) || (up) || (down)))); \
    end \
  end
// What slot_alloc relies on: after a reset slot_groups writes its counts, for a cycle at least, and then never again.
`define CLEARS_RULE(label, promise, clearing) \
  if (1) begin : g_``label \
    logic f_reset_q, f_clearing_q; \
    always_ff @(posedge clk_i) begin \
      f_reset_q    <= !rst_ni; \
      f_clearing_q <= rst_ni && (clearing); \
    end \
    always_comb if (f_started_q && rst_ni) begin \
      p_``label``_first: promise (!f_reset_q || (clearing)); \
      p_``label``_once:  promise (!(clearing) || f_reset_q || f_clearing_q); \
    end \
  end
// What slot_groups relies on: between two reports, and between a report and a search, lies a cycle at least; there is
// none while the counts are written or searched.
`define GROUPS_RULE(label, promise, up, down, find, finding, clearing) \
  if (1) begin : g_``label \
    logic f_reported_q; \
    always_ff @(posedge clk_i) f_reported_q <= rst_ni && ((up) || (down)); \
    always_comb if (f_started_q) begin \
      p_``label``_one:   promise (!((up) && (down)) && !((find) && ((up) || (down)))); \
      p_``label``_apart: promise (!(f_reported_q && ((up) || (down) || (find)))); \
      p_``label``_quiet: promise (!(((finding) || (clearing)) && ((up) || (down) || (find)))); \
    end \
  end
