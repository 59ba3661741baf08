// pdr_table: one freely chosen key is followed, so what holds for it holds for all. f_present_q, f_entry_q and f_mask_q
// are the entry of that key as specified; f_holds_q[e] tells that entry e was last given to that key.
`ifdef FORMAL_PDR_TABLE_LIVE
  `include "pdr_table_live_props.svh"
`else
  `include "reset.svh"
  (* anyconst *) logic [SmBits-1:0]   f_sm;
  (* anyconst *) logic [LineBits-1:0] f_line;

  // The L2 gives a token back once, after it was registered.
  logic [31:0] f_take_entry;
  assign f_take_entry = 32'(take_token_i[IndexBits-1:0]);
  always_comb begin
    m_mask:  assume (!req_valid_i || req_mask_i != '0);
    m_token: assume (!(take_fire && take_registered_i) || (f_take_entry < Entries && valid_q[f_take_entry] &&
                            !(frees && 32'(t_token_q[IndexBits-1:0]) == f_take_entry)));
  end

  // Stage 1 holds what was accepted, all of it: the statements here are about its registers.
  logic                            f_req_q, f_take_q;
  logic [Ways*SetWidth+TagBits+3:0] f_request_q;
  logic [TokenBits:0]              f_reply_q;
  always_ff @(posedge clk_i) begin
    f_req_q     <= rst_ni && req_valid_i && req_ready_o;
    f_take_q    <= rst_ni && take_valid_i && take_ready_o;
    f_request_q <= {req_rows, req_tag, req_mask_i};
    f_reply_q   <= {take_registered_i, take_token_i};
  end

  logic               f_mine_q, f_mine, f_frees, f_merge, f_insert, f_present_q;
  logic [31:0]        f_entry_q;
  logic [3:0]         f_mask_q;
  logic [Entries-1:0] f_holds_q;
  assign f_mine   = s_valid_q && f_mine_q;
  assign f_frees  = frees && f_present_q && 32'(t_token_q[IndexBits-1:0]) == f_entry_q;
  assign f_merge  = f_mine && f_present_q && !f_frees;
  assign f_insert = f_mine && !f_merge && s_mask_q != '1 && room;
  always_ff @(posedge clk_i) begin
    f_mine_q <= req_sm_i == f_sm && req_line_i == f_line;
    if (!rst_ni) f_present_q <= 1'b0;
    else if (f_insert) f_present_q <= 1'b1;
    else if (f_frees) f_present_q <= 1'b0;
    if (f_insert) begin
      f_entry_q <= 32'(place_index);
      f_mask_q  <= s_mask_q;
    end else if (f_merge) begin
      f_mask_q <= f_mask_q | s_mask_q;
    end
    for (int unsigned e = 0; e < Entries; e++) if (insert && 32'(place_index) == e) f_holds_q[e] <= f_mine_q;
  end

  logic [31:0] f_used;
  always_comb begin
    f_used = '0;
    for (int unsigned e = 0; e < Entries; e++) f_used = f_used + 32'(valid_q[e]);
  end

  always_comb if (f_started_q && rst_ni) begin
    a_request_accepted: assert (s_valid_q == f_req_q && (!s_valid_q || {s_rows_q, s_tag_q, s_mask_q} == f_request_q));
    a_reply_accepted:   assert (t_valid_q == f_take_q && (!t_valid_q || {t_registered_q, t_token_q} == f_reply_q));
    // The key has one entry, exactly while it should; no entry is lost or left.
    a_never_two:        assert ($onehot0(valid_q & f_holds_q));
    a_present:          assert (f_present_q == |(valid_q & f_holds_q));
    a_in_its_place:     assert (!f_present_q || (valid_q & f_holds_q) == Entries'(1) << f_entry_q);
    // A request of the key is answered as specified; the entry found is the key's.
    a_action:           assert (!f_mine || action == (f_merge ? Merged : s_mask_q == '1 ? Full : room ? Registered
                                                                                              : NoRoom));
    a_token_entry:      assert (!f_merge || 32'(token) == f_entry_q);
    a_token_new:        assert (!f_insert || (32'(token) < Entries && !valid_q[token[IndexBits-1:0]] &&
                                              insert && 32'(place_index) == 32'(token)));
    a_token_mask:       assert (!f_mine || f_merge || f_insert || 32'(token) == 32'(s_mask_q));
    a_old_mask:         assert (!f_merge || old_mask == f_mask_q);
    // The leaving reply gets the exact OR.
    a_mask_exact:       assert (!f_frees || t_mask == f_mask_q);
    a_mask_unfiltered:  assert (!(t_valid_q && !t_registered_q) || asked == t_token_q[3:0]);
    // The count is right; a refusal means that all places of the key are taken.
    a_count:            assert (32'(used_o) == f_used);
    a_frees_one:        assert (!frees || $onehot(leaving & valid_q));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_merge_twice: cover (f_merge && f_mask_q == 4'b0011 && s_mask_q == 4'b0100);
    c_comes_again: cover (f_frees && f_insert);
  end
`endif
