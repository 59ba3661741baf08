// critical_data_tracker with an L1 that keeps its rules. One freely chosen line f_line and one freely chosen entry
// f_mshr are followed; as both are free, what holds for them holds for all. Nothing is assumed about the L1's tags:
// requests may name any line or entry as hit.
`ifdef FORMAL_CRITICAL_DATA_TRACKER_LIVE
  `include "critical_data_tracker_live_props.svh"
`else
  `include "reset.svh"
  (* anyconst *) logic [LineBits-1:0] f_line;
  (* anyconst *) logic [MshrBits-1:0] f_mshr;
  always_comb begin
    m_line: assume (32'(f_line) < Lines);
    m_mshr: assume (32'(f_mshr) < Mshrs);
  end

  // Stage 1 holds what was accepted, all of it: the statements here are about its registers.
  logic                           f_req_q, f_fill_q;
  logic [LineBits+MshrBits+6:0]   f_request_q;
  logic [LineBits+MshrBits+8:0]   f_reply_q;
  always_ff @(posedge clk_i) begin
    f_req_q     <= rst_ni && req_valid_i && req_ready_o;
    f_fill_q    <= rst_ni && fill_valid_i && fill_ready_o;
    f_request_q <= {req_mask_i, req_line_hit_i, req_line_i, req_mshr_hit_i, req_alloc_i, req_mshr_i};
    f_reply_q   <= {fill_evict_i, fill_line_i, fill_mshr_i, fill_asked_i, fill_mask_i};
  end

  // Stage 1, as seen from the followed line and entry.
  logic f_mine, f_here, f_joins, f_asks, f_starts;
  assign f_mine   = f_reply && f_mshr_q == f_mshr;                                    // a reply for the entry
  assign f_here   = f_valid_q && f_line_q == f_line;                                  // a fill of the line
  assign f_joins  = s_valid_q && s_mshr_q == f_mshr && s_class != Hit && s_class != Wait;  // a request waits for it
  assign f_asks   = f_joins && s_class != Merged;
  assign f_starts = s_valid_q && s_class == Invalid && s_line_q == f_line;            // HI of the line

  // The line: which entry fetches it (from the HI, or from the first reply that goes there, to the last one), and
  // which sub-blocks were written since its content began. f_held, f_holder: without the HI in stage 1, whose answer
  // the L1 cannot have yet. f_hit_then: a request that hits the line was taken one cycle ago.
  logic                f_owned_q, f_owned, f_fresh_q, f_held, f_hit_then;
  logic [MshrBits-1:0] f_owner_q, f_owner, f_holder;
  logic [Mshrs-1:0]    f_else_q, f_else;  // the entry's replies go to another line
  logic [3:0]          f_have_q;
  always_comb begin
    f_owned = f_owned_q;
    f_owner = f_owner_q;
    f_else  = f_else_q;
    if (f_reply && f_here) begin
      f_owned = !f_complete;
      f_owner = f_mshr_q;
    end
    if (f_reply && !f_here) f_else[f_mshr_q] = !f_complete;
    f_held   = f_owned;
    f_holder = f_owner;
    if (f_starts) begin  // never in the cycle of a fill of the line: the request would wait
      f_owned = 1'b1;
      f_owner = s_mshr_q;
    end
    if (s_valid_q && s_class == Invalid && s_line_q != f_line) f_else[s_mshr_q] = 1'b1;
  end
  assign f_hit_then = f_req_q && f_request_q[LineBits+MshrBits+2] && f_request_q[MshrBits+2 +: LineBits] == f_line;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_owned_q <= 1'b0;
      f_else_q  <= '0;
      f_have_q  <= '0;
      f_fresh_q <= 1'b0;
    end else begin
      f_owned_q <= f_owned;
      f_owner_q <= f_owner;
      f_else_q  <= f_else;
      if (f_starts) f_fresh_q <= 1'b1;  // refetch without a reply yet
      else if (f_here) f_fresh_q <= 1'b0;
      // A fill that begins other content drops the old one, the first reply of a refetch that replaces too.
      if (f_here) begin
        if (f_evict_q) f_have_q <= '0;
        else f_have_q <= (f_owned_q && !(f_fresh_q && Append == 0) ? f_have_q : '0) | f_mask_q;
      end
    end
  end

  // The entry: sub-blocks asked of the memory and not answered, ever asked or brought for this fetch (with Append: or
  // kept), demanded by requests and their widening (or kept), waited for by requests; whether there was an inconsistent
  // access.
  logic [3:0] f_open_q, f_ever_q, f_demand_q, f_need_q;
  logic       f_flag_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_open_q <= '0;
      f_need_q <= '0;
    end else begin
      if (f_asks) f_open_q <= f_open_q | send;
      else if (f_mine) f_open_q <= f_open_q & ~f_asked_q;
      if (f_joins) f_need_q <= (s_class == Merged || s_class == Again ? f_need_q : '0) | s_mask_q;
      else if (f_mine && f_complete) f_need_q <= '0;
    end
    if (f_asks) f_ever_q <= (s_class == Again ? f_ever_q : asked_before) | send;
    else if (f_mine) f_ever_q <= f_ever_q | f_mask_q;
    if (f_joins) f_demand_q <= (s_class == Merged || s_class == Again ? f_demand_q : asked_before) |
                               (f_asks && reason != '0 ? 4'b1111 : s_mask_q);
    if (f_asks) f_flag_q <= s_class != First;
  end

  // The L1's rules, in the cycle in which an item is taken; what stage 1 does in that cycle counts as done.
  logic [3:0] f_left_then;
  assign f_left_then = pending_q[fill_mshr_i*4 +: 4] & ~(f_reply && f_mshr_q == fill_mshr_i ? f_asked_q : 4'd0);
  always_comb begin
    m_ranges: assume (32'(req_line_i) < Lines && 32'(req_mshr_i) < Mshrs && 32'(fill_line_i) < Lines &&
                             32'(fill_mshr_i) < Mshrs);
    m_mask:   assume (!req_valid_i || req_mask_i != '0);
    // An entry offered is free, and not named by the request ahead.
    m_alloc:  assume (!(req_fire && req_alloc_i) || (!req_mshr_hit_i && pending_q[req_mshr_i*4 +: 4] == '0 &&
                             !(s_valid_q && s_mshr_q == req_mshr_i)));
    // A reply answers what was asked and not answered, and brings it.
    m_reply:  assume (!(fill_fire && !fill_evict_i) || (fill_asked_i != '0 &&
                             (fill_asked_i & ~f_left_then) == '0 && (fill_asked_i & ~fill_mask_i) == '0));
    // All replies of a fetch go to one line, and nothing else touches the line meanwhile, nor while it may become one.
    m_locked: assume (!(fill_fire && fill_line_i == f_line && (f_held || f_hit_then)) ||
                             (f_held && !fill_evict_i && fill_mshr_i == f_holder));
    m_to_it:  assume (!(fill_fire && !fill_evict_i && f_held && fill_mshr_i == f_holder) || fill_line_i == f_line);
    m_stays:  assume (!(fill_fire && !fill_evict_i && f_else[fill_mshr_i]) || fill_line_i != f_line);
  end

  // The followed line's words, kept from the writes; every read of them is compared. Of a valid line they are what its
  // fetch reported.
  logic [3:0] f_map_q;
  logic [4:0] f_word_q;
  always_ff @(posedge clk_i) if (line_we && f_line_q == f_line) begin
    f_map_q  <= line_map;
    f_word_q <= line_event;
  end

`ifndef COVERS_ONLY  // the solver reaches the covers in seconds without these, in minutes with them
  always_comb if (f_started_q && rst_ni) begin
    a_request_accepted:  assert (s_valid_q == f_req_q && (!s_valid_q ||
                                 {s_mask_q, s_line_hit_q, s_line_q, s_mshr_hit_q, s_alloc_q, s_mshr_q} == f_request_q));
    a_reply_accepted:    assert (f_valid_q == f_fill_q && (!f_valid_q ||
                                 {f_evict_q, f_line_q, f_mshr_q, f_asked_q, f_mask_q} == f_reply_q));
    // A line is valid only when nothing is pending for it.
    a_valid_not_pending: assert (!(valid_q[f_line] && f_owned_q));
    a_owned_is_pending:  assert (!f_owned_q || pending_q[f_owner_q*4 +: 4] != '0);
    // A valid line's map tells data that is there; a hit reads nothing else.
    a_map_is_present:    assert (!valid_q[f_line] || (f_map_q & ~f_have_q) == '0);
    a_reads_the_word:    assert (!(s_valid_q && s_line_hit_q && s_line_q == f_line && valid_q[f_line]) ||
                                 s_line_map == f_map_q);
    a_evicts_the_word:   assert (!(f_here && valid_q[f_line]) || f_word == f_word_q);
    a_hit_has_bytes:     assert (!(s_valid_q && s_class == Hit && s_line_q == f_line) ||
                                 (valid_q[f_line] && (s_mask_q & ~f_have_q) == '0 && !f_here));
    // Pending is what was asked and not answered; each sub-block is asked once.
    a_pending_exact:     assert (pending_q[f_mshr*4 +: 4] == f_open_q);
    a_asked_once:        assert (!f_asks || ((send & f_open_q) == '0 && (send & asked_before) == '0 &&
                                 (s_class != Again || (send & f_ever_q) == '0)));
    a_asks_what_lacks:   assert (!f_asks || (send != '0 && (s_mask_q & ~(send | asked_before)) == '0));
    // Every wait ends: what waits is pending, and the end of a wait brings all that was needed.
    a_waiting_pending:   assert (f_need_q == '0 || f_open_q != '0);
    a_waiting_asked:     assert ((f_need_q & ~asked_q[f_mshr*4 +: 4]) == '0 || f_open_q == '0);
    a_joins_open_entry:  assert (!(f_joins && (s_class == Merged || s_class == Again)) || (f_open_q != '0 && !f_mine));
    a_new_entry_free:    assert (!(f_joins && (s_class == First || s_class == Invalid)) || (f_open_q == '0 && !f_mine));
    a_ends_answered:     assert (!f_mine || f_complete == ((f_open_q & ~f_asked_q) == '0));
    a_served:            assert (!(f_mine && f_complete) || (f_need_q & ~f_all) == '0);
    // The map is the OR of what was asked and brought; the flag tells an inconsistent access.
    a_map_exact:         assert (f_open_q == '0 ||
                                 (asked_q[f_mshr*4 +: 4] | brought_q[f_mshr*4 +: 4]) == f_ever_q);
    a_map_reported:      assert (!(f_mine && f_complete) || line_map == (f_ever_q | f_mask_q));
    // What the windows are told is what requests demanded, whatever the replies brought.
    a_asked_exact:       assert (f_open_q == '0 || asked_q[f_mshr*4 +: 4] == f_demand_q);
    a_asked_reported:    assert (!(f_mine && f_complete) || line_event == {f_flag_q, f_demand_q});
    a_free_has_nothing:  assert (f_open_q != '0 || brought_q[f_mshr*4 +: 4] == '0);
    a_flag_exact:        assert (f_open_q == '0 || flag_q[f_mshr] == f_flag_q);
  end
`endif
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_served_two: cover (f_mine && f_complete && f_flag_q && f_asked_q != f_all && f_need_q == f_all);
    c_refetched:  cover (f_mine && f_complete && f_owned_q && f_fresh_q && f_have_q != '0);
  end
`endif
