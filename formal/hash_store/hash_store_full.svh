// Properties of hash_store at full size (-D FULL_SIZE, mem=free), in the module's own scope.
//
// The memories' outputs are free but for one constant, freely chosen set f_set. Of that set row_q, tags_q and counts_q
// hold what is written, and a read of it returns that: the contract of ram_1rw, which formal/common proves. As f_set is
// free, what holds of it holds of every set. The second table is free altogether: whatever it answers, the statements
// here hold. What it answers is proved at the small size (hash_store_props.svh).
//
// With FROM_ANY a trace starts without reset in any idle state in which the statements hold, so that a count of all
// ones is near: from reset it is 65534 operations away (the test PaperPointSaturatesAt65535 goes there).
`ifdef FROM_ANY
  logic f_started_q;
  initial f_started_q = 1'b0;
  always_ff @(posedge clk_i) f_started_q <= 1'b1;
  always_comb begin
    m_no_reset:   assume (rst_ni);
    m_idle_first: assume (f_started_q || req_ready_o);
  end
  `define F_HOLDS(statement) begin if (f_started_q) assert (statement); else assume (statement); end
`else
  `include "reset.svh"
  `define F_HOLDS(statement) if (f_started_q) assert (statement);
`endif
logic f_live;
assign f_live = f_started_q && rst_ni;
(* anyconst *) logic [SetWidth-1:0] f_set;
always_comb m_set: assume (32'(f_set) < Sets);

logic [RowBits-1:0]                row_q, row_next;
logic [Ways*(HashBits+RefBits)-1:0] tags_q, tags_next;
logic [Ways*CountBits-1:0]         counts_q, counts_next;
logic                              f_rows_read_q, f_tables_read_q;  // what is at the outputs is of f_set
logic                              f_row_here, f_cleared;
initial f_rows_read_q   = 1'b0;
initial f_tables_read_q = 1'b0;
assign f_row_here = (clearing ? SetWidth'(clear_q) : tables_set) == f_set;
assign row_next   = (row_we || clearing) && f_row_here ? (clearing ? {{Ways{1'b0}}, reset_order} : row_new) : row_q;
for (genvar w = 0; w < Ways; w++) begin : f_lane
  localparam int unsigned T = w * (HashBits + RefBits);
  assign tags_next[T +: HashBits + RefBits] = way_we && chosen[w] && tables_set == f_set ? {hash_q, ref_q}
                                                                                        : tags_q[T +: HashBits + RefBits];
  assign counts_next[w*CountBits +: CountBits] = count_we && chosen[w] && tables_set == f_set ? new_count
                                                                                            : counts_q[w*CountBits +: CountBits];
end
always_ff @(posedge clk_i) begin
  row_q    <= row_next;
  tags_q   <= tags_next;
  counts_q <= counts_next;
  if (row_we || clearing) f_rows_read_q <= 1'b0;
  else if (tables_re) f_rows_read_q <= tables_set == f_set;
  if (way_we || count_we) f_tables_read_q <= 1'b0;
  else if (tables_re) f_tables_read_q <= tables_set == f_set;
end
always_comb begin
  m_row:    assume (!f_rows_read_q || row_read == row_q);
  m_tags:   assume (!f_tables_read_q || tags == tags_q);
  m_counts: assume (!f_tables_read_q || counts == counts_q);
end

// The set as it stands: valid bits of sets that are not cleared yet mean nothing.
logic [Ways-1:0] is_valid, next_valid, f_named, f_free, f_single, f_placed, f_leaves;
logic            f_here, f_hit, f_inserted;
logic [Ways*CountBits-1:0] f_count;
assign f_cleared  = !clearing || 32'(clear_q) > 32'(f_set);
assign is_valid   = f_cleared ? row_q[RowBits-1 -: Ways] : '0;
assign next_valid = f_cleared ? row_next[RowBits-1 -: Ways] : '0;
assign f_here     = work_q && f_set == SetWidth'(op_q <= Insert ? hash_q & HashBits'(Sets - 1)
                                                                 : HashBits'(index_q >> WayBits));
assign f_hit      = |f_named;
assign f_inserted = op_q == Insert && !f_hit && refs_room && !refs_hit && (!(&is_valid) || |f_single);
assign f_placed   = f_here && f_inserted ? chosen : '0;
for (genvar w = 0; w < Ways; w++) begin : f_way
  localparam int unsigned T = w * (HashBits + RefBits);
  logic [HashBits-1:0]  was_hash;
  logic [RefBits-1:0]   was_ref;
  logic [CountBits-1:0] was_count, next_count;
  assign {was_hash, was_ref} = tags_q[T +: HashBits + RefBits];
  assign was_count   = counts_q[w*CountBits +: CountBits];
  assign next_count  = counts_next[w*CountBits +: CountBits];
  assign f_named[w]  = is_valid[w] && (op_q <= Insert ? was_hash == hash_q
                                                      : known_q && index_way == WayWidth'(w) && was_ref == ref_q);
  assign f_single[w] = is_valid[w] && was_count == CountBits'(1);
  assign f_leaves[w] = f_named[w] && (op_q > Decrement || (op_q == Decrement && was_count == CountBits'(1)));
  assign f_count[w*CountBits +: CountBits] =
      f_placed[w] ? CountBits'(1) : !(f_here && f_named[w]) || op_q <= Insert ? was_count :
      op_q == Increment ? was_count + CountBits'(!(&was_count)) : op_q == Decrement ? was_count - 1'b1 : '0;
  always_ff @(posedge clk_i) if (f_live) begin
    // The entry takes the effect of the operation that names or places it, and no other.
    assert (next_valid[w] == (f_placed[w] || (is_valid[w] && !(f_here && f_leaves[w]))));
    assert (!next_valid[w] || next_count == f_count[w*CountBits +: CountBits]);
    assert (!next_valid[w] || tags_next[T +: HashBits + RefBits] == (f_placed[w] ? {hash_q, ref_q} : {was_hash, was_ref}));
    // A count neither wraps nor sticks nor gets lost.
    assert (!(f_here && f_named[w] && op_q == Increment) || (next_valid[w] && next_count >= was_count));
    assert (!(f_here && f_named[w] && op_q == Increment) || (&was_count) || next_count == was_count + 1'b1);
    assert (!(f_here && f_named[w] && op_q == Decrement) || next_count == was_count - 1'b1);
    // A pinned entry stays through every operation but its own DECREMENT and EVICT.
    assert (!is_valid[w] || was_count <= CountBits'(1) || next_valid[w] || (f_here && f_named[w] && op_q > Increment));
    assert (!(f_placed[w] && is_valid[w]) || (&is_valid && was_count == CountBits'(1)));
  end
  always_comb begin
    `F_HOLDS(!is_valid[w] || was_count != '0)
    `F_HOLDS(!is_valid[w] || (was_hash & HashBits'(Sets - 1)) == HashBits'(f_set))
  end
  for (genvar v = 0; v < w; v++) begin : f_pair
    always_comb begin
      `F_HOLDS(!is_valid[w] || !is_valid[v] || was_hash != tags_q[v*(HashBits+RefBits) + RefBits +: HashBits])
      `F_HOLDS(!f_cleared || row_q[w*WayWidth +: WayWidth] != row_q[v*WayWidth +: WayWidth])
    end
  end
  always_comb `F_HOLDS(!f_cleared || 32'(row_q[w*WayWidth +: WayWidth]) < Ways)
end

// The answer, all of its fields.
logic                 f_answer_q, f_hit_q, f_ok_q, f_evicts_q;
logic [IndexBits-1:0] f_index, f_index_q;
logic [RefBits-1:0]   f_ref, f_evicted_ref, f_ref_q, f_evicted_ref_q;
logic [CountBits-1:0] f_answer_count, f_count_q;
logic                 f_saturated, f_evicts;
always_comb begin
  f_index        = '0;
  f_ref          = '0;
  f_answer_count = '0;
  f_evicted_ref  = '0;
  f_saturated    = 1'b0;
  f_evicts       = |(f_placed & is_valid);
  for (int unsigned w = 0; w < Ways; w++) begin
    if (f_named[w] || f_placed[w]) begin  // one at most: no two entries have one hash
      f_index        = (IndexBits'(f_set) << WayBits) | IndexBits'(w);
      f_ref          = f_placed[w] ? ref_q : tags_q[w*(HashBits+RefBits) +: RefBits];
      f_answer_count = f_count[w*CountBits +: CountBits];
      f_evicted_ref  = f_evicts ? tags_q[w*(HashBits+RefBits) +: RefBits] : '0;
      f_saturated    = op_q == Increment && (&counts_q[w*CountBits +: CountBits]);
    end
  end
end
initial f_answer_q = 1'b0;
always_ff @(posedge clk_i) begin
  f_answer_q <= rst_ni && f_here;
  {f_hit_q, f_evicts_q, f_index_q}      <= {f_hit, f_evicts, f_index};
  {f_ref_q, f_count_q, f_evicted_ref_q} <= {f_ref, f_answer_count, f_evicted_ref};
  f_ok_q                                <= op_q == Insert ? |f_placed : f_hit && !f_saturated;
  if (f_live && f_answer_q) begin
    a_answer_hit:     assert (rsp_hit_o == f_hit_q);
    a_answer_ok:      assert (rsp_ok_o == f_ok_q);
    a_answer_index:   assert (rsp_index_o == f_index_q);
    a_answer_ref:     assert (rsp_ref_o == f_ref_q);
    a_answer_count:   assert (rsp_count_o == f_count_q);
    a_answer_evicted: assert (rsp_evicted_o == f_evicts_q && rsp_evicted_ref_o == f_evicted_ref_q);
  end
  if (f_live && f_here) begin
    a_placed_once:    assert (!f_inserted || (|f_placed && (f_placed & (f_placed - 1'b1)) == '0));
    c_saturated_full: cover (op_q == Increment && f_hit && f_saturated);
    c_evicted_full:   cover (f_evicts && &row_q[RowBits-1 -: Ways]);
    c_last_step_full: cover (op_q == Increment && f_hit && f_answer_count == '1 && !f_saturated);
  end
end
always_comb begin
  `F_HOLDS(!clearing || !(seek_q || work_q || clean_q || wipe_q || rsp_valid_q))
  `F_HOLDS(!clearing || is_valid == '0)
  `F_HOLDS(!seek_q || !(work_q || clean_q || wipe_q || rsp_valid_q))
  `F_HOLDS(!work_q || !(clean_q || wipe_q || rsp_valid_q))
  `F_HOLDS(!(clean_q && wipe_q))
  `F_HOLDS(!(seek_q || work_q || clean_q || wipe_q || rsp_valid_q) || !clearing)
  // What is at work was read: its set's word is at the outputs.
  `F_HOLDS(!f_here || (f_rows_read_q && f_tables_read_q))
  `F_HOLDS(!(work_q && !f_here) || !f_tables_read_q)
end
`undef F_HOLDS
`include "hash_store_request.svh"
