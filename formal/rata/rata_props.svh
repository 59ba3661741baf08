// rata: two freely chosen lines A and B of one freely chosen set f_set are followed. As the choice is free, what
// holds for them holds for all lines.
//
//   - a lookup of A hits exactly if A is present and its owner is another SM, and names the SM that A was allocated
//     for last; A is present from its allocation until a clear, an invalidation, a drop by its owner, or eviction;
//   - A is evicted only by the allocation of an absent line in a full set, and never while a line used longer
//     ago is there: exact LRU;
//   - A is in one way at most; of two present lines the one used later stands in front (the order of the row is
//     the order of use, a permutation by construction);
//   - an update waits for one lookup at most; the response FIFO never overflows;
//   - what is accepted reaches the tag stage (a clear: the live bits), unchanged, an update by way of its register;
//   - what the tag stage answers leaves at the response port, unchanged and in order (with the real FIFO only);
//   - busy_o is high exactly while something is held: an update, an operation, a turn, a response.
//
// Memory and FIFO are free (stub=ram_1r1w,fifo) but for what formal/common proves of them: a read returns the
// word written last, before a write of the same cycle; the FIFO is ready unless it holds Depth items, and
// offers unless it is empty. With RATA_REAL both are the real ones and that is asserted instead; with RATA_FIFO
// the FIFO is.
`ifdef FORMAL_RATA_LIVE
  `include "rata_live_props.svh"
`else
  `include "reset.svh"
`ifdef RATA_REAL
  `define PROMISE assert
  `define RATA_FIFO
`else
  `define PROMISE assume
`endif
`ifdef RATA_FIFO
  `define FIFO_PROMISE assert
`else
  `define FIFO_PROMISE assume
`endif

  // The row of set f_set in the memory.
  (* anyconst *) logic [SetBits-1:0] f_set;
  logic [RowBits-1:0] f_word_q, f_rdata_q;
  logic               f_read_q;      // row is the row of f_set
`ifdef RATA_REAL
  logic               f_known_q;     // it was written, so that we know it
  initial f_known_q = 1'b0;
  always_ff @(posedge clk_i) if (row_we && set_q == f_set) f_known_q <= 1'b1;
`else
  logic               f_known_q;
  assign f_known_q = 1'b1;
`endif
  initial f_read_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (row_we && set_q == f_set) f_word_q <= row_new;
    if (read) begin
      f_read_q  <= set == f_set && f_known_q;
      f_rdata_q <= f_word_q;
    end
  end
  always_comb a_memory: `PROMISE (!f_read_q || row == f_rdata_q);

  // The response FIFO.
  logic [2:0] f_held_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_held_q <= '0;
    else f_held_q <= f_held_q + 3'(tag_valid_q && !tag_update_q) - 3'(rsp_fire);
  end
  always_comb if (f_started_q) begin
    a_fifo_ready: `FIFO_PROMISE (unused_fifo_ready == (f_held_q < 3'(RspSlots)));
    a_fifo_valid: `FIFO_PROMISE (rsp_valid_o == (f_held_q != '0));
    a_credit:     assert (3'(credit_q) == f_held_q + 3'(tag_valid_q && !tag_update_q));
    a_held:       assert (f_held_q + 3'(tag_valid_q && !tag_update_q) <= 3'(RspSlots));
  end
`ifdef RATA_FIFO
  // The answers that it must hold, the oldest at the bottom: nothing but the port shows what enters it.
  logic [RspSlots*(1+SmBits)-1:0] f_answers_q, f_answers;
  logic [2:0]                     f_after_pop;
  assign f_after_pop = f_held_q - 3'(rsp_fire);
  always_comb begin
    f_answers = rsp_fire ? f_answers_q >> (1 + SmBits) : f_answers_q;
    for (int unsigned i = 0; i < RspSlots; i++) begin
      if (tag_valid_q && !tag_update_q && f_after_pop == 3'(i)) begin
        f_answers[i*(1+SmBits) +: 1+SmBits] = {hit, owner & {SmBits{hit}}};
      end
    end
  end
  always_ff @(posedge clk_i) f_answers_q <= f_answers;
  always_comb if (f_started_q) begin
    a_answer_leaves: assert (!rsp_valid_o || {rsp_hit_o, rsp_owner_o} == f_answers_q[SmBits:0]);
  end
`endif

  // What was accepted: where it is, and all of it. The models below speak of the tag stage's registers.
  logic                           f_wait_q, f_tag_q, f_update_q, f_to_tag;
  logic                           f_turn_q;  // a lookup that had room was held off: its turn
  logic [1:0]                     f_wait_op_q, f_op_q;
  logic [LineBits+SmBits-1:0]     f_wait_for_q, f_for_q;
  assign f_to_tag = update_go && f_wait_op_q != Clear;
  always_ff @(posedge clk_i) begin
    f_wait_q   <= rst_ni && ((update_valid_i && update_ready_o) || (f_wait_q && !update_go));
    f_tag_q    <= rst_ni && (f_to_tag || (lookup_valid_i && lookup_ready_o));
    f_update_q <= f_to_tag;
    f_turn_q   <= rst_ni && lookup_valid_i && !lookup_ready_o && credit_q != 2'(RspSlots);
    f_op_q     <= f_wait_op_q;
    f_for_q    <= f_to_tag ? f_wait_for_q : {lookup_line_i, lookup_sm_i};
    if (update_valid_i && update_ready_o) begin
      f_wait_op_q  <= update_op_i;
      f_wait_for_q <= {update_line_i, update_sm_i};
    end
  end
  always_comb if (f_started_q) begin
    a_update_waits: assert (wait_valid_q == f_wait_q && (!wait_valid_q || (wait_op_q == f_wait_op_q &&
                            {wait_line_q, wait_sm_q} == f_wait_for_q)));
    a_update_goes:  assert (!update_go || (f_wait_q && !lookup_ready_o));
    a_busy:         assert (busy_o == (f_wait_q || f_tag_q || f_turn_q || rsp_valid_o));
    a_reaches_tags: assert (tag_valid_q == f_tag_q && (!tag_valid_q || (tag_update_q == f_update_q &&
                            (!tag_update_q || tag_op_q == f_op_q) && {tag_q, set_q, sm_q} == f_for_q)));
  end

  // The lines.
  (* anyconst *) logic [TagBits-1:0] f_tag_a;
  (* anyconst *) logic [TagBits-1:0] f_tag_b;
  always_comb m_two_lines: assume (f_tag_a != f_tag_b);
  logic              f_here, f_op_a, f_op_b, f_allocate, f_lookup, f_clear;
  logic              f_a_q, f_b_q;              // present
  logic [SmBits-1:0] f_owner_a_q, f_owner_b_q;
  logic              f_a_later_q;               // A was used after B
  logic              f_hit_a, f_hit_b, f_full, f_evict_a, f_evict_b;
  assign f_here     = tag_valid_q && set_q == f_set;
  assign f_op_a     = f_here && tag_q == f_tag_a;
  assign f_op_b     = f_here && tag_q == f_tag_b;
  assign f_allocate = tag_update_q && tag_op_q == Allocate;
  assign f_lookup   = !tag_update_q;
  assign f_clear    = update_go && wait_op_q == Clear;
  assign f_hit_a    = f_op_a && f_lookup && f_a_q && f_owner_a_q != sm_q;
  assign f_hit_b    = f_op_b && f_lookup && f_b_q && f_owner_b_q != sm_q;
  assign f_full     = f_here && f_allocate && &valid && !present;  // the last entry falls out
  assign f_evict_a  = f_full && data[Ways*DataBits-1 -: TagBits] == f_tag_a;
  assign f_evict_b  = f_full && data[Ways*DataBits-1 -: TagBits] == f_tag_b;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || f_clear) begin
      f_a_q <= 1'b0;
      f_b_q <= 1'b0;
    end else begin
      if (f_op_a && tag_update_q) begin
        if (tag_op_q == Allocate) f_a_q <= 1'b1;
        if (tag_op_q == Invalidate || (tag_op_q == Drop && f_owner_a_q == sm_q)) f_a_q <= 1'b0;
      end
      if (f_op_b && tag_update_q) begin
        if (tag_op_q == Allocate) f_b_q <= 1'b1;
        if (tag_op_q == Invalidate || (tag_op_q == Drop && f_owner_b_q == sm_q)) f_b_q <= 1'b0;
      end
      if (f_evict_a) f_a_q <= 1'b0;
      if (f_evict_b) f_b_q <= 1'b0;
    end
    if (f_op_a && f_allocate) f_owner_a_q <= sm_q;
    if (f_op_b && f_allocate) f_owner_b_q <= sm_q;
    if ((f_op_a && f_allocate) || f_hit_a) f_a_later_q <= 1'b1;
    if ((f_op_b && f_allocate) || f_hit_b) f_a_later_q <= 1'b0;
  end

  // Where they are in the row.
  logic [Ways-1:0] f_at_a, f_at_b, f_from_a;  // way of A, of B, ways behind A
  logic            f_live, f_own_a, f_own_b, f_same_row;
  assign f_live = live_q[f_set];
  always_comb begin
    f_own_a    = 1'b1;
    f_own_b    = 1'b1;
    f_same_row = 1'b1;
    for (int unsigned w = 0; w < Ways; w++) begin
      f_at_a[w] = f_live && f_word_q[w*EntryBits + DataBits] && f_word_q[w*EntryBits + SmBits +: TagBits] == f_tag_a;
      f_at_b[w] = f_live && f_word_q[w*EntryBits + DataBits] && f_word_q[w*EntryBits + SmBits +: TagBits] == f_tag_b;
      if (f_at_a[w] && f_word_q[w*EntryBits +: SmBits] != f_owner_a_q) f_own_a = 1'b0;
      if (f_at_b[w] && f_word_q[w*EntryBits +: SmBits] != f_owner_b_q) f_own_b = 1'b0;
      if (valid[w] != (f_live && f_word_q[w*EntryBits + DataBits])) f_same_row = 1'b0;
      if (valid[w] && data[w*DataBits +: DataBits] != f_word_q[w*EntryBits +: DataBits]) f_same_row = 1'b0;
    end
    f_from_a[0] = 1'b0;
    for (int unsigned w = 1; w < Ways; w++) f_from_a[w] = |(f_at_a & Ways'((1 << w) - 1));
  end

  always_comb if (f_started_q) begin
    a_row_is_forwarded: assert (!f_here || f_same_row);
    a_tag_row_is_known: assert (!f_here || !row_live_q || f_read_q);
    a_live_is_known:    assert (!f_live || f_known_q);
    a_a_in_one_way:     assert ($onehot0(f_at_a));
    a_b_in_one_way:     assert ($onehot0(f_at_b));
    a_a_present:        assert (f_a_q == |f_at_a);
    a_b_present:        assert (f_b_q == |f_at_b);
    a_a_owner:          assert (f_own_a);
    a_b_owner:          assert (f_own_b);
    a_order_of_use:     assert (!(f_a_q && f_b_q) || f_a_later_q == |(f_at_b & f_from_a));
    a_lookup_answer:    assert (!(f_op_a && f_lookup) || (hit == f_hit_a && (!hit || owner == f_owner_a_q)));
    a_lru:              assert (!(f_evict_a && f_b_q && f_a_later_q));
    a_evicted_if_full:  assert (!f_evict_a || (f_a_q && &valid));
  end
  logic f_kept_waiting_q;
  always_ff @(posedge clk_i) f_kept_waiting_q <= rst_ni && wait_valid_q && !update_go;
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_waits_once:    assert (!f_kept_waiting_q || update_go);
    c_hit:           cover (f_hit_a && f_b_q && !f_a_later_q);
    c_evicted:       cover (f_evict_a && f_b_q);
    c_own_pointer_a: cover (f_op_a && f_lookup && f_a_q && !f_hit_a);
    c_cleared:       cover (f_clear && f_a_q && f_b_q);
    c_dropped:       cover (f_op_a && tag_update_q && tag_op_q == Drop && f_a_q && f_owner_a_q == sm_q);
  end
`undef PROMISE
`undef FIFO_PROMISE
`endif
