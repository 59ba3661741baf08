// Data of affine_cache, in the module's own scope (see README.md beside this file).
//
// One symbolic word {f_line, f_lane} is followed. The L1, memory and the requester are modelled for this word as
// the port contract says (sim_cpp/blocks/affine_cache/affine_cache.h) and are arbitrary otherwise. An item of the
// response stream takes effect when it enters the register slice, which keeps the order (proved in formal/common).
`ifdef FORMAL_AFFINE_CACHE_LIVE
  `include "affine_cache_live_props.svh"
`else
`include "reset.svh"
localparam int unsigned LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;
(* anyconst *) logic [LineBits-1:0] f_line;
(* anyconst *) logic [LaneBits-1:0] f_lane;
(* anyconst *) logic [Width-1:0]    f_initial;
(* anyseq *)   logic                f_l1_evicts, f_l1_installs, f_starts_fetch;
logic [TagBits-1:0]  f_tag;
logic [SetBits-1:0]  f_set;
logic [SlotBits-1:0] f_slot;
assign {f_tag, f_set, f_slot} = f_line;
always_comb m_lane: assume ({1'b0, f_lane} < (LaneBits + 1)'(Lanes));

// Lane f_lane of {base, stride code}: what affine_decode_core is proved to give (formal/affine).
function automatic logic [Width-1:0] f_at(input logic [Width-1:0] b, input logic [StrideBits-1:0] s);
  f_at = (&s) ? b : b + (Width'(f_lane) << s);
endfunction
logic [Width-1:0] f_req_word;
always_comb begin
  f_req_word = '0;
  for (int unsigned i = 0; i < Lanes; i++) if (f_lane == LaneBits'(i)) f_req_word = req_data_i[i*Width +: Width];
end

// ---- memories: exact at the word's row and vectors, anything elsewhere ---------------------------------------
logic [Ways*RowBits-1:0]    g_row_q, f_row_data_q, f_row_last_q;
logic [Ways*VectorBits-1:0] g_vector_q, f_vector_data_q, f_vector_last_q;
logic                       f_row_mine_q, f_row_read_q;
logic [Ways-1:0]            f_vector_mine_q, f_vector_read_q;
logic [SetBits-1:0]         f_row_addr;
assign f_row_addr = take ? req_line_i[SlotBits +: SetBits] : set;
always_ff @(posedge clk_i) begin
  f_row_read_q <= row_re;
  f_row_last_q <= row;
  if (!f_started_q) f_row_mine_q <= 1'b0;
  else if (row_re) f_row_mine_q <= f_row_addr == f_set;
  if (row_re) f_row_data_q <= g_row_q;
  if (row_we && set == f_set) g_row_q <= row_new;
  f_vector_last_q <= vectors_read;
end
for (genvar w = 0; w < Ways; w++) begin : f_way
  logic re;
  assign re = take || (sweep_issue && victim_q == WayBits'(w));
  always_ff @(posedge clk_i) begin
    f_vector_read_q[w] <= re;
    if (!f_started_q) f_vector_mine_q[w] <= 1'b0;
    else if (re) f_vector_mine_q[w] <= read_place == {f_set, f_slot};
    if (re) f_vector_data_q[w*VectorBits +: VectorBits] <= g_vector_q[w*VectorBits +: VectorBits];
    if (vector_we && write_way == WayBits'(w) && write_place == {f_set, f_slot}) begin
      g_vector_q[w*VectorBits +: VectorBits] <= vector_new;
    end
  end
  always_comb if (f_started_q) begin
    assume (f_vector_read_q[w] || vectors_read[w*VectorBits +: VectorBits] ==
                                                  f_vector_last_q[w*VectorBits +: VectorBits]);
    assume (!f_vector_mine_q[w] || vectors_read[w*VectorBits +: VectorBits] ==
                                                   f_vector_data_q[w*VectorBits +: VectorBits]);
  end
end
always_comb if (f_started_q) begin
  m_row_holds: assume (f_row_read_q || row == f_row_last_q);
  m_row_mine:  assume (!f_row_mine_q || row == f_row_data_q);
end

// ---- the parts replaced by free outputs: what is proved of them elsewhere -------------------------------------
always_comb begin
  m_encoder: assume (!affine || !req_mask_i[f_lane] || f_at(base, stride) == f_req_word);
  m_victim:  assume ({1'b0, oldest} < (WayBits + 1)'(Ways));
end

// ---- the word in the L1, in memory and on its way --------------------------------------------------------------
logic [Width-1:0] f_value_q, f_mem_q, f_l1_value_q, f_fetched_q, f_word_q;
logic             f_l1_valid_q, f_l1_dirty_q, f_fresh_q, f_word_fresh_q;
logic             f_answer, f_back, f_mine, f_taken_store;
logic [Width-1:0] f_pushed;
assign f_answer      = push && !push_back;
assign f_back        = push && push_back && push_line == f_line;
assign f_mine        = f_answer && op_q != Flush && push_line == f_line;
assign f_pushed      = f_at(push_base, push_stride);
assign f_taken_store = take && req_op_i == Store && req_line_i == f_line && req_mask_i[f_lane];
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    // What only the caches held is lost.
    f_value_q    <= f_started_q ? f_mem_q : f_initial;
    if (!f_started_q) f_mem_q <= f_initial;
    f_l1_valid_q <= 1'b0;
    f_fresh_q    <= 1'b0;
  end else begin
    if (f_l1_evicts && !push) begin
      if (f_l1_valid_q && f_l1_dirty_q) f_mem_q <= f_l1_value_q;
      f_l1_valid_q <= 1'b0;
    end
    if (f_back) begin
      if (push_mask[f_lane]) f_mem_q <= f_pushed;
      else if (f_l1_valid_q && f_l1_dirty_q) f_mem_q <= f_l1_value_q;
      f_l1_valid_q <= 1'b0;
    end
    if (f_mine && op_q == Load && f_starts_fetch && !push_mask[f_lane] && !f_l1_valid_q) begin
      f_fresh_q   <= 1'b1;
      f_fetched_q <= f_mem_q;
    end
    if (f_taken_store) f_fresh_q <= 1'b0;
    if (f_mine && op_q == Store && push_mask[f_lane]) begin
      f_value_q    <= f_word_q;
      f_l1_valid_q <= !push_affine;
      f_l1_dirty_q <= 1'b1;
      f_l1_value_q <= f_word_q;
    end
    if (f_mine && op_q == Fill && push_mask[f_lane]) begin
      if (push_affine) f_l1_valid_q <= 1'b0;
      else if (f_l1_installs && f_word_fresh_q && !f_l1_valid_q) begin
        f_l1_valid_q <= 1'b1;
        f_l1_dirty_q <= 1'b0;
        f_l1_value_q <= f_word_q;
      end
    end
  end
  if (take) begin
    f_word_q       <= f_req_word;
    f_word_fresh_q <= f_fresh_q;
  end
end
// The requester fills only words that were not stored since the load that fetched them, with what was fetched.
always_comb if (req_valid_i && req_op_i == Fill && req_line_i == f_line) begin
  m_fill_fresh:  assume (!req_mask_i[f_lane] || f_fresh_q);
  m_fill_honest: assume (!f_fresh_q || f_req_word == f_fetched_q);
end

// ---- the request in the access stage is the one accepted, all of it, and is answered once: what is promised below
// speaks of its registers ---------------------------------------------------------------------------------------
logic                f_open_q;
logic [1:0]          f_op_q;
logic [LineBits-1:0] f_line_q;
logic [Lanes-1:0]    f_mask_q;
always_ff @(posedge clk_i) begin
  f_open_q <= rst_ni && (take || (f_open_q && !f_answer));
  if (take) begin
    f_op_q   <= req_op_i;
    f_line_q <= req_line_i;
    f_mask_q <= req_mask_i;
  end
end
always_comb if (f_started_q) begin
  a_accepted:    assert (valid_q == f_open_q);
  a_answer_once: assert (!f_answer || f_open_q);
  a_as_accepted: assert (!valid_q || (op_q == f_op_q && mask_q == f_mask_q));
  a_line_stays:  assert (!valid_q || op_q == Flush || line_q == f_line_q);  // while flushing it counts
end

// ---- what is promised ------------------------------------------------------------------------------------------
logic [Ways-1:0] f_line_here, f_word_here;
logic            f_here, f_here_dirty;
always_comb begin
  f_here_dirty = 1'b0;
  for (int unsigned w = 0; w < Ways; w++) begin
    f_line_here[w] = live_q[f_set] && g_row_q[w*RowBits +: RowBits] == {1'b1, f_tag};
    f_word_here[w] = f_line_here[w] && g_vector_q[w*VectorBits + Width + f_lane];
    if (f_word_here[w] && g_vector_q[w*VectorBits + VectorBits - 1]) f_here_dirty = 1'b1;
  end
  f_here = |f_word_here;
end
always_comb if (f_started_q && rst_ni) begin
  a_one_side:        assert (!f_here || !f_l1_valid_q);
  a_one_copy:        assert ($onehot0(f_line_here));
  a_load_hit:        assert (!(f_mine && op_q == Load && push_mask[f_lane]) || f_pushed == f_value_q);
  a_load_hit_side:   assert (!(f_mine && op_q == Load && push_mask[f_lane]) || !f_l1_valid_q);
  a_load_miss:       assert (!(f_mine && op_q == Load && !push_mask[f_lane]) ||
                             (f_l1_valid_q ? f_l1_value_q : f_mem_q) == f_value_q);
  a_back_side:       assert (!(f_back && push_mask[f_lane]) || !f_l1_valid_q);
  a_back_value:      assert (!(f_back && push_mask[f_lane]) || f_pushed == f_value_q);
  a_flush_empties:   assert (!(f_answer && op_q == Flush) || !f_here);
  c_hit_after_store: cover (f_mine && op_q == Load && push_mask[f_lane] && f_value_q != f_initial);
  c_hit_after_fill:  cover (f_mine && op_q == Load && push_mask[f_lane] && f_value_q == f_mem_q && f_fresh_q);
  c_word_evicted:    cover (f_back && push_mask[f_lane] && phase_q == Sweep && op_q == Store);
  c_word_flushed:    cover (f_back && push_mask[f_lane] && op_q == Flush);
  c_word_conflict:   cover (f_back && push_mask[f_lane] && phase_q == Run && op_q == Fill);
  c_merged:          cover (f_back && !push_mask[f_lane] && f_l1_valid_q && f_l1_dirty_q);
  c_l1_load:         cover (f_mine && op_q == Load && !push_mask[f_lane] && f_l1_valid_q && f_l1_dirty_q);
  c_dropped_here:    cover (f_mine && op_q == Store && !push_affine && push_mask[f_lane] && f_here);
end

`ifdef LEMMAS
// ---- invariants ------------------------------------------------------------------------------------------------
logic       f_at_set, f_at_place, f_ours;
logic [Ways*VectorBits-1:0] f_seen;  // the access stage's vectors, after forwarding
logic [SlotBits:0]          f_handled;
logic                       f_distinct;  // no two ways of the set hold one line
always_comb begin
  f_distinct = 1'b1;
  for (int unsigned w = 1; w < Ways; w++) begin
    for (int unsigned v = 0; v < w; v++) begin
      if (live_q[f_set] && g_row_q[w*RowBits + TagBits] &&
          g_row_q[w*RowBits +: RowBits] == g_row_q[v*RowBits +: RowBits]) f_distinct = 1'b0;
    end
  end
end
assign f_at_set   = set == f_set;
assign f_at_place = f_at_set && slot == f_slot;
assign f_ours     = valid_q && op_q != Flush && line_q == f_line && mask_q[f_lane];
assign f_handled  = count_q - (SlotBits + 1)'(read_q);
for (genvar w = 0; w < Ways; w++) begin : l_way
  assign f_seen[w*VectorBits +: VectorBits] =
    forward_q && written_way_q == WayBits'(w) ? written_q : f_vector_data_q[w*VectorBits +: VectorBits];
  logic lane_valid;
  assign lane_valid = g_vector_q[w*VectorBits + Width + f_lane];
  always_comb if (f_started_q) begin
    assert (!f_word_here[w] || f_at(g_vector_q[w*VectorBits +: Width],
                     g_vector_q[w*VectorBits + DataBits +: StrideBits]) == f_value_q);
    assert (!(valid_q && op_q != Flush && phase_q == Run) || f_vector_mine_q[w] == f_at_place);
    assert (!(valid_q && op_q != Flush && f_at_place && (phase_q == Run || (phase_q == Finish && hit))) ||
                     (f_vector_mine_q[w] &&
                      f_seen[w*VectorBits +: VectorBits] == g_vector_q[w*VectorBits +: VectorBits]));
    assert (!(phase_q == Sweep && f_at_set && victim_q == WayBits'(w) && f_handled > {1'b0, f_slot}) ||
                     !lane_valid);
    assert (!(phase_q == Finish && op_q != Flush && f_at_set && !hit && victim_q == WayBits'(w)) ||
                     !lane_valid);
    assert (!(phase_q == Sweep && read_q && victim_q == WayBits'(w)) ||
                     f_vector_mine_q[w] == (f_at_set && swept == f_slot));
    assert (!(phase_q == Sweep && read_q && victim_q == WayBits'(w) && f_at_set && swept == f_slot) ||
                     f_vector_data_q[w*VectorBits +: VectorBits] == g_vector_q[w*VectorBits +: VectorBits]);
    assert (!(op_q == Flush && (phase_q == Pick || phase_q == Sweep) && f_at_set &&
                       WayBits'(w) < victim_q) || !f_word_here[w]);
  end
end
always_comb if (f_started_q) begin
  a_one_side_here:   assert (!f_here || !f_l1_valid_q);
  a_one_way_here:    assert (f_distinct);
  a_clean_word: assert (!f_here || f_here_dirty || f_mem_q == f_value_q);
  a_l1_value:   assert (!f_l1_valid_q || f_l1_value_q == f_value_q);
  a_l1_clean:   assert (!f_l1_valid_q || f_l1_dirty_q || f_mem_q == f_value_q);
  a_memory:     assert (f_here || f_l1_valid_q || f_mem_q == f_value_q);
  a_fresh:      assert (!f_fresh_q || (f_fetched_q == f_value_q && f_mem_q == f_value_q));
  a_stored:     assert (!(f_ours && op_q == Store) || !f_fresh_q);
  a_coded:      assert (!(f_ours && affine_q) || f_at(base_q, stride_q) == f_word_q);
  a_fill:       assert (!(valid_q && op_q == Fill && line_q == f_line && (mask_q[f_lane] || f_word_fresh_q)) ||
                        (f_word_q == f_value_q && f_mem_q == f_value_q));
  a_affine_op:  assert (!(valid_q && affine_q) || op_q == Store || op_q == Fill);
  // sequencer
  a_phase_here:      assert (phase_q <= Pick && (phase_q == Run || valid_q));
  a_flushing:   assert (!(phase_q == Row || phase_q == Pick) || op_q == Flush);
  a_first_way:  assert (phase_q != Row || victim_q == '0);
  a_victim:     assert (phase_q == Run || !(op_q == Flush || f_at_set) ||
                        {1'b0, victim_q} < (WayBits + 1)'(Ways));
  a_row_mine:   assert (!(valid_q && !(op_q == Flush && (phase_q == Run || phase_q == Row))) ||
                        f_row_mine_q == f_at_set || phase_q == Finish);
  a_finish_row: assert (!(phase_q == Finish && op_q != Flush) || f_row_mine_q == f_at_set);
  a_row:        assert (!(valid_q && f_at_set && !(op_q == Flush && (phase_q == Run || phase_q == Row ||
                          phase_q == Finish))) || f_row_data_q == g_row_q);
  a_no_hit:     assert (!(phase_q == Sweep && op_q != Flush) || (!hit && install));
  a_same_way:   assert (!(phase_q == Finish && op_q != Flush && hit && f_at_set) || match[victim_q]);
  a_install:    assert (!(phase_q == Finish && op_q != Flush) || install);
  a_kept:       assert (!(phase_q == Finish && op_q != Flush && f_at_place && hit) || !same_code);
  a_mem_back:   assert (!(phase_q == Finish && op_q != Flush && f_at_place && hit && line_q == f_line &&
                          kept[f_lane]) || f_mem_q == f_value_q);
  a_count:      assert (phase_q != Sweep || (count_q <= (SlotBits + 1)'(Slots) && (!read_q || count_q != '0)));
  a_sweep_live: assert (!(phase_q == Sweep && f_at_set) || (victim_live_q == way_valid[victim_q] &&
                        victim_tag_q == row[victim_q*RowBits +: TagBits]));
  a_flush_done: assert (!(phase_q == Finish && op_q == Flush) || !f_here);
  a_flush_sets: assert (!(valid_q && op_q == Flush && phase_q != Run && f_set < set) || !live_q[f_set]);
  a_flush_end:  assert (!(phase_q == Finish && op_q == Flush) || !live_q[f_set]);
end
`endif
`endif
