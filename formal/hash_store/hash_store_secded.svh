// hash_store with Secded: flip_i is free, so any write leaves up to two wrong bits, in any lanes. That an answer is as
// without them is what hash_store_props.svh says. Here: the store halts exactly when an operation uses a lane with two
// wrong bits in a part. It reports exactly when one uses a lane with a single one. A halt lasts and writes nothing.
//
// *_two_q and *_one_q are what the last write of each lane left wrong, from flip_i and the write enables.
// Lanes have one part at the sizes of these proofs.
//
// With SECDED_CONTRACT (stub=secded_words) what is read is free, but for what is proved of the code and ram_1rw: a lane
// that is read is whole, corrected or lost by the wrong bits of its last write; not lost, it is what was written.
localparam int unsigned TagBits = HashBits + RefBits;
localparam int unsigned RowLane   = RowBits + (RowBits > 26 ? 7 : RowBits > 11 ? 6 : RowBits > 4 ? 5 : RowBits > 1 ? 4 : 3);
localparam int unsigned TagLane   = TagBits + (TagBits > 26 ? 7 : TagBits > 11 ? 6 : TagBits > 4 ? 5 : TagBits > 1 ? 4 : 3);
localparam int unsigned CountLane = CountBits + (CountBits > 11 ? 6 : CountBits > 4 ? 5 : CountBits > 1 ? 4 : 3);
localparam int unsigned NameLane  = NameBits + (NameBits > 11 ? 6 : NameBits > 4 ? 5 : NameBits > 1 ? 4 : 3);
if (RowBits > 57 || TagBits > 57 || CountBits > 26 || NameBits > 26) begin : g_too_wide
  $error("hash_store_secded: lanes of one part only");
end
// A half of flip_i names one of so many bits of a table, from the first on.
function automatic logic names_bit(input logic [15:0] half, input logic [1:0] in, input logic [13:0] first, input logic [13:0] bits);
  names_bit = half[15:14] == in && half[13:0] > first && half[13:0] <= first + bits;
endfunction
logic differ;
assign differ = flip_i[15:0] != flip_i[31:16];

logic [Sets-1:0]    row_two_q, row_one_q, row_read_here, row_lost, row_wrong;
logic [Entries-1:0] tag_two_q, tag_one_q, count_two_q, count_one_q, way_lost, way_wrong;
logic [Names-1:0]   name_two_q, name_one_q, name_lost, name_wrong;
logic               uses_names, is_lost, is_wrong;
logic [RefBits-1:0] names_line;
assign uses_names = seek_q || (work_q && op_q == Insert) || wipe_q;
assign names_line = wipe_q ? rsp_evicted_ref_o : ref_q;
for (genvar s = 0; s < Sets; s++) begin : g_row
  logic low, high, here;
  assign low  = names_bit(flip_i[15:0], 2'd0, 14'd0, 14'(RowLane));
  assign high = names_bit(flip_i[31:16], 2'd0, 14'd0, 14'(RowLane));
  assign here = (row_we || clearing) && (clearing ? SetWidth'(clear_q) : tables_set) == SetWidth'(s);
  always_ff @(posedge clk_i) if (here) begin
    row_two_q[s] <= low && high && differ;
    row_one_q[s] <= (low || high) && !(low && high && differ);
  end
  assign row_read_here[s] = work_q && set == SetWidth'(s);
  assign row_lost[s]      = row_read_here[s] && row_two_q[s];
  assign row_wrong[s]     = row_read_here[s] && row_one_q[s];
end
for (genvar e = 0; e < Entries; e++) begin : g_way
  localparam int unsigned W = e % Ways;
  logic tag_low, tag_high, count_low, count_high, here, used;
  assign tag_low    = names_bit(flip_i[15:0], 2'd1, 14'(W * TagLane), 14'(TagLane));
  assign tag_high   = names_bit(flip_i[31:16], 2'd1, 14'(W * TagLane), 14'(TagLane));
  assign count_low  = names_bit(flip_i[15:0], 2'd2, 14'(W * CountLane), 14'(CountLane));
  assign count_high = names_bit(flip_i[31:16], 2'd2, 14'(W * CountLane), 14'(CountLane));
  assign here       = chosen[W] && tables_set == SetWidth'(e / Ways);
  always_ff @(posedge clk_i) begin
    if (here && way_we) begin
      tag_two_q[e] <= tag_low && tag_high && differ;
      tag_one_q[e] <= (tag_low || tag_high) && !(tag_low && tag_high && differ);
    end
    if (here && count_we) begin
      count_two_q[e] <= count_low && count_high && differ;
      count_one_q[e] <= (count_low || count_high) && !(count_low && count_high && differ);
    end
  end
  assign used         = row_read_here[e / Ways] && mirror_valid_q[e];
  assign way_lost[e]  = used && (tag_two_q[e] || count_two_q[e]);
  assign way_wrong[e] = used && (tag_one_q[e] || count_one_q[e]);
end
for (genvar n = 0; n < Names; n++) begin : g_name
  localparam int unsigned W = n % RefWays;
  logic low, high, here, used;
  assign low  = names_bit(flip_i[15:0], 2'd3, 14'(W * NameLane), 14'(NameLane));
  assign high = names_bit(flip_i[31:16], 2'd3, 14'(W * NameLane), 14'(NameLane));
  assign here = refs_we && refs_wmask[W] && refs_set == RefSetWidth'(n / RefWays);
  always_ff @(posedge clk_i) if (here) begin
    name_two_q[n] <= low && high && differ;
    name_one_q[n] <= (low || high) && !(low && high && differ);
  end
  assign used          = uses_names && ref_set_of(names_line) == RefSetWidth'(n / RefWays);
  assign name_lost[n]  = used && name_two_q[n];
  assign name_wrong[n] = used && name_one_q[n];
end
assign is_lost  = |row_lost || |way_lost || |name_lost;
assign is_wrong = |row_wrong || |way_wrong || |name_wrong;

logic was_lost_q, was_offered_q, was_up_q;
initial {was_lost_q, was_offered_q, was_up_q} = '0;
always_ff @(posedge clk_i) begin
  was_lost_q    <= rst_ni && (was_lost_q || is_lost);
  was_offered_q <= rsp_valid_o;
  was_up_q      <= rst_ni;
  if (rst_ni && f_started_q) begin
    a_lost_is_seen:      assert (lost == is_lost);
    a_corrected_is_seen: assert (corrected_o == (is_wrong && !is_lost));
    a_halts_when_lost:   assert (!was_up_q || fatal_o == was_lost_q);
    a_lost_no_write:     assert (!(is_lost || fatal_o) || !(way_we || count_we || row_we || refs_we || clearing));
    a_halted_not_ready:  assert (!fatal_o || !req_ready_o);
    a_halted_no_answer:  assert (!(fatal_o && was_up_q && rsp_valid_o) || was_offered_q);
    c_answer_corrected:  cover (work && is_wrong && hit && op_q == Lookup);
    c_two_lanes_wrong:   cover (work && |row_wrong && |way_wrong);
    c_halt_when_sought:  cover (is_lost && seek_q);
    c_halt_at_work:      cover (is_lost && work_q && row_lost == '0);
    c_halt_on_wiping:    cover (is_lost && wipe_q);
    c_halted:            cover (fatal_o && !was_offered_q);
    c_halted_on_offer:   cover (fatal_o && rsp_valid_o);
  end
end

`ifdef SECDED_CONTRACT
logic [Sets*RowBits-1:0] rows_q;  // what was written
logic [SetWidth-1:0]     read_set_q;
logic [RefSetWidth-1:0]  read_names_q;
logic                    row_read_q, tags_read_q, counts_read_q, names_read_q;  // nothing was written there since
initial {row_read_q, tags_read_q, counts_read_q, names_read_q} = '0;
always_ff @(posedge clk_i) begin
  if (tables_re) read_set_q <= tables_set;
  if (refs_re) read_names_q <= refs_set;
  row_read_q    <= (row_read_q || tables_re) && !(row_we || clearing);
  tags_read_q   <= (tags_read_q || tables_re) && !way_we;
  counts_read_q <= (counts_read_q || tables_re) && !count_we;
  names_read_q  <= (names_read_q || refs_re) && !refs_we;
end
for (genvar s = 0; s < Sets; s++) begin : g_row_contract
  logic here;
  assign here = row_read_q && read_set_q == SetWidth'(s);
  always_ff @(posedge clk_i) if (g_row[s].here) rows_q[s*RowBits +: RowBits] <= clearing ? {{Ways{1'b0}}, reset_order} : row_new;
  always_comb begin
    assume (!here || (row_fatal == row_two_q[s] && row_single == row_one_q[s]));
    assume (!here || row_two_q[s] || row_read == rows_q[s*RowBits +: RowBits]);
  end
end
for (genvar e = 0; e < Entries; e++) begin : g_way_contract
  localparam int unsigned W = e % Ways;
  logic here_tag, here_count;
  assign here_tag   = tags_read_q && read_set_q == SetWidth'(e / Ways) && mirror_valid_q[e];
  assign here_count = counts_read_q && read_set_q == SetWidth'(e / Ways) && mirror_valid_q[e];
  always_comb begin
    assume (!here_tag || (tags_fatal[W] == tag_two_q[e] && tags_single[W] == tag_one_q[e]));
    assume (!here_tag || tag_two_q[e] || tags[W*TagBits +: TagBits] ==
                                         {mirror_hash_q[e*HashBits +: HashBits], mirror_ref_q[e*RefBits +: RefBits]});
    assume (!here_count || (counts_fatal[W] == count_two_q[e] && counts_single[W] == count_one_q[e]));
    assume (!here_count || count_two_q[e] || counts[W*CountBits +: CountBits] == mirror_count_q[e*CountBits +: CountBits]);
  end
end
for (genvar n = 0; n < Names; n++) begin : g_name_contract
  localparam int unsigned W = n % RefWays;
  logic here;
  assign here = names_read_q && read_names_q == RefSetWidth'(n / RefWays);
  always_comb begin
    assume (!here || (refs_fatal[W] == name_two_q[n] && refs_single[W] == name_one_q[n]));
    assume (!here || name_two_q[n] || refs_valid[W] == names_valid_q[n]);
    assume (!here || name_two_q[n] || !names_valid_q[n] || refs_read[W*NameBits +: NameBits-1] ==
                                      {names_tag_q[n*RefTagBits +: RefTagBits], names_index_q[n*IndexBits +: IndexBits]});
  end
end
`endif
