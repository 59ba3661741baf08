// hash_store: fingerprints of stored blocks, each with the address of its reference block and the
// number of blocks mapped to it; set-associative, LRU among the entries with count 1.
//
//            set ──▶ rows  {valid, LRU order}         ─┐
//   req ──▶ [req]──▶ tags  {hash, ref}  one per way   ─┼▶ compare, choose, update ──▶ [rsp] ──▶ rsp
//                    counts             one per way   ─┘        │
//                      ▲────────────────────────────────────────┘ write back
//
//   latency     2 cycles, every operation       throughput  1 operation per 3 cycles (one in flight)
//
// Operations (req_op_i); fields of the response that an outcome does not define are 0:
//   0 LOOKUP(hash)          hit, index, ref, count; ok = hit; a hit becomes the most recent of its set
//   1 INSERT(hash, ref)     present: hit, ok=0. Otherwise the first free way, else the LRU among the entries
//                           with count 1 (evicted, evicted_ref), else ok=0; count = 1, most recent
//   2 INCREMENT(index, ref) hit when that entry is valid and holds ref; ok=0 when saturated
//   3 DECREMENT(index, ref) hit likewise, ok = hit; the entry leaves when its count reaches 0
//   4 EVICT(index, ref)     hit likewise, ok = hit; the entry leaves whatever its count. 5..7 act as 4.
// index = {set, way}; the set is the low bits of the hash. An entry with count > 1 is pinned: INSERT
// never evicts it. A set's row is meaningful once it was written since reset (live_q), so reset
// clears one flop per set and no memory.
// Source: CMD paper, IV.B; decisions C9 (organisation, saturation) and C13 (access by index).
`default_nettype none
module hash_store #(
  // The defaults are small because a proof's sources are elaborated at them first; paper: points.txt.
  parameter int unsigned Sets = 2,  // power of two
  parameter int unsigned Ways = 2,
  parameter int unsigned HashBits = 4,
  parameter int unsigned RefBits = 2,
  parameter int unsigned CountBits = 2,
  parameter int unsigned IndexBits = Sets * Ways > 1 ? $clog2(Sets) + $clog2(Ways) : 1  // follows
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 req_valid_i,
  output logic                      req_ready_o,
  input  wire logic [2:0]           req_op_i,
  input  wire logic [HashBits-1:0]  req_hash_i,
  input  wire logic [RefBits-1:0]   req_ref_i,
  input  wire logic [IndexBits-1:0] req_index_i,
  output logic                      rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output logic                      rsp_hit_o,
  output logic [IndexBits-1:0]      rsp_index_o,
  output logic [RefBits-1:0]        rsp_ref_o,
  output logic [CountBits-1:0]      rsp_count_o,
  output logic                      rsp_ok_o,
  output logic                      rsp_evicted_o,
  output logic [RefBits-1:0]        rsp_evicted_ref_o
);
  localparam int unsigned SetBits = $clog2(Sets);            // may be 0
  localparam int unsigned SetWidth = Sets > 1 ? SetBits : 1;
  localparam int unsigned WayBits = $clog2(Ways);            // may be 0
  localparam int unsigned WayWidth = Ways > 1 ? WayBits : 1;
  localparam int unsigned RowBits = Ways + Ways * WayWidth;

  if (Sets == 0 || (Sets & (Sets - 1)) != 0) begin : g_bad_sets
    $error("hash_store: Sets must be a power of two");
  end
  if (Ways == 0) begin : g_bad_ways
    $error("hash_store: Ways must be at least 1");
  end
  if (HashBits == 0 || HashBits < SetBits) begin : g_bad_hash
    $error("hash_store: HashBits must hold the set number");
  end
  if (RefBits == 0 || CountBits == 0) begin : g_bad_fields
    $error("hash_store: RefBits and CountBits must be at least 1");
  end
  if (IndexBits != (Sets * Ways > 1 ? SetBits + WayBits : 1)) begin : g_bad_index
    $error("hash_store: IndexBits follows from Sets and Ways");
  end

  localparam logic [2:0] Lookup = 3'd0, Insert = 3'd1, Increment = 3'd2, Decrement = 3'd3;

  // One operation: taken, then compared and written, then on offer.
  logic                 work_q, rsp_valid_q, take;
  logic [2:0]           op_q;
  logic [HashBits-1:0]  hash_q;
  logic [RefBits-1:0]   ref_q;
  logic [IndexBits-1:0] index_q;

  assign req_ready_o = !work_q && !rsp_valid_q;
  assign rsp_valid_o = rsp_valid_q;
  assign take        = req_valid_i && req_ready_o;

  // Set of a request, and index of {set, way}; zero-width fields vanish.
  logic [SetWidth-1:0]  req_set, set;
  logic [WayWidth-1:0]  index_way, place;
  logic [IndexBits-1:0] found_index;
  if (Sets > 1) begin : g_set
    assign req_set = req_op_i <= Insert ? req_hash_i[SetBits-1:0] : req_index_i[IndexBits-1 -: SetBits];
    assign set     = op_q <= Insert ? hash_q[SetBits-1:0] : index_q[IndexBits-1 -: SetBits];
  end else begin : g_one_set
    assign req_set = '0;
    assign set     = '0;
  end
  if (Ways > 1) begin : g_way
    assign index_way = index_q[WayBits-1:0];
  end else if (Sets > 1) begin : g_one_way
    assign index_way = '0;
  end else begin : g_one_entry  // the index has one bit too many: 1 names no entry
    assign index_way = index_q;
  end
  if (Sets > 1 && Ways > 1) begin : g_index
    assign found_index = {set, place};
  end else if (Sets > 1) begin : g_index_is_set
    assign found_index = set;
  end else begin : g_index_is_way
    assign found_index = place;
  end

  // Memories: read when a request is taken, written one cycle later.
  logic [Ways-1:0]          way_we, count_we;
  logic [Ways*HashBits-1:0] tag_hash;
  logic [Ways*RefBits-1:0]  tag_ref;
  logic [Ways*CountBits-1:0] counts;
  logic [CountBits-1:0]     new_count;
  logic [RowBits-1:0]       row_read, row_new;
  logic                     row_we;

  ram_1r1w #(.Width(RowBits), .Depth(Sets)) i_rows (
    .clk_i, .we_i(row_we), .waddr_i(set), .wdata_i(row_new),
    .re_i(take), .raddr_i(req_set), .rdata_o(row_read)
  );
  for (genvar w = 0; w < Ways; w++) begin : g_ways
    ram_1r1w #(.Width(HashBits + RefBits), .Depth(Sets)) i_tags (
      .clk_i, .we_i(way_we[w]), .waddr_i(set), .wdata_i({hash_q, ref_q}),
      .re_i(take), .raddr_i(req_set),
      .rdata_o({tag_hash[w*HashBits +: HashBits], tag_ref[w*RefBits +: RefBits]})
    );
    ram_1r1w #(.Width(CountBits), .Depth(Sets)) i_counts (
      .clk_i, .we_i(count_we[w]), .waddr_i(set), .wdata_i(new_count),
      .re_i(take), .raddr_i(req_set), .rdata_o(counts[w*CountBits +: CountBits])
    );
  end

  logic [Sets-1:0]          live_q;
  logic [Ways-1:0]          valid, valid_new;
  logic [Ways*WayWidth-1:0] order, order_new, reset_order;
  for (genvar w = 0; w < Ways; w++) begin : g_reset_order
    assign reset_order[w*WayWidth +: WayWidth] = WayWidth'(w);
  end
  assign valid = row_read[RowBits-1 -: Ways] & {Ways{live_q[set]}};
  assign order = live_q[set] ? row_read[Ways*WayWidth-1:0] : reset_order;

  // Which entry the request names, and where an insertion would go.
  logic [Ways-1:0]     found, single, free, chosen, eligible;
  logic                hit, free_seen;
  logic [WayWidth-1:0] victim, found_way;
  logic                victim_valid;
  always_comb begin
    found     = '0;
    single    = '0;
    free      = '0;
    free_seen = 1'b0;
    found_way = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (op_q <= Insert) found[w] = valid[w] && tag_hash[w*HashBits +: HashBits] == hash_q;
      else found[w] = valid[w] && index_way == WayWidth'(w) && tag_ref[w*RefBits +: RefBits] == ref_q;
      if (found[w]) found_way = found_way | WayWidth'(w);
      single[w] = valid[w] && counts[w*CountBits +: CountBits] == CountBits'(1);
      free[w]   = !valid[w] && !free_seen;
      free_seen = free_seen || !valid[w];
    end
`ifdef FORMAL
`ifdef PLANT_EVICT_PINNED
    single = valid;
`endif
`endif
  end
  assign eligible = free_seen ? free : single;
  assign hit      = |found;
  assign place    = hit ? found_way : victim;

  lru #(.Ways(Ways)) i_lru (
    .order_i(order), .way_i(place), .eligible_i(eligible),
    .order_o(order_new), .victim_o(victim), .victim_valid_o(victim_valid)
  );

  logic                 inserted, evicted, removed, counted, saturated;
  logic [RefBits-1:0]   entry_ref;
  logic [CountBits-1:0] entry_count;
  always_comb begin
    entry_ref   = '0;
    entry_count = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      chosen[w] = place == WayWidth'(w);
      if (chosen[w]) begin
        entry_ref   = entry_ref | tag_ref[w*RefBits +: RefBits];
        entry_count = entry_count | counts[w*CountBits +: CountBits];
      end
    end
    inserted  = op_q == Insert && !hit && victim_valid;
`ifdef FORMAL
`ifdef PLANT_INSERT_TWICE
    inserted  = op_q == Insert && victim_valid;
`endif
`endif
    evicted   = inserted && !free_seen;
    saturated = entry_count == '1;
`ifdef FORMAL
`ifdef PLANT_COUNT_WRAPS
    saturated = 1'b0;
`endif
`endif
    new_count = entry_count;
    if (inserted) new_count = CountBits'(1);
    else case (op_q)
      Lookup, Insert: new_count = entry_count;
      Increment:      new_count = saturated ? entry_count : entry_count + 1'b1;
      Decrement:      new_count = entry_count - 1'b1;
      default:        new_count = '0;
    endcase
    counted = hit && op_q > Insert;
    removed = counted && op_q != Increment && new_count == '0;
`ifdef FORMAL
`ifdef PLANT_KEEP_ZERO
    removed = counted && op_q > Decrement;
`endif
`endif
  end
  assign way_we    = chosen & {Ways{work_q && inserted}};
`ifdef PLANT_NEVER_COUNTS  // planted bug: a count is set by INSERT and never moves
  assign count_we  = chosen & {Ways{work_q && inserted}};
`else
  assign count_we  = chosen & {Ways{work_q && (inserted || counted)}};
`endif
  assign row_we    = work_q && (inserted || removed || (op_q == Lookup && hit));
  assign valid_new = (valid | (chosen & {Ways{inserted}})) & ~(chosen & {Ways{removed}});
  assign row_new   = {valid_new, removed ? order : order_new};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      work_q      <= 1'b0;
      rsp_valid_q <= 1'b0;
      live_q      <= '0;
    end else begin
      work_q <= take;
      if (work_q) rsp_valid_q <= 1'b1;
      else if (rsp_ready_i) rsp_valid_q <= 1'b0;
      if (row_we) live_q[set] <= 1'b1;
    end
    if (take) begin
`ifdef PLANT_OTHER_OP  // planted bug: a count that should rise falls
      op_q    <= req_op_i == Increment ? Decrement : req_op_i;
`else
      op_q    <= req_op_i;
`endif
      hash_q  <= req_hash_i;
      ref_q   <= req_ref_i;
      index_q <= req_index_i;
    end
    if (work_q) begin
      rsp_hit_o         <= hit;
      rsp_ok_o          <= inserted || (hit && op_q != Insert && !(op_q == Increment && saturated));
      rsp_index_o       <= hit || inserted ? found_index : '0;
      rsp_ref_o         <= hit ? entry_ref : inserted ? ref_q : '0;
      rsp_count_o       <= hit || inserted ? new_count : '0;
      rsp_evicted_o     <= evicted;
      rsp_evicted_ref_o <= evicted ? entry_ref : '0;
    end
  end

`ifndef SYNTHESIS
  stream_check #(.Width(IndexBits + 2 * RefBits + CountBits + 3)) i_rsp_check (
    .clk_i, .rst_ni, .valid_i(rsp_valid_o), .ready_i(rsp_ready_i),
    .data_i({rsp_hit_o, rsp_index_o, rsp_ref_o, rsp_count_o, rsp_ok_o, rsp_evicted_o, rsp_evicted_ref_o})
  );
  logic [Ways-1:0] counted_zero;
  for (genvar w = 0; w < Ways; w++) begin : g_counted_zero
    assign counted_zero[w] = valid[w] && counts[w*CountBits +: CountBits] == '0;
  end
  always_ff @(posedge clk_i) if (rst_ni && work_q) begin
    a_one_entry_found: assert ($onehot0(found));
    a_valid_is_mapped: assert (counted_zero == '0);
    c_evicted:         cover (evicted);
    c_all_pinned:      cover (op_q == Insert && !hit && !victim_valid);
    c_saturated:       cover (op_q == Increment && hit && saturated);
  end
`endif
`ifdef FORMAL_HASH_STORE
  `include "hash_store_props.svh"
`endif
endmodule
`default_nettype wire
