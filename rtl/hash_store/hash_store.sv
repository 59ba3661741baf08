// hash_store: fingerprints of stored lines, each with its reference line and the number of lines mapped to it.
// Set-associative, LRU among the entries with count 1. A reference is the line whose slot holds the shared content
// (sim_cpp/GLOSSARY.md).
// Why there is a second table: it finds the entry of a reference line, so no memory has to store where the entry is.
//
//            set ──▶ rows  {valid, LRU order}         ─┐
//   req ──▶ [req]──▶ tags  {hash, ref}  lane per way  ─┼▶ compare, choose, update ──▶ [rsp] ──▶ rsp
//             │      counts             lane per way  ─┘        │
//             │        ▲────────────────────────────────────────┘ write back
//             └────▶ refs  {valid, ref, index}, lane per way: set of DECREMENT and EVICT
//
// The four memories have one port each (ram_1rw): an operation reads, and then writes. Ways are lanes of one word.
//
//   latency     2 cycles, DECREMENT and EVICT 3
//   throughput  1 operation in flight: per 3 cycles; DECREMENT, EVICT and an INSERT that evicts per 4
//   reset       the tables are cleared one set per cycle; req_ready_o rises max(Sets, RefSets) cycles after reset
//
// Operations (req_op_i); fields of the response that an outcome does not define are 0:
//   0 LOOKUP(hash)          hit, index, ref, count; ok = hit; a hit becomes the most recent of its set
//   1 INSERT(hash, ref)     present: hit, ok=0. Otherwise the first free way, else the LRU among the entries
//                           with count 1 (evicted, evicted_ref), else ok=0; count = 1, most recent.
//                           ok=0, too, when ref has an entry already or its set of the second table is full
//   2 INCREMENT(index, ref) hit when that entry is valid and holds ref; ok=0 when saturated
//   3 DECREMENT(ref)        hit when ref has an entry, ok = hit; the entry leaves when its count reaches 0
//   4 EVICT(ref)            hit likewise, ok = hit; the entry leaves whatever its count. 5..7 act as 4.
// index = {set, way}; the set is the low bits of the hash, in the second table the parity of every RefSets-th bit
// of ref. An entry with count > 1 is pinned: INSERT never evicts it.
//
// With Secded each lane has check bits (secded_words):
//   words in use   the row; of tags and counts the valid ways; for INSERT, DECREMENT, EVICT the set of the reference
//   corrected_o    high in a cycle that uses a word with a corrected bit
//   fatal_o        a word in use had two wrong bits in one part: nothing more is taken, written or answered until reset
// The operation that meets such a word does nothing. An answer that is on offer stays: it came from whole words.
// A wrong bit stays in its memory until an operation writes its lane.
// flip_i has two halves {table, number + 1}. Table is 0 for rows, 1 for tags, 2 for counts, 3 for refs.
// Bit `number` of its stored word is inverted in every write. A half of 0 inverts none.
// Source: CMD paper, IV.B; decisions C9 (organisation, saturation) and C13 (the entry of a reference).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module hash_store #(
  // The defaults are small because a proof's sources are elaborated at them first; paper: points.txt.
  parameter int unsigned Sets = 2,  // power of two
  parameter int unsigned Ways = 2,  // any number from 1
  parameter int unsigned HashBits = 4,  // bits of the fingerprint, with the domain
  parameter int unsigned RefBits = 2,  // bits of a line number in the controller
  parameter int unsigned CountBits = 2,  // bits of the number of mapped lines
  parameter int unsigned RefSets = 2,  // power of two, fewer than 2^RefBits
  parameter int unsigned RefWays = 2,  // any number from 1
  parameter int unsigned Secded = 0,  // 1: memories correct one wrong bit in each part, two halt the store
  parameter int unsigned IndexBits = Sets * Ways > 1 ? $clog2(Sets) + $clog2(Ways) : 1  // follows
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic                 req_valid_i,
  output logic                      req_ready_o,
  input  wire logic [2:0]           req_op_i,  // 0 LOOKUP, 1 INSERT, 2 INCREMENT, 3 DECREMENT, 4 to 7 EVICT
  input  wire logic [HashBits-1:0]  req_hash_i,  // LOOKUP, INSERT: fingerprint, with the domain on top
  input  wire logic [RefBits-1:0]   req_ref_i,  // all but LOOKUP: reference line
  input  wire logic [IndexBits-1:0] req_index_i,  // INCREMENT: {set, way} of the entry
  output logic                      rsp_valid_o,
  input  wire logic                 rsp_ready_i,
  output logic                      rsp_hit_o,  // the entry was found
  output logic [IndexBits-1:0]      rsp_index_o,  // {set, way} of the entry
  output logic [RefBits-1:0]        rsp_ref_o,  // reference of the entry
  output logic [CountBits-1:0]      rsp_count_o,  // count after the operation
  output logic                      rsp_ok_o,  // the operation was done
  output logic                      rsp_evicted_o,  // INSERT replaced an entry of count 1
  output logic [RefBits-1:0]        rsp_evicted_ref_o,  // reference of the replaced entry
  input  wire logic [31:0]          flip_i,  // stored bits to write inverted, for tests; 0 in use
  output logic                      corrected_o,  // a word in use has a wrong bit that was corrected
  output logic                      fatal_o  // halted until reset: a word in use had two wrong bits in one part
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
  if (RefSets == 0 || (RefSets & (RefSets - 1)) != 0 || $clog2(RefSets) >= RefBits) begin : g_bad_ref_sets
    $error("hash_store: RefSets must be a power of two below 2^RefBits");
  end
  if (RefWays == 0) begin : g_bad_ref_ways
    $error("hash_store: RefWays must be at least 1");
  end
  if (Secded > 1) begin : g_bad_secded
    $error("hash_store: Secded must be 0 or 1");
  end
  if (IndexBits != (Sets * Ways > 1 ? SetBits + WayBits : 1)) begin : g_bad_index
    $error("hash_store: IndexBits follows from Sets and Ways");
  end

  localparam logic [2:0] Lookup = 3'd0, Insert = 3'd1, Increment = 3'd2, Decrement = 3'd3;

  // One operation: taken, [entry of ref sought,] compared and written, on offer; an evicted entry leaves the second
  // table while the answer is on offer: its set is read (clean_q), then written (wipe_q).
  localparam int unsigned ClearSets = Sets > RefSets ? Sets : RefSets;
  localparam int unsigned ClearBits = $clog2(ClearSets + 1);
  logic                 seek_q, work_q, clean_q, wipe_q, rsp_valid_q, fatal_q, take, clearing;
  logic                 lost, work, wipe;  // a word in use is lost; the step is done as none is
  logic [ClearBits-1:0] clear_q;  // sets cleared since reset
  logic [2:0]           op_q;
  logic [HashBits-1:0]  hash_q;
  logic [RefBits-1:0]   ref_q;
  logic [IndexBits-1:0] index_q;

  assign clearing    = clear_q != ClearBits'(ClearSets);
  assign req_ready_o = !seek_q && !work_q && !clean_q && !wipe_q && !rsp_valid_q && !clearing && !fatal_q;
  assign rsp_valid_o = rsp_valid_q;
  assign take        = req_valid_i && req_ready_o;

  // Set of a request, and index of {set, way}; zero-width fields vanish.
  logic [SetWidth-1:0]  read_set, set;
  logic [WayWidth-1:0]  index_way, place;
  logic [IndexBits-1:0] found_index, sought_index;
  if (Sets > 1) begin : g_set
    assign read_set = seek_q ? sought_index[IndexBits-1 -: SetBits] :
                      req_op_i <= Insert ? req_hash_i[SetBits-1:0] : req_index_i[IndexBits-1 -: SetBits];
    assign set      = op_q <= Insert ? hash_q[SetBits-1:0] : index_q[IndexBits-1 -: SetBits];
  end else begin : g_one_set
    assign read_set = '0;
    assign set      = '0;
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

  // Bits to write inverted, by memory: 0 rows, 1 tags, 2 counts, 3 refs.
  logic [4*32-1:0] flips;
  always_comb begin
    for (int unsigned half = 0; half < 8; half++) begin
      flips[16*half +: 16] = flip_i[16*(half%2) + 14 +: 2] == 2'(half / 2) ? {2'b00, flip_i[16*(half%2) +: 14]} : '0;
    end
  end

  // The second table. A set holds the entries of the references with its parity; the part of ref above the low bits
  // says which one it is.
  localparam int unsigned RefSetBits  = $clog2(RefSets);  // may be 0
  localparam int unsigned RefSetWidth = RefSets > 1 ? RefSetBits : 1;
  localparam int unsigned RefTagBits  = RefBits - RefSetBits;
  function automatic logic [RefSetWidth-1:0] ref_set_of(input logic [RefBits-1:0] line);
    ref_set_of = '0;
    if (RefSets > 1) begin
      for (int unsigned b = 0; b < RefBits; b++) ref_set_of[b % RefSetWidth] = ref_set_of[b % RefSetWidth] ^ line[b];
    end
  endfunction
  localparam int unsigned NameBits    = 1 + RefTagBits + IndexBits;  // valid, tag, index
  localparam int unsigned RefsStored  = secded_pkg::stored_bits(NameBits, RefWays, Secded);
  logic [RefWays-1:0]          refs_wmask, refs_valid, refs_found, refs_free;
  logic [RefWays*NameBits-1:0] refs_read;
  logic [RefBits-1:0]          refs_line;   // whose entry is looked for
  logic                        refs_we, refs_re, refs_hit, refs_room, refs_wvalid, known_q;
  logic [RefWays-1:0]          refs_way_q;  // way of the entry that DECREMENT and EVICT name
  logic [RefSetWidth-1:0]      refs_set;
  logic [RefWays*NameBits-1:0] refs_write;
  logic [RefsStored-1:0]       refs_stored, refs_raw;
  logic [RefWays-1:0]          refs_single, refs_fatal;
  // Cleared to zeros: check bits of undefined data would be undefined, too.
  assign refs_write = Secded != 0 && clearing ? '0 : {RefWays{refs_wvalid, ref_q[RefBits-1 -: RefTagBits], found_index}};
  ram_1rw #(.Width(RefsStored), .Depth(RefSets), .MaskBits(RefWays)) i_refs (
    .clk_i,
    .we_i(refs_we),
    .re_i(refs_re),
    .addr_i(refs_set),
    .wmask_i(refs_wmask),
    .wdata_i(refs_stored),
    .rdata_o(refs_raw)
  );
  secded_words #(.Width(RefWays * NameBits), .Lanes(RefWays), .Secded(Secded), .Stored(RefsStored)) i_refs_words (
    .data_i(refs_write),
    .flip_i(flips[3*32 +: 32]),
    .stored_o(refs_stored),
    .read_i(refs_raw),
    .data_o(refs_read),
    .single_o(refs_single),
    .fatal_o(refs_fatal)
  );
  for (genvar w = 0; w < RefWays; w++) begin : g_refs
    assign refs_valid[w] = refs_read[w*NameBits + NameBits - 1];
    assign refs_found[w] = refs_valid[w] && refs_read[w*NameBits + IndexBits +: RefTagBits] ==
                                            refs_line[RefBits-1 -: RefTagBits];
  end
  assign refs_line = clean_q || wipe_q ? rsp_evicted_ref_o : ref_q;
  assign refs_hit  = |refs_found;
  assign refs_room = !(&refs_valid);
  assign refs_re   = take || clean_q;
  assign refs_set  = clearing ? RefSetWidth'(clear_q)
                              : ref_set_of(work_q || clean_q || wipe_q ? refs_line : req_ref_i);
  always_comb begin
    logic seen;
    seen         = 1'b0;
    sought_index = '0;
    for (int unsigned w = 0; w < RefWays; w++) begin
      refs_free[w] = !refs_valid[w] && !seen;
      seen         = seen || !refs_valid[w];
      if (refs_found[w]) sought_index = sought_index | refs_read[w*NameBits +: IndexBits];
    end
  end

  // Memories: read when a request is taken or its entry is known, written one cycle later. So one port is enough.
  logic                     tables_re, way_we, count_we;
  logic [SetWidth-1:0]      tables_set;
  logic [Ways*(HashBits+RefBits)-1:0] tags;
  logic [Ways*HashBits-1:0] tag_hash;
  logic [Ways*RefBits-1:0]  tag_ref;
  logic [Ways*CountBits-1:0] counts;
  logic [CountBits-1:0]     new_count;
  logic [RowBits-1:0]       row_read, row_new;
  logic                     row_we, row_single, row_fatal;
  logic [Ways-1:0]          tags_single, tags_fatal, counts_single, counts_fatal;
  localparam int unsigned RowsStored   = secded_pkg::stored_bits(RowBits, 1, Secded);
  localparam int unsigned TagsStored   = secded_pkg::stored_bits(HashBits + RefBits, Ways, Secded);
  localparam int unsigned CountsStored = secded_pkg::stored_bits(CountBits, Ways, Secded);
  logic [RowsStored-1:0]    row_stored, row_raw;
  logic [TagsStored-1:0]    tags_stored, tags_raw;
  logic [CountsStored-1:0]  counts_stored, counts_raw;
  logic [Ways*WayWidth-1:0] order, order_new, reset_order;
  for (genvar w = 0; w < Ways; w++) begin : g_reset_order
    assign reset_order[w*WayWidth +: WayWidth] = WayWidth'(w);
  end

  assign tables_re  = take || seek_q;
  assign tables_set = seek_q || req_ready_o ? read_set : set;
  ram_1rw #(.Width(RowsStored), .Depth(Sets)) i_rows (
    .clk_i,
    .we_i(row_we || clearing),
    .re_i(tables_re),
    .addr_i(clearing ? SetWidth'(clear_q) : tables_set),
    .wmask_i(1'b1),
    .wdata_i(row_stored),
    .rdata_o(row_raw)
  );
  secded_words #(.Width(RowBits), .Secded(Secded), .Stored(RowsStored)) i_rows_words (
    .data_i(clearing ? {{Ways{1'b0}}, reset_order} : row_new),
    .flip_i(flips[0 +: 32]),
    .stored_o(row_stored),
    .read_i(row_raw),
    .data_o(row_read),
    .single_o(row_single),
    .fatal_o(row_fatal)
  );
  ram_1rw #(.Width(TagsStored), .Depth(Sets), .MaskBits(Ways)) i_tags (
    .clk_i,
    .we_i(way_we),
    .re_i(tables_re),
    .addr_i(tables_set),
    .wmask_i(chosen),
    .wdata_i(tags_stored),
    .rdata_o(tags_raw)
  );
  secded_words #(
    .Width(Ways * (HashBits + RefBits)), .Lanes(Ways), .Secded(Secded), .Stored(TagsStored)
  ) i_tags_words (
    .data_i({Ways{hash_q, ref_q}}),
    .flip_i(flips[32 +: 32]),
    .stored_o(tags_stored),
    .read_i(tags_raw),
    .data_o(tags),
    .single_o(tags_single),
    .fatal_o(tags_fatal)
  );
  ram_1rw #(.Width(CountsStored), .Depth(Sets), .MaskBits(Ways)) i_counts (
    .clk_i,
    .we_i(count_we),
    .re_i(tables_re),
    .addr_i(tables_set),
    .wmask_i(chosen),
    .wdata_i(counts_stored),
    .rdata_o(counts_raw)
  );
  secded_words #(.Width(Ways * CountBits), .Lanes(Ways), .Secded(Secded), .Stored(CountsStored)) i_counts_words (
    .data_i({Ways{new_count}}),
    .flip_i(flips[64 +: 32]),
    .stored_o(counts_stored),
    .read_i(counts_raw),
    .data_o(counts),
    .single_o(counts_single),
    .fatal_o(counts_fatal)
  );
  for (genvar w = 0; w < Ways; w++) begin : g_tags
    assign {tag_hash[w*HashBits +: HashBits], tag_ref[w*RefBits +: RefBits]} =
        tags[w*(HashBits+RefBits) +: HashBits + RefBits];
  end

  logic [Ways-1:0] valid, valid_new;
  assign valid = row_read[RowBits-1 -: Ways];
  assign order = row_read[Ways*WayWidth-1:0];

  // Wrong bits of what the operation uses. A way that is not valid was perhaps never written.
  logic refs_used;
  assign refs_used   = seek_q || (work_q && op_q == Insert) || wipe_q;
  assign lost        = (work_q && (row_fatal || |(valid & (tags_fatal | counts_fatal)))) || (refs_used && |refs_fatal);
  assign corrected_o = !lost && ((work_q && (row_single || |(valid & (tags_single | counts_single)))) ||
                                 (refs_used && |refs_single));
  assign fatal_o     = fatal_q;
`ifdef PLANT_STORE_USES_FATAL  // planted bug: an operation is done and answered with a lost word
  assign work = work_q;
`else
  assign work = work_q && !lost;
`endif
  assign wipe = wipe_q && !lost;

  // Which entry the request names, and where an insertion would go.
  logic [Ways-1:0]     found, single, free, chosen, eligible;
  logic                hit, free_seen;
  logic [WayWidth-1:0] victim, found_way;
  logic                victim_valid;
  always_comb begin
    found     = '0;
    single    = '0;
    found_way = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (op_q <= Insert) found[w] = valid[w] && tag_hash[w*HashBits +: HashBits] == hash_q;
      else found[w] = valid[w] && known_q && index_way == WayWidth'(w) && tag_ref[w*RefBits +: RefBits] == ref_q;
      if (found[w]) found_way = found_way | WayWidth'(w);
      single[w] = valid[w] && counts[w*CountBits +: CountBits] == CountBits'(1);
    end
`ifdef FORMAL
`ifdef PLANT_EVICT_PINNED
    single = valid;
`endif
`endif
  end
  assign free      = ~valid & (valid + Ways'(1));  // the lowest bit that is not set
  assign free_seen = !(&valid);
  assign eligible  = free_seen ? free : single;
  assign hit      = |found;
  assign place    = hit ? found_way : victim;

  lru #(.Ways(Ways)) i_lru (
    .order_i(order),
    .way_i(place),
    .eligible_i(eligible),
    .order_o(order_new),
    .victim_o(victim),
    .victim_valid_o(victim_valid)
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
    inserted  = op_q == Insert && !hit && victim_valid && refs_room && !refs_hit;
`ifdef FORMAL
`ifdef PLANT_INSERT_TWICE
    inserted  = op_q == Insert && victim_valid && refs_room && !refs_hit;
`endif
`ifdef PLANT_REF_TWICE
    inserted  = op_q == Insert && !hit && victim_valid && refs_room;
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
  assign way_we    = work && inserted;
`ifdef PLANT_NEVER_COUNTS  // planted bug: a count is set by INSERT and never moves
  assign count_we  = work && inserted;
`else
  assign count_we  = work && (inserted || counted);
`endif
  assign row_we    = work && (inserted || removed || (op_q == Lookup && hit));
  assign valid_new = (valid | (chosen & {Ways{inserted}})) & ~(chosen & {Ways{removed}});
  assign row_new   = {valid_new, removed ? order : order_new};
  // Second table: an inserted entry comes, a removed and an evicted one leave.
  assign refs_wvalid = !clearing && work_q && inserted;
`ifdef PLANT_KEEP_EVICTED_REF  // planted bug: the second table goes on naming an entry that was evicted
  assign refs_we = clearing || (work && (inserted || removed));
`else
  assign refs_we = clearing || (work && (inserted || removed)) || wipe;
`endif
  assign refs_wmask = {RefWays{clearing}} | (work_q ? (op_q == Insert ? refs_free : refs_way_q) : refs_found);

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      seek_q      <= 1'b0;
      work_q      <= 1'b0;
      clean_q     <= 1'b0;
      wipe_q      <= 1'b0;
      rsp_valid_q <= 1'b0;
      fatal_q     <= 1'b0;
      clear_q     <= '0;
    end else begin
      seek_q  <= take && req_op_i > Increment;
      work_q  <= (take && req_op_i <= Increment) || (seek_q && !lost);
      clean_q <= work && evicted;
`ifdef PLANT_WIPE_FOREVER  // planted bug: after an eviction the block is never ready again
      wipe_q  <= clean_q || wipe_q;
`else
      wipe_q  <= clean_q;
`endif
      fatal_q <= Secded != 0 && (fatal_q || lost);
      if (clearing) clear_q <= clear_q + 1'b1;
      if (work) rsp_valid_q <= 1'b1;
      else if (rsp_ready_i) rsp_valid_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
`ifdef PLANT_OTHER_OP  // planted bug: a count that should rise falls
      op_q    <= req_op_i == Increment ? Decrement : req_op_i;
`else
      op_q    <= req_op_i;
`endif
      hash_q  <= req_hash_i;
      ref_q   <= req_ref_i;
      index_q <= req_index_i;
      known_q <= 1'b1;  // an INCREMENT names its entry
    end
    if (seek_q) begin
      index_q    <= sought_index;
      known_q    <= refs_hit;
      refs_way_q <= refs_found;
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
    .clk_i,
    .rst_ni,
    .valid_i(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_i({rsp_hit_o, rsp_index_o, rsp_ref_o, rsp_count_o, rsp_ok_o, rsp_evicted_o, rsp_evicted_ref_o})
  );
  logic [Ways-1:0] counted_zero;
  for (genvar w = 0; w < Ways; w++) begin : g_counted_zero
    assign counted_zero[w] = valid[w] && counts[w*CountBits +: CountBits] == '0;
  end
  always_ff @(posedge clk_i) if (rst_ni && work) begin
    c_evicted:         cover (evicted);
    c_all_pinned:      cover (op_q == Insert && !hit && !victim_valid);
    c_saturated:       cover (op_q == Increment && hit && saturated);
    c_ref_known:       cover (op_q == Insert && !hit && victim_valid && refs_hit);
    c_ref_set_full:    cover (op_q == Insert && !hit && victim_valid && !refs_room);
  end
`ifndef FULL_SIZE  // the proof at full size leaves open what the second table and all sets but one hold
  always_ff @(posedge clk_i) if (rst_ni && !clearing) begin
    a_one_entry_found:  assert (!work || $onehot0(found));
    a_valid_is_mapped:  assert (!work || counted_zero == '0);
    a_sought_is_there:  assert (!(work && op_q > Increment && known_q) || hit);
    a_one_ref_found:    assert (!refs_used || lost || (refs_found & (refs_found - 1'b1)) == '0);
    a_evicted_is_named: assert (!wipe || refs_hit);
  end
`endif
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_access_refs:   assert (!(refs_re && refs_we));
    a_one_access_rows:   assert (!(tables_re && (row_we || clearing)));
    a_one_access_tables: assert (!(tables_re && (way_we || count_we)));
    a_lost_not_written:  assert (!lost || !(way_we || count_we || row_we || refs_we));
    a_halted:            assert (!fatal_q || !(take || seek_q || work_q || clean_q || wipe_q || clearing));
  end
  if (Secded != 0) begin : g_secded_covers
    always_ff @(posedge clk_i) if (rst_ni) begin
      c_corrected:   cover (corrected_o && work && hit);
      c_lost_sought: cover (lost && seek_q);
      c_lost_set:    cover (lost && work_q);
      c_lost_wiped:  cover (lost && wipe_q);
    end
  end
`endif
`ifdef FORMAL_HASH_STORE
  `include "hash_store_props.svh"
`endif
endmodule
`default_nettype wire
