// slot_alloc (ram_1r1w, slot_groups free): a pushed slot comes out of the ring in order, once, unless the ring was
// full; the ring is served before other lines; the scan visits lines in turn, a walk those of its group.
  `include "reset.svh"
  (* anyseq *) logic f_choose;
  logic                f_tracked_q;
  logic [15:0]         f_ahead_q, f_slot, f_addr_q;  // f_addr_q: where in the ring it was written
  logic                f_due_q, f_pop_q, f_scan_q, f_scanned_q, f_walked_q;
  logic [LineBits-1:0] f_last_scan_q;
  always_comb begin
    m_space: assume (cfg_spare_lines_i != '0 && cfg_spare_lines_i < cfg_total_lines_i &&
                            cfg_total_lines_i <= {1'b1, {LineBits{1'b0}}});
  end
  `include "slot_alloc_contract.svh"
  `ALLOC_RULE(alloc, assume, push_i, next_i, up_i, down_i, busy_o, clearing_o)
  `GROUPS_RULE(groups, assert, up_i, down_i, find, busy_o, clearing_o)
  `CLEARS_RULE(clears, assume, clearing_o)
  // Of slot_groups: a search is open from find on until the group is found, and that group has a line.
  logic f_search_q;
  always_ff @(posedge clk_i) f_search_q <= rst_ni && (find || (f_search_q && !found));
  always_comb if (f_started_q) begin
    m_search: assume (busy_o == f_search_q && (!found || busy_o));
    m_group:  assume (!found || {1'b0, group, {GroupBits{1'b0}}} < cfg_total_lines_i);
  end
  logic [LineBits:0] f_total_q, f_spare_q;
  always_ff @(posedge clk_i) begin
    f_total_q <= cfg_total_lines_i;
    f_spare_q <= cfg_spare_lines_i;
  end
  always_comb if (f_started_q) m_static: assume (f_total_q == cfg_total_lines_i && f_spare_q == cfg_spare_lines_i);

  always_ff @(posedge clk_i) begin
    f_due_q  <= rst_ni && next_i && f_tracked_q && f_ahead_q == '0;
    f_pop_q  <= rst_ni && next_i && 16'(count_q) != '0;
    f_scan_q <= rst_ni && step;
    if (!rst_ni) begin
      f_tracked_q <= 1'b0;
      f_scanned_q <= 1'b0;
    end else begin
      if (f_tracked_q && next_i) begin
        f_tracked_q <= f_ahead_q != '0;
        f_ahead_q   <= f_ahead_q - 16'd1;
      end else if (!f_tracked_q && f_choose && push_i && 16'(count_q) < 16'(FreeEntries)) begin
        f_tracked_q <= 1'b1;
        f_ahead_q   <= 16'(count_q);
        f_addr_q    <= 16'(tail_q);
      end
      if (step) begin
        f_scanned_q   <= 1'b1;
        f_last_scan_q <= at;
        f_walked_q    <= walking_q || found;
      end
    end
  end
  assign f_slot = (16'(head_q) + f_ahead_q >= 16'(FreeEntries)) ? 16'(head_q) + f_ahead_q - 16'(FreeEntries)
                                                                : 16'(head_q) + f_ahead_q;
  always_comb if (f_started_q) begin
    a_bounded:        assert (16'(count_q) <= 16'(FreeEntries));
    a_pointers:       assert (16'(head_q) < 16'(FreeEntries) && 16'(tail_q) < 16'(FreeEntries));
    a_apart:          assert (16'(tail_q) == 16'(head_q) + 16'(count_q) || 16'(tail_q) + 16'(FreeEntries) == 16'(head_q) + 16'(count_q));
    a_not_lost:       assert (!f_tracked_q || f_ahead_q < 16'(count_q));
    // The ring keeps a word until it is overwritten (proved for ram_1r1w), so order is order of addresses.
    a_in_its_slot:    assert (!f_tracked_q || f_addr_q == f_slot);
    a_not_overwritten: assert (!(f_tracked_q && push) || f_addr_q != 16'(tail_q));
    a_popped_from_its_slot: assert (!(f_tracked_q && next_i && f_ahead_q == '0) || (pop && f_addr_q == 16'(head_q)));
    a_in_order:       assert (!f_due_q || !scanned_o);
    a_ring_first:     assert (!f_pop_q || !scanned_o);
    a_scan_when_empty: assert (!f_scan_q || scanned_o);
    a_search_is_scan: assert (!busy_o || (scanned_o && tried_q));
    a_tried_scanned:  assert (!tried_q || f_scanned_q);
    a_clears_first:   assert (!(clearing_o && rst_ni) || !(f_scanned_q || f_search_q));
    a_tried_in_borrow: assert (!tried_q || g_alloc.f_borrows_q);
    a_found_after_try: assert (!walking_q || tried_q);
    a_scan_in_range:  assert (!f_scanned_q || ({1'b0, scan_q} < cfg_total_lines_i && {1'b0, f_last_scan_q} < cfg_total_lines_i));
    a_scan_next:      assert (!f_scanned_q || ({1'b0, scan_q} == {1'b0, f_last_scan_q} + 1'b1) ||
                              (!f_walked_q && scan_q == '0 && {1'b0, f_last_scan_q} + 1'b1 == cfg_total_lines_i) ||
                              (f_walked_q && scan_q == {f_last_scan_q[LineBits-1 -: NumBits], {GroupBits{1'b0}}} &&
                               ({1'b0, f_last_scan_q} + 1'b1 == cfg_total_lines_i || f_last_scan_q[GroupBits-1:0] == '1)));
    a_stays_in_group: assert (!(f_scanned_q && f_walked_q) || scan_q[LineBits-1 -: NumBits] == f_last_scan_q[LineBits-1 -: NumBits]);
    a_scan_candidate: assert (!f_scan_q || cand_o == f_last_scan_q);
  end
  always_comb if (f_started_q && rst_ni && !clearing_o && !f_scanned_q) begin
    a_scan_begins_at_spare: assert ({1'b0, scan_q} == cfg_total_lines_i - cfg_spare_lines_i);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_tracked_behind_others: cover (f_due_q && FreeEntries > 1 && head_q != '0);
    c_scan_wraps:            cover (f_scan_q && cand_o == '0 && !f_walked_q);
  end
