// Properties of hash_store, in the module's own scope (see README.md beside this file).
//
// mirror_* is what the memories hold, kept from the write enables; all reads are checked against it,
// so a statement about the mirror is a statement about what the block answers from. What every operation
// must do to the mirror, and answer, is computed from the mirror and the request alone, never from an enable:
// a write that is missing is found like a wrong one. names_* is the same for the second table: it names every valid
// entry once, and nothing else but an entry that was evicted just now.
//
// An operation that uses a lost word does nothing (`work` is low): then the mirror stays as it is. With Secded
// hash_store_secded.svh says when a word is lost.
`ifdef FULL_SIZE
`include "hash_store_full.svh"
`else
`include "reset.svh"
localparam int unsigned Entries = Sets * Ways;
logic [Entries-1:0]           mirror_valid_q;
logic [Entries*HashBits-1:0]  mirror_hash_q;
logic [Entries*RefBits-1:0]   mirror_ref_q;
logic [Entries*CountBits-1:0] mirror_count_q;

// The entry that the operation names; of the set of its hash, the first free entry and the LRU among those with
// count 1; where an insertion goes.
logic [Entries-1:0]           f_named, f_in_set, f_free, f_single, f_lru, f_placed;
logic [Entries*Entries-1:0]   f_later_q;  // [a*Entries + b], of one set: a was used after b
logic [Entries*CountBits-1:0] f_count;    // counts after the operation
logic                         f_hit;
assign f_hit    = |f_named;
assign f_placed = op_q != Insert || f_hit || f_ref_known || f_ref_full ? '0 : |f_free ? f_free : f_lru;

// The second table.
localparam int unsigned Names = RefSets * RefWays;
logic [Names-1:0]            names_valid_q, f_names_beside, f_names_free;
logic [Names*RefTagBits-1:0] names_tag_q;
logic [Names*IndexBits-1:0]  names_index_q;
logic [Entries-1:0]          f_same_ref, f_named_once;
logic [RefWays-1:0]          f_read_valid, f_was_clear;
logic                        f_ref_known, f_ref_full, f_evicting;
assign f_ref_known = |f_same_ref;
assign f_ref_full  = (f_names_beside & ~names_valid_q) == '0;
assign f_evicting  = clean_q || wipe_q;

// Yosys 0.23 cannot repeat a label in a generate loop: these asserts have none.
for (genvar e = 0; e < Entries; e++) begin : f_entry
  localparam int unsigned W = e % Ways;
  localparam int unsigned Index = ((e / Ways) << WayBits) + W;
  logic                 here, is_valid, is_pinned, next_valid, leaves, f_valid;
  logic [HashBits-1:0]  was_hash, next_hash;
  logic [RefBits-1:0]   was_ref, next_ref;
  logic [CountBits-1:0] was_count, next_count;
  assign here       = work && tables_set == SetWidth'(e / Ways);
  assign is_valid   = mirror_valid_q[e];
  assign was_hash   = mirror_hash_q[e*HashBits +: HashBits];
  assign was_ref    = mirror_ref_q[e*RefBits +: RefBits];
  assign was_count  = mirror_count_q[e*CountBits +: CountBits];
  assign is_pinned  = is_valid && was_count > CountBits'(1);
  assign next_valid = here && row_we ? valid_new[W] : is_valid;
  assign next_hash  = here && way_we && chosen[W] ? hash_q : was_hash;
  assign next_ref   = here && way_we && chosen[W] ? ref_q : was_ref;
  assign next_count = here && count_we && chosen[W] ? new_count : was_count;
  always_ff @(posedge clk_i) begin
    mirror_valid_q[e] <= rst_ni && next_valid;
    mirror_hash_q[e*HashBits +: HashBits]    <= next_hash;
    mirror_ref_q[e*RefBits +: RefBits]       <= next_ref;
    mirror_count_q[e*CountBits +: CountBits] <= next_count;
  end

  // What the operation must do.
  assign f_same_ref[e] = is_valid && was_ref == ref_q;
  assign f_named[e]  = op_q <= Insert ? is_valid && was_hash == hash_q
                                      : f_same_ref[e] && (op_q != Increment || index_q == IndexBits'(Index));
  assign f_in_set[e] = (hash_q & HashBits'(Sets - 1)) == HashBits'(e / Ways);
  assign f_free[e]   = f_in_set[e] && !is_valid && !(|(f_in_set & ~mirror_valid_q & Entries'((1 << e) - 1)));
  assign f_single[e] = f_in_set[e] && is_valid && was_count == CountBits'(1);
  assign f_lru[e]    = f_single[e] && !(|(f_single & f_later_q[e*Entries +: Entries]));
  assign leaves      = f_named[e] && (op_q > Decrement || (op_q == Decrement && was_count == CountBits'(1)));
  assign f_valid     = work ? f_placed[e] || (is_valid && !leaves) : is_valid;
  assign f_count[e*CountBits +: CountBits] =
      f_placed[e] ? CountBits'(1) : !f_named[e] || op_q <= Insert ? was_count :
      op_q == Increment ? was_count + CountBits'(!(&was_count)) : op_q == Decrement ? was_count - 1'b1 : '0;
  for (genvar other = 0; other < Entries; other++) begin : f_use
    always_ff @(posedge clk_i) begin
      if (other == e) f_later_q[e*Entries + other] <= 1'b0;
      else if (work && (f_placed[e] || (f_named[e] && op_q == Lookup))) f_later_q[e*Entries + other] <= 1'b1;
      else if (work && (f_placed[other] || (f_named[other] && op_q == Lookup))) f_later_q[e*Entries + other] <= 1'b0;
    end
  end

  // It does that to every entry, and nothing else to any; no operation, no change.
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (next_valid == f_valid);
    assert (!f_valid || next_count == (work ? f_count[e*CountBits +: CountBits] : was_count));
    assert (!f_valid || {next_hash, next_ref} == (work && f_placed[e] ? {hash_q, ref_q} : {was_hash, was_ref}));
  end

  // The store itself.
  always_ff @(posedge clk_i) if (rst_ni) begin
    assert (!is_valid || was_count != '0);
  end
  for (genvar other = 0; other < e; other++) begin : f_pair
    always_ff @(posedge clk_i) if (rst_ni) begin
      assert (!is_valid || !mirror_valid_q[other] ||
                                    was_hash != mirror_hash_q[other*HashBits +: HashBits]);
      assert (!is_valid || !mirror_valid_q[other] || was_ref != mirror_ref_q[other*RefBits +: RefBits]);
    end
  end
  always_ff @(posedge clk_i) if (rst_ni && here) begin
    assert (valid[W] == is_valid);
    assert (!is_valid || (tag_hash[W*HashBits +: HashBits] == was_hash &&
      tag_ref[W*RefBits +: RefBits] == was_ref && counts[W*CountBits +: CountBits] == was_count));
    // A pinned entry stays through every operation but its own DECREMENT and EVICT.
    assert (!is_pinned || op_q > Increment || next_valid);
    assert (!is_pinned || !(way_we && chosen[W]));
    // A count neither wraps nor sticks.
    assert (!f_named[e] || op_q != Increment || (&was_count) || next_count > was_count);
    assert (!f_named[e] || op_q != Increment || !(&was_count) || next_count == was_count);
    assert (!f_named[e] || op_q != Decrement || next_count < was_count);
  end
end

for (genvar a = 0; a < Ways; a++) begin : f_order
  for (genvar b = 0; b < a; b++) begin : f_pair
    always_ff @(posedge clk_i) if (rst_ni && work) begin
      assert (order[a*WayWidth +: WayWidth] != order[b*WayWidth +: WayWidth]);
    end
  end
end

// Names: what is written, what is read, what they say.
for (genvar n = 0; n < Names; n++) begin : f_name
  localparam int unsigned W = n % RefWays;
  logic                  here, valid_now;
  logic [RefTagBits-1:0] tag_now;
  logic [IndexBits-1:0]  index_now;
  logic [Entries-1:0]    is_named;
  logic [RefBits-1:0]    evicted_ref;
  assign here        = refs_we && refs_wmask[W] && refs_set == RefSetWidth'(n / RefWays);
  assign valid_now   = names_valid_q[n];
  assign tag_now     = names_tag_q[n*RefTagBits +: RefTagBits];
  assign index_now   = names_index_q[n*IndexBits +: IndexBits];
  assign evicted_ref = rsp_evicted_ref_o;
  assign f_names_beside[n] = ref_set_of(ref_q) == RefSetWidth'(n / RefWays);
  always_ff @(posedge clk_i) begin
    names_valid_q[n] <= rst_ni && (here ? refs_wvalid : valid_now);
    if (here) names_tag_q[n*RefTagBits +: RefTagBits]    <= ref_q[RefBits-1 -: RefTagBits];
    if (here) names_index_q[n*IndexBits +: IndexBits] <= found_index;
  end
  for (genvar e = 0; e < Entries; e++) begin : f_of
    localparam int unsigned Index = ((e / Ways) << WayBits) + e % Ways;
    assign is_named[e] = mirror_valid_q[e] && index_now == IndexBits'(Index) &&
                         mirror_ref_q[(e+1)*RefBits-1 -: RefTagBits] == tag_now &&
                         ref_set_of(mirror_ref_q[e*RefBits +: RefBits]) == RefSetWidth'(n / RefWays);
  end
  always_ff @(posedge clk_i) if (rst_ni && !clearing) begin
    assert (!valid_now || |is_named || fatal_q ||
            (f_evicting && evicted_ref[RefBits-1 -: RefTagBits] == tag_now && ref_set_of(evicted_ref) == RefSetWidth'(n / RefWays)));
    assert (!(seek_q || work_q) || lost || ref_set_of(ref_q) != RefSetWidth'(n / RefWays) || op_q == Lookup || op_q == Increment ||
            (work_q && op_q > Increment) ||
            (refs_valid[W] == valid_now && (!valid_now || (refs_found[W] == (tag_now == ref_q[RefBits-1 -: RefTagBits]) &&
             refs_read[W*NameBits +: IndexBits] == index_now))));
    assert (!wipe || ref_set_of(evicted_ref) != RefSetWidth'(n / RefWays) ||
            (refs_valid[W] == valid_now && (!valid_now || refs_found[W] == (tag_now == evicted_ref[RefBits-1 -: RefTagBits]))));
    assert (!(work_q && op_q > Increment && known_q && refs_way_q[W] && ref_set_of(ref_q) == RefSetWidth'(n / RefWays)) ||
            (valid_now && tag_now == ref_q[RefBits-1 -: RefTagBits] && index_now == index_q));
  end
  for (genvar m = n - n % RefWays; m < n; m++) begin : f_twice
    always_ff @(posedge clk_i) if (rst_ni && !clearing) begin
      assert (!valid_now || !names_valid_q[m] || tag_now != names_tag_q[m*RefTagBits +: RefTagBits]);
    end
  end
end
for (genvar e = 0; e < Entries; e++) begin : f_entry_named
  localparam int unsigned Index = ((e / Ways) << WayBits) + e % Ways;
  logic [Names-1:0] by;
  for (genvar n = 0; n < Names; n++) begin : f_by
    assign by[n] = names_valid_q[n] && names_index_q[n*IndexBits +: IndexBits] == IndexBits'(Index) &&
                   names_tag_q[n*RefTagBits +: RefTagBits] == mirror_ref_q[(e+1)*RefBits-1 -: RefTagBits] &&
                   ref_set_of(mirror_ref_q[e*RefBits +: RefBits]) == RefSetWidth'(n / RefWays);
  end
  assign f_named_once[e] = |by && (by & (by - 1'b1)) == '0;
  always_ff @(posedge clk_i) if (rst_ni && !clearing) assert (!mirror_valid_q[e] || f_named_once[e]);
end
always_ff @(posedge clk_i) if (rst_ni) begin
  a_evicted_is_gone: assert (!f_evicting || !(|(mirror_valid_q & f_evicted_same)));
  a_clear_alone:     assert (!clearing || (mirror_valid_q == '0 && !seek_q && !work_q && !clean_q && !wipe_q));
end
logic [Entries-1:0] f_evicted_same;
for (genvar e = 0; e < Entries; e++) begin : f_evicted_entry
  assign f_evicted_same[e] = mirror_ref_q[e*RefBits +: RefBits] == rsp_evicted_ref_o;
end

`include "hash_store_request.svh"

// The answer, all of its fields, from the mirror as the operation finds it.
logic                 f_ok, f_evicts, answered_q, f_hit_q, f_ok_q, f_evicts_q;
logic [IndexBits-1:0] f_index, f_index_q;
logic [RefBits-1:0]   f_ref, f_evicted_ref, f_ref_q, f_evicted_ref_q;
logic [CountBits-1:0] f_answer_count, f_count_q;
logic                 f_saturated;
always_comb begin
  f_index        = '0;
  f_ref          = '0;
  f_answer_count = '0;
  f_evicts       = 1'b0;
  f_evicted_ref  = '0;
  f_saturated    = 1'b0;
  for (int unsigned e = 0; e < Entries; e++) begin
    if (f_named[e] || f_placed[e]) begin  // one at most: no two entries have one hash
      f_index        = IndexBits'(((e / Ways) << WayBits) + e % Ways);
      f_ref          = f_placed[e] ? ref_q : mirror_ref_q[e*RefBits +: RefBits];
      f_answer_count = f_count[e*CountBits +: CountBits];
      f_evicts       = f_placed[e] && mirror_valid_q[e];
      f_evicted_ref  = f_evicts ? mirror_ref_q[e*RefBits +: RefBits] : '0;
      f_saturated    = op_q == Increment && (&mirror_count_q[e*CountBits +: CountBits]);
    end
  end
  f_ok = op_q == Insert ? |f_placed : f_hit && !f_saturated;
end
always_ff @(posedge clk_i) begin
  answered_q <= rst_ni && work;
  {f_hit_q, f_ok_q, f_evicts_q, f_index_q}    <= {f_hit, f_ok, f_evicts, f_index};
  {f_ref_q, f_count_q, f_evicted_ref_q}       <= {f_ref, f_answer_count, f_evicted_ref};
  if (rst_ni && answered_q) begin
    a_answer_follows: assert (rsp_valid_o);
    a_answer_hit:     assert (rsp_hit_o == f_hit_q);
    a_answer_ok:      assert (rsp_ok_o == f_ok_q);
    a_answer_index:   assert (rsp_index_o == f_index_q);
    a_answer_ref:     assert (rsp_ref_o == f_ref_q);
    a_answer_count:   assert (rsp_count_o == f_count_q);
    a_answer_evicted: assert (rsp_evicted_o == f_evicts_q && rsp_evicted_ref_o == f_evicted_ref_q);
  end
end
if (Secded == 0) begin : g_f_covers
  always_ff @(posedge clk_i) if (rst_ni && work_q) begin
    c_pinned_skipped: cover (op_q == Insert && evicted && |(valid & ~single));
    c_removed:        cover (removed && op_q == Decrement);
    c_evict_pinned:   cover (op_q > Decrement && removed && entry_count > CountBits'(1));
    c_refused:        cover (op_q == Insert && hit);
  end
end
if (Secded != 0) begin : g_f_secded
  `include "hash_store_secded.svh"
end
`endif
