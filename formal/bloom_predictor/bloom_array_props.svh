// bloom_array: one freely chosen key f_key is followed.
//
//   - no false negative: inserted when it was inserted before and fewer than Period keys came in between, seen_o
//     is 1 (Threshold 1);
//   - a clear is complete before the arrays change roles, and the array that becomes active holds Period inserts;
//   - the active array is never written by a clear but after a flush, when no key is taken.
//
// bloom_bank is free (stub=bloom_bank) but for what bloom_bank_props proves of it: the counter that f_key names
// in a bank has the number of additions since it was cleared, of which only "none or some" is needed here.
// The hash may be any function: only the places of f_key itself are looked at, and other keys may share them.
`ifdef FORMAL_BLOOM_ARRAY_LIVE
  `include "bloom_array_live_props.svh"
`else
  `include "reset.svh"
  (* anyconst *) logic [KeyBits-1:0] f_key;
  logic       f_mine_q;              // the key being tested is f_key
  logic [3:0] f_use_q;               // the banks of f_key
  logic       f_known_q;             // f_use_q is known
  logic [7:0] f_some_q;              // per array and bank: the counter of f_key is not 0
  logic [1:0] f_holds_q;             // per array: the last insert of f_key went into it, and it was not cleared since
  logic       f_inserted_q;          // f_key was inserted since the last flush
  logic [PeriodBits:0] f_since_q;    // keys inserted since (up to Period)
  logic       f_change_q;

  assign f_known_q = f_inserted_q;
  for (genvar a = 0; a < 2; a++) begin : g_f_array
    for (genvar b = 0; b < 4; b++) begin : g_f_bank
      // The bank's contract at f_key's counter.
      always_comb if (f_mine_q && valid_q && !both_q && use_q[b]) begin
        assume ((counts[(a*4 + b)*CounterBits +: CounterBits] != '0) || !f_some_q[a*4 + b]);
      end
      always_ff @(posedge clk_i) begin
        if (g_array[a].clears) f_some_q[a*4 + b] <= 1'b0;  // at worst its word is the first one cleared
        else if (g_array[a].takes && f_mine_q && use_q[b]) f_some_q[a*4 + b] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    f_mine_q <= insert_i && key_i == f_key;
    if (!rst_ni || flush_i) begin
      f_inserted_q <= 1'b0;
      f_holds_q    <= 2'b00;
    end else if (valid_q && !both_q) begin
      if (f_mine_q) begin
        f_inserted_q <= 1'b1;
        f_since_q    <= '0;
        f_use_q      <= use_q;
        f_holds_q    <= clearing_q ? {active_q, !active_q} : 2'b11;
      end else if (f_since_q != (PeriodBits + 1)'(Period)) begin
        f_since_q <= f_since_q + 1'b1;
      end
      if (change) f_holds_q[active_q] <= 1'b0;
    end
  end

  always_comb m_only_when_ready: assume (!insert_i || ready_o);
  // The same key uses the same banks.
  always_comb m_hash_is_a_function: assume (!(f_mine_q && f_inserted_q) || use_q == f_use_q);

  logic f_recent;  // fewer than Period keys since the last insert of f_key
  assign f_recent = f_inserted_q && f_since_q < (PeriodBits + 1)'(Period);
  always_comb if (f_started_q) begin
    a_no_false_negative: assert (!(valid_q && f_mine_q && f_recent) || seen_o);
    a_since_in_range:    assert (!f_inserted_q || f_since_q <= (PeriodBits + 1)'(Period));
    a_active_holds:      assert (!f_recent || f_holds_q[active_q]);
    a_other_holds:       assert (!(f_inserted_q && !clearing_q && f_since_q < {1'b0, taken_q}) || f_holds_q[!active_q]);
    a_nothing_in_clear:  assert (!(f_inserted_q && clearing_q) || !f_holds_q[!active_q]);
    a_held_is_counted_0: assert (!f_holds_q[0] || (f_some_q[3:0] & f_use_q) == f_use_q);
    a_held_is_counted_1: assert (!f_holds_q[1] || (f_some_q[7:4] & f_use_q) == f_use_q);
    a_both_is_clearing:  assert (!both_q || clearing_q);
    a_none_in_both:      assert (!both_q || (!f_inserted_q && !f_holds_q[0] && !f_holds_q[1]));
    a_word_in_range:     assert (word_q <= (WordBits + 1)'(Words));
    a_word_at_rest:      assert (clearing_q || word_q == '0);
    a_taken_in_range:    assert ({1'b0, taken_q} < (PeriodBits + 1)'(Period));
    a_taken_in_clear:    assert (!clearing_q || taken_q == '0);
    a_not_cleared_live:  assert (!(g_array[0].clears && !both_q && active_q == 1'b0) &&
                                 !(g_array[1].clears && !both_q && active_q == 1'b1));
    a_no_write_clash:    assert (!(g_array[0].clears && g_array[0].takes) && !(g_array[1].clears && g_array[1].takes));
    a_change_when_full:  assert (!f_change_q || (clearing_q && word_q == '0));
  end
  always_ff @(posedge clk_i) f_change_q <= rst_ni && change && !flush_i;
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_seen_at_last:  cover (valid_q && f_mine_q && f_recent && f_since_q == (PeriodBits + 1)'(Period - 1));
    c_seen_in_clear: cover (valid_q && f_mine_q && f_recent && clearing_q);
    c_forgotten:     cover (valid_q && f_mine_q && f_inserted_q && !f_holds_q[active_q] && !seen_o);
    c_second_turn:   cover (change && active_q);
  end
`endif
