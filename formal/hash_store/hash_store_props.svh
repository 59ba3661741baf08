// Properties of hash_store, in the module's own scope (see README.md beside this file).
//
// mirror_* is what the memories hold, kept from the write enables; all reads are checked against it,
// so a statement about the mirror is a statement about what the block answers from.
`include "reset.svh"
localparam int unsigned Entries = Sets * Ways;
logic [Entries-1:0]           mirror_valid_q;
logic [Entries*HashBits-1:0]  mirror_hash_q;
logic [Entries*RefBits-1:0]   mirror_ref_q;
logic [Entries*CountBits-1:0] mirror_count_q;
logic [Entries-1:0]           mirror_match;

// Yosys 0.23 cannot repeat a label in a generate loop: these asserts have none.
for (genvar e = 0; e < Entries; e++) begin : f_entry
  localparam int unsigned W = e % Ways;
  logic                 here, is_valid, is_pinned;
  logic [HashBits-1:0]  was_hash;
  logic [RefBits-1:0]   was_ref;
  logic [CountBits-1:0] was_count;
  assign here      = rst_ni && work_q && set == SetWidth'(e / Ways);
  assign is_valid  = mirror_valid_q[e];
  assign was_hash  = mirror_hash_q[e*HashBits +: HashBits];
  assign was_ref   = mirror_ref_q[e*RefBits +: RefBits];
  assign was_count = mirror_count_q[e*CountBits +: CountBits];
  assign is_pinned = is_valid && was_count > CountBits'(1);
  assign mirror_match[e] = is_valid && was_hash == hash_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mirror_valid_q[e] <= 1'b0;
    else if (here && row_we) mirror_valid_q[e] <= valid_new[W];
    if (here && way_we[W]) begin
      mirror_hash_q[e*HashBits +: HashBits] <= hash_q;
      mirror_ref_q[e*RefBits +: RefBits]    <= ref_q;
    end
    if (here && count_we[W]) mirror_count_q[e*CountBits +: CountBits] <= new_count;
  end

  // The store itself.
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (!is_valid || was_count != '0);
  end
  for (genvar other = 0; other < e; other++) begin : f_pair
    always_ff @(posedge clk_i) if (rst_ni) begin
      assert (!is_valid || !mirror_valid_q[other] ||
                                    was_hash != mirror_hash_q[other*HashBits +: HashBits]);
    end
  end
  always_ff @(posedge clk_i) if (here) begin
    assert (valid[W] == is_valid);
    assert (!is_valid || (tag_hash[W*HashBits +: HashBits] == was_hash &&
      tag_ref[W*RefBits +: RefBits] == was_ref && counts[W*CountBits +: CountBits] == was_count));
    // A pinned entry stays through every operation but its own DECREMENT and EVICT.
    assert (!is_pinned || op_q > Increment || !row_we || valid_new[W]);
    assert (!is_pinned || !way_we[W]);
    assert (!count_we[W] || inserted || is_valid);
    // Counts move by one: up only below saturation, down only from above zero.
    if (is_valid && count_we[W] && !inserted) begin
      assert (op_q != Increment || new_count == was_count + CountBits'(!(&was_count)));
      assert (op_q != Increment || new_count >= was_count);
      assert (op_q != Decrement || new_count == was_count - 1'b1);
      assert (op_q != Decrement || new_count < was_count);
      assert (new_count != '0 || (row_we && !valid_new[W]));
      assert (was_ref == ref_q);
    end
  end
end

for (genvar a = 0; a < Ways; a++) begin : f_order
  for (genvar b = 0; b < a; b++) begin : f_pair
    always_ff @(posedge clk_i) if (rst_ni && work_q) begin
      assert (order[a*WayWidth +: WayWidth] != order[b*WayWidth +: WayWidth]);
    end
  end
end

// The operation at work is the one that was accepted, all of it: the statements here are about its registers.
logic                                   f_taken_q;
logic [3+HashBits+RefBits+IndexBits-1:0] f_request_q;
always_ff @(posedge clk_i) begin
  f_taken_q   <= rst_ni && req_valid_i && req_ready_o;
  f_request_q <= {req_op_i, req_hash_i, req_ref_i, req_index_i};
end
always_comb if (f_started_q) begin
  a_accepted_is_at_work: assert (work_q == f_taken_q);
  a_as_accepted:         assert (!work_q || {op_q, hash_q, ref_q, index_q} == f_request_q);
end

// Answers: a hash is found exactly when the store holds it.
logic answered_q, last_hit_q, last_refused_q;
always_ff @(posedge clk_i) begin
  answered_q     <= rst_ni && work_q;
  last_hit_q     <= hit;
  last_refused_q <= op_q == Increment && hit && (&entry_count);
  if (rst_ni && work_q && op_q <= Insert) begin
    a_found_iff_present:    assert (hit == |mirror_match);
    a_present_not_inserted: assert (!(|mirror_match) || !inserted);
  end
  if (rst_ni && work_q) a_insert_takes_room: assert (op_q != Insert || hit || inserted == (free_seen || |single));
  if (rst_ni && answered_q) begin
    a_answer_follows:    assert (rsp_valid_o && rsp_hit_o == last_hit_q);
    a_saturated_refused: assert (!last_refused_q || !rsp_ok_o);
  end
  if (rst_ni) a_one_in_flight: assert (!(work_q && rsp_valid_q));
  if (rst_ni && work_q) begin
    c_pinned_skipped: cover (op_q == Insert && evicted && |(valid & ~single));
    c_removed:        cover (removed && op_q == Decrement);
    c_evict_pinned:   cover (op_q > Decrement && removed && entry_count > CountBits'(1));
    c_refused:        cover (op_q == Insert && hit);
  end
end
