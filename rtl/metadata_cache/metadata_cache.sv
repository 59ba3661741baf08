// metadata_cache: write-back, sectored, non-blocking cache for the metadata of lines. The same module serves as the
// type (2 bits per entry), mask (4), address-map (32) and lent (1) cache of the deduplication unit.
//
//   req ──▶ [tag stage] ──hit──▶ [data stage] ──▶ fifo ──▶ rsp
//             │  ▲                  │  ▲
//             │  └── rows           │  └── sectors     rows: {tag, valid, dirty} per way and LRU order
//           miss                    │                 sectors: SectorBytes wide, {way, set, sub}
//             ▼                     ▼
//           [parks] ──▶ fifo ──▶ mem_req ◀── write-backs
//             └──replay──▶ tag stage       [fill] ◀── mem_rsp
//
//   latency     hit 3 cycles; from the cycle in which a fill is taken to its first response 7 cycles,
//               plus one per write-back of the victim
//   throughput  1 hit per cycle, at most Parks/2: every second cycle while only one park is free
//   fill        stops requests for 3 cycles, plus 1 per write-back and 1 per replayed request
//
// A miss takes a park: a place for one request that waits for a fill (an MSHR target, see sim_cpp/GLOSSARY.md).
// The first request for a sector fetches it. Later requests for that sector park behind it.
//
// During a fill:
//   1. The row is read. The line's way is taken if present, else the way that is least recently used.
//   2. Dirty sectors of the victim go to mem_req.
//   3. The sector is written, and its parked requests are replayed in order.
//
// Rules for the memory: mem_req is one ordered stream. The memory keeps the order of requests to one sector.
// It takes requests even while a fill waits. It sends one mem_rsp per fetch and none per write-back.
//
// With Secded, rows and sectors have check bits (secded_words). One wrong bit of a part is corrected when its word is
// read; it stays in the memory until the word is written, a row with its next hit. Two wrong bits of a part stop the
// cache before anything of the word leaves it: fatal_o and busy_o are high until reset, which forgets both memories.
// Nothing is taken any more, and only what the two FIFOs held before leaves.
//
// Every ready, valid and payload depends on state only. Reset clears one flip-flop per set, no memory.
// Six clock gates: wide registers are clocked when they load, all others while there is work.
// Source: CMD paper, IV.B and IV.E; decision C16.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module metadata_cache #(
  // The defaults are small because a proof's sources are elaborated at them first; paper: points.txt.
  parameter int unsigned EntryBits = 4,    // power of two, 1..32
  parameter int unsigned IndexBits = 4,    // at least one sector's worth of entries
  parameter int unsigned Sets = 1,         // power of two
  parameter int unsigned Ways = 2,  // any number from 1
  parameter int unsigned LineBytes = 2,    // power of two
  parameter int unsigned SectorBytes = 1,  // power of two
  parameter int unsigned Parks = 2,        // requests that can wait for a fill
  parameter int unsigned IdBits = 1,  // bits of a request's id
  parameter int unsigned Secded = 0,  // 1: both memories correct one wrong bit and report two
  // follow from the others
  parameter int unsigned SectorBits = 8 * SectorBytes,
  parameter int unsigned OffsetBits = $clog2(SectorBits / EntryBits),
  parameter int unsigned NumberBits = IndexBits > OffsetBits ? IndexBits - OffsetBits : 1
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  req_valid_i,
  output logic                       req_ready_o,
  input  wire logic                  req_write_i,  // replace the entry; the response has the old one
  input  wire logic [IndexBits-1:0]  req_index_i,  // number of the entry
  input  wire logic [EntryBits-1:0]  req_data_i,  // new entry
  input  wire logic [IdBits-1:0]     req_id_i,  // returned with the response: hits overtake misses
  output logic                       rsp_valid_o,
  input  wire logic                  rsp_ready_i,
  output logic [EntryBits-1:0]       rsp_data_o,  // the entry; of a write, the old entry
  output logic [IdBits-1:0]          rsp_id_o,  // req_id_i of the request
  output logic                       rsp_missed_o,  // the request waited for a fill
  output logic                       mem_req_valid_o,
  input  wire logic                  mem_req_ready_i,
  output logic                       mem_req_write_o,  // write-back; else a fetch
  output logic [NumberBits-1:0]      mem_req_sector_o,  // sector number
  output logic [SectorBits-1:0]      mem_req_data_o,  // write-back: the sector
  input  wire logic                  mem_rsp_valid_i,
  output logic                       mem_rsp_ready_o,
  input  wire logic [NumberBits-1:0] mem_rsp_sector_i,  // number of the fetched sector
  input  wire logic [SectorBits-1:0] mem_rsp_data_i,  // fetched sector
  input  wire logic [31:0]           flip_i,  // 0; for tests, stored bits to write inverted: halves {rows, number + 1}
  output logic                       corrected_o,  // a wrong bit was corrected in this cycle
  output logic                       fatal_o,  // a word was lost: the cache stands until reset
  output logic                       busy_o  // low: the state changes only on a req or mem_rsp; requests may be parked
);
  localparam int unsigned Subs = LineBytes / SectorBytes;
  localparam int unsigned SubBits = $clog2(Subs);                   // may be 0
  localparam int unsigned SetBits = $clog2(Sets);                   // may be 0
  localparam int unsigned SetWidth = Sets > 1 ? SetBits : 1;
  localparam int unsigned SubWidth = Subs > 1 ? SubBits : 1;
  localparam int unsigned WayWidth = Ways > 1 ? $clog2(Ways) : 1;
  localparam int unsigned OffsetWidth = OffsetBits > 0 ? OffsetBits : 1;
  // A sector address is {tag, set, sub}, with at least one tag bit.
  localparam int unsigned AddrBits = NumberBits > SubBits + SetBits ? NumberBits : SubBits + SetBits + 1;
  localparam int unsigned TagBits = AddrBits - SubBits - SetBits;
  localparam int unsigned RowBits = Ways * (TagBits + 2 * Subs + WayWidth);
  localparam int unsigned Places = Ways * Sets * Subs;              // sectors held
  localparam int unsigned PlaceBits = Places > 1 ? $clog2(Places) : 1;
  localparam int unsigned RspSlots = 4;
  localparam int unsigned MemSlots = 2;
  localparam int unsigned ParkCountBits = $clog2(Parks + 1);
  localparam int unsigned ParkBits = 1 + IndexBits + EntryBits + IdBits;
  localparam int unsigned RowStored = secded_pkg::stored_bits(RowBits, 1, Secded);
  localparam int unsigned SectorStored = secded_pkg::stored_bits(SectorBits, 1, Secded);

  if (Secded > 1) begin : g_bad_secded
    $error("metadata_cache: Secded must be 0 or 1");
  end
  if (EntryBits > 32 || (EntryBits & (EntryBits - 1)) != 0 || EntryBits > SectorBits) begin : g_bad_entry
    $error("metadata_cache: EntryBits must be a power of two, at most 32 and at most a sector");
  end
  if (IndexBits < OffsetBits || IndexBits == 0) begin : g_bad_index
    $error("metadata_cache: IndexBits must cover a sector");
  end
  if (Sets == 0 || (Sets & (Sets - 1)) != 0 || Ways == 0 || Parks == 0 || IdBits == 0) begin : g_bad_shape
    $error("metadata_cache: Sets must be a power of two; Ways, Parks and IdBits at least 1");
  end
  if (SectorBytes == 0 || (SectorBytes & (SectorBytes - 1)) != 0 || Subs == 0 ||
      (Subs & (Subs - 1)) != 0 || Subs * SectorBytes != LineBytes) begin : g_bad_line
    $error("metadata_cache: LineBytes must be a power-of-two number of power-of-two sectors");
  end

  // ---- registers ---------------------------------------------------------------------------------
  localparam logic [2:0] Idle = 3'd0, Tags = 3'd1, Choose = 3'd2, Writeback = 3'd3, Write = 3'd4, Replay = 3'd5;
  logic [2:0]                phase_q, phase_d;
  logic                      tag_valid_q, tag_replay_q, tag_write_q;
  logic [IndexBits-1:0]      tag_index_q;
  logic [EntryBits-1:0]      tag_data_q;
  logic [IdBits-1:0]         tag_id_q;
  logic                      data_valid_q, data_replay_q, data_write_q;
  logic [OffsetWidth-1:0]    data_offset_q;
  logic [EntryBits-1:0]      data_data_q;
  logic [IdBits-1:0]         data_id_q;
  logic [PlaceBits-1:0]      data_place_q;
  logic [Parks*ParkBits-1:0] parks_q;          // oldest first
  logic [ParkCountBits-1:0]  park_count_q;
  logic [AddrBits-1:0]       fill_addr_q;
  logic [SectorBits-1:0]     fill_data_q;
  logic [WayWidth-1:0]       fill_way_q;
  logic [TagBits-1:0]        victim_tag_q;
  logic [Subs-1:0]           victim_dirty_q;   // sectors still to be read for write-back
  logic                      back_valid_q;     // a write-back's data comes out of the memory now
  logic [SubWidth-1:0]       back_sub_q;
  logic [2:0]                rsp_count_q;
  logic [1:0]                mem_count_q;
  logic [Sets-1:0]           live_q;           // row written since reset

  // ---- a lost word stops the cache ------------------------------------------------------------------
  logic row_lost, sector_lost, halted, stop, clk_work;
  assign stop = row_lost || sector_lost || halted;
  if (Secded != 0) begin : g_halt
    logic halted_q;
    always_ff @(posedge clk_work `WARPSIEVE_RESET) begin
      if (!rst_ni) halted_q <= 1'b0;
`ifdef PLANT_HALT_ENDS  // planted bug: the cache goes on a cycle later
      else halted_q <= row_lost || sector_lost;
`else
      else halted_q <= stop;
`endif
    end
    assign halted = halted_q;
  end else begin : g_no_halt
    assign halted = 1'b0;
  end
  assign fatal_o = halted;

  // ---- choice of what enters the tag stage -------------------------------------------------------
  logic                     take, replay, rsp_room;
  logic [ParkBits-1:0]      replayed;
  logic                     in_write;
  logic [IndexBits-1:0]     in_index;
  logic [EntryBits-1:0]     in_data;
  logic [IdBits-1:0]        in_id;
  assign rsp_room    = {1'b0, rsp_count_q} + 4'(tag_valid_q) + 4'(data_valid_q) < 4'(RspSlots);
  assign req_ready_o = phase_q == Idle && !halted && rsp_room &&
                       {1'b0, park_count_q} + (ParkCountBits + 1)'(tag_valid_q) < (ParkCountBits + 1)'(Parks) &&
                       {1'b0, mem_count_q} + 3'(tag_valid_q) < 3'(MemSlots);
  assign mem_rsp_ready_o = phase_q == Idle && !halted;
  assign take = req_valid_i && req_ready_o;
  assign {in_write, in_index, in_data, in_id} =
    replay ? replayed : {req_write_i, req_index_i, req_data_i, req_id_i};

  // ---- tag stage: of a request, or of the fill in phase Choose ------------------------------------
  logic [AddrBits-1:0] tag_addr, addr;
  logic [SetWidth-1:0] read_set, set;
  logic [SubWidth-1:0] sub;
  logic [TagBits-1:0]  tag;
  assign tag_addr = AddrBits'(tag_index_q >> OffsetBits);
  assign addr     = phase_q == Idle || phase_q == Tags || phase_q == Replay ? tag_addr : fill_addr_q;
  assign tag      = addr[AddrBits-1 -: TagBits];
  if (Sets > 1) begin : g_set
    assign read_set = SetWidth'((phase_q == Tags ? fill_addr_q : AddrBits'(in_index >> OffsetBits)) >> SubBits);
    assign set      = addr[SubBits +: SetBits];
  end else begin : g_one_set
    assign read_set = '0;
    assign set      = '0;
  end
  if (Subs > 1) begin : g_sub
    assign sub = addr[SubBits-1:0];
  end else begin : g_one_sub
    assign sub = '0;
  end

  logic                     row_re, row_we, row_forward_q;
  logic [RowBits-1:0]       row_read, row, row_new, row_written_q, row_reset;
  logic [Ways*WayWidth-1:0] order, order_new;
  logic [RowStored-1:0]     row_write, row_raw;
  logic                     row_single, row_fatal, row_used;
  ram_1r1w #(.Width(RowStored), .Depth(Sets)) i_rows (
    .clk_i,
    .we_i(row_we),
    .waddr_i(set),
    .wdata_i(row_write),
    .re_i(row_re),
    .raddr_i(read_set),
    .rdata_o(row_raw)
  );
  secded_words #(.Width(RowBits), .Secded(Secded), .Stored(RowStored)) i_row_words (
    .data_i(row_new),
    .flip_i({flip_i[31] ? {1'b0, flip_i[30:16]} : 16'd0, flip_i[15] ? {1'b0, flip_i[14:0]} : 16'd0}),
    .stored_o(row_write),
    .read_i(row_raw),
    .data_o(row_read),
    .single_o(row_single),
    .fatal_o(row_fatal)
  );
  // A row is looked at in the cycle after its read, and comes from the memory if that holds it already.
  assign row_used = (tag_valid_q || phase_q == Choose) && live_q[set] && !row_forward_q;
  assign row_lost = row_used && row_fatal;
  assign row_re = take || replay || phase_q == Tags;
  for (genvar w = 0; w < Ways; w++) begin : g_reset_order
    assign row_reset[w*WayWidth +: WayWidth] = WayWidth'(w);
  end
  assign row_reset[RowBits-1:Ways*WayWidth] = '0;
  // The row as the access before left it, if that was written in the cycle of our read.
  assign row   = row_forward_q ? row_written_q : live_q[set] ? row_read : row_reset;
  assign order = row[Ways*WayWidth-1:0];

  // Fields of the row, side by side: order, then tags, valids, dirties.
  localparam int unsigned TagsAt = Ways * WayWidth, ValidsAt = TagsAt + Ways * TagBits, DirtiesAt = ValidsAt + Ways * Subs;
  logic [Ways-1:0]     match;
  logic                present, sector_valid;
  logic [WayWidth-1:0] match_way, victim, way;
  logic [TagBits-1:0]  way_tag;
  logic [Subs-1:0]     way_valid, way_dirty, sub_bit;
  logic                unused_victim_valid;
  always_comb begin
    match_way = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      match[w] = |row[ValidsAt + w*Subs +: Subs] && row[TagsAt + w*TagBits +: TagBits] == tag;
      if (match[w]) match_way = match_way | WayWidth'(w);
    end
    for (int unsigned s = 0; s < Subs; s++) sub_bit[s] = sub == SubWidth'(s);
  end
  assign present = |match;
  assign way     = present ? match_way : victim;
  lru #(.Ways(Ways)) i_lru (
    .order_i(order),
    .way_i(way),
    .eligible_i({Ways{1'b1}}),
    .order_o(order_new),
    .victim_o(victim),
    .victim_valid_o(unused_victim_valid)
  );
  assign way_tag      = row[TagsAt + way*TagBits +: TagBits];
  assign way_valid    = row[ValidsAt + way*Subs +: Subs];
  assign way_dirty    = row[DirtiesAt + way*Subs +: Subs];
  assign sector_valid = present && |(way_valid & sub_bit);

  // ---- parks -------------------------------------------------------------------------------------
  logic [Parks-1:0]    park_match, park_first;
  logic                waiting, park_more, park, proceed, fetch;
  logic [AddrBits-1:0] park_addr;
  assign park_addr = phase_q == Replay ? fill_addr_q : tag_addr;
  always_comb begin
    park_first = '0;
    park_more  = 1'b0;
    waiting    = 1'b0;
    replayed   = '0;
    for (int unsigned p = 0; p < Parks; p++) begin
      park_match[p] = {1'b0, park_count_q} > (ParkCountBits + 1)'(p) &&
        AddrBits'(parks_q[p*ParkBits + EntryBits + IdBits +: IndexBits] >> OffsetBits) == park_addr;
      park_first[p] = park_match[p] && !waiting;
      park_more     = park_more || (park_match[p] && waiting);
      waiting       = waiting || park_match[p];
      if (park_first[p]) replayed = replayed | parks_q[p*ParkBits +: ParkBits];
    end
`ifdef PLANT_NEWEST_FIRST
    for (int unsigned p = 0; p < Parks; p++) begin  // planted bug: see formal/metadata_cache/proofs.txt
      if (park_match[p]) begin
        park_first = Parks'(1) << p;
        replayed   = parks_q[p*ParkBits +: ParkBits];
      end
    end
`endif
  end
  logic overtake;  // constant 0: a hit never passes older requests to its sector
`ifdef FORMAL
`ifdef PLANT_STALE_REPLAY
  assign overtake = 1'b1;
`else
  assign overtake = 1'b0;
`endif
`else
  assign overtake = 1'b0;
`endif
  assign proceed = tag_valid_q && (tag_replay_q || (sector_valid && (!waiting || overtake)));
`ifdef PLANT_REPLAY_WAITS  // planted bug: a replay of two waits until a request is on offer
  assign replay  = phase_q == Replay && rsp_room && waiting && (!park_more || req_valid_i);
`else
  assign replay  = phase_q == Replay && rsp_room && waiting;
`endif
  assign park  = tag_valid_q && !proceed && !row_lost;
  assign fetch = park && !waiting;

  // ---- row update --------------------------------------------------------------------------------
  always_comb begin
    row_new = row;
    row_new[Ways*WayWidth-1:0] = order_new;
    if (phase_q == Choose) begin
      row_new[TagsAt + way*TagBits +: TagBits] = tag;
      row_new[ValidsAt + way*Subs +: Subs]     = present ? way_valid | sub_bit : sub_bit;
      row_new[DirtiesAt + way*Subs +: Subs]    = present ? way_dirty : '0;
    end else if (tag_write_q) begin
      row_new[DirtiesAt + way*Subs +: Subs]    = way_dirty | sub_bit;
    end
`ifdef FORMAL
`ifdef PLANT_LOST_DIRTY
    if (phase_q != Choose && tag_replay_q) row_new[DirtiesAt + way*Subs +: Subs] = way_dirty;
`endif
`endif
  end
  assign row_we = proceed || phase_q == Choose;

  // ---- sectors: data stage, write-backs, fill ------------------------------------------------------
  logic                  sector_re, sector_we, data_writes, back_issue, forward_q;
  logic [PlaceBits-1:0]  read_place, write_place;
  logic [SectorBits-1:0] sector_read, word, word_new, written_q;
  logic [SubWidth-1:0]   back_sub;
  always_comb begin  // lowest dirty sector first
    back_sub = '0;
    for (int unsigned s = Subs; s > 0; s--) if (victim_dirty_q[s-1]) back_sub = SubWidth'(s - 1);
  end
  assign back_issue  = phase_q == Writeback && {1'b0, mem_count_q} + 3'(back_valid_q) < 3'(MemSlots);
  assign sector_re   = proceed || back_issue;
  assign data_writes = data_valid_q && data_write_q;
  assign sector_we   = data_writes || phase_q == Write;
  // In phases Writeback and Write, `set` and `sub` are the fill's.
  logic [WayWidth-1:0] place_way;
  logic [SubWidth-1:0] place_sub;
  logic [PlaceBits-1:0] tag_place, fill_place;
  assign place_way = proceed ? way : fill_way_q;
  assign place_sub = proceed ? sub : back_sub;
  if (Sets > 1 && Subs > 1) begin : g_place
    assign tag_place  = PlaceBits'({place_way, set, place_sub});
    assign fill_place = PlaceBits'({fill_way_q, set, sub});
  end else if (Subs > 1) begin : g_place_one_set
    assign tag_place  = PlaceBits'({place_way, place_sub});
    assign fill_place = PlaceBits'({fill_way_q, sub});
  end else if (Sets > 1) begin : g_place_one_sub
    assign tag_place  = PlaceBits'({place_way, set});
    assign fill_place = PlaceBits'({fill_way_q, set});
  end else begin : g_place_way
    assign tag_place  = PlaceBits'(place_way);
    assign fill_place = PlaceBits'(fill_way_q);
  end
  assign read_place  = tag_place;
  assign write_place = data_writes ? data_place_q : fill_place;
  logic [SectorStored-1:0] sector_write, sector_raw;
  logic                    sector_single, sector_fatal, sector_used;
  ram_1r1w #(.Width(SectorStored), .Depth(Places)) i_sectors (
    .clk_i,
    .we_i(sector_we),
    .waddr_i(write_place),
    .wdata_i(sector_write),
    .re_i(sector_re),
    .raddr_i(read_place),
    .rdata_o(sector_raw)
  );
  secded_words #(.Width(SectorBits), .Secded(Secded), .Stored(SectorStored)) i_sector_words (
    .data_i(data_writes ? word_new : fill_data_q),
    .flip_i({flip_i[31] ? 16'd0 : {1'b0, flip_i[30:16]}, flip_i[15] ? 16'd0 : {1'b0, flip_i[14:0]}}),
    .stored_o(sector_write),
    .read_i(sector_raw),
    .data_o(sector_read),
    .single_o(sector_single),
    .fatal_o(sector_fatal)
  );
  assign sector_used = (data_valid_q && !forward_q) || back_valid_q;
`ifdef PLANT_USES_LOST_SECTOR  // planted bug: a sector with two wrong bits is given and written as it is
  assign sector_lost = back_valid_q && sector_fatal;
`else
  assign sector_lost = sector_used && sector_fatal;
`endif
  assign corrected_o = (row_used && row_single) || (sector_used && sector_single);
  assign word = forward_q ? written_q : sector_read;
  logic [EntryBits-1:0] entry;
  always_comb begin
    entry    = '0;
    word_new = word;
    for (int unsigned e = 0; e < SectorBits / EntryBits; e++) begin
      if (data_offset_q == OffsetWidth'(e)) begin
        entry = entry | word[e*EntryBits +: EntryBits];
        word_new[e*EntryBits +: EntryBits] = data_data_q;
      end
    end
  end

  // ---- clocks --------------------------------------------------------------------------------------
  // A register behind a gate would load its own value in every cycle that the gate holds back (formal/metadata_cache/
  // metadata_cache_gate.toml).
  logic mem_put;
  logic clk_park, clk_row, clk_word, clk_fill, clk_mem, work, fill_take;
`ifdef PLANT_GATE_MISSES_FILL  // planted bug: the clock stands when a fill comes to an idle cache
  assign work = !rst_ni || busy_o || back_valid_q || row_forward_q || forward_q || req_valid_i;
`else
  assign work = !rst_ni || busy_o || back_valid_q || row_forward_q || forward_q || req_valid_i || mem_rsp_valid_i;
`endif
  assign fill_take = phase_q == Idle && mem_rsp_valid_i;
  clock_gate i_gate_work (.clk_i, .enable_i(work), .test_i(1'b0), .clk_o(clk_work));
  clock_gate i_gate_park (.clk_i, .enable_i(park || replay), .test_i(1'b0), .clk_o(clk_park));
  clock_gate i_gate_row (.clk_i, .enable_i(row_we), .test_i(1'b0), .clk_o(clk_row));
  clock_gate i_gate_word (.clk_i, .enable_i(data_writes), .test_i(1'b0), .clk_o(clk_word));
  clock_gate i_gate_fill (.clk_i, .enable_i(fill_take), .test_i(1'b0), .clk_o(clk_fill));
  clock_gate i_gate_mem (
    .clk_i,
    .enable_i(!rst_ni || mem_put || mem_req_valid_o),
    .test_i(1'b0),
    .clk_o(clk_mem)
  );

  // ---- outputs -----------------------------------------------------------------------------------
  logic                rsp_fire, mem_fire, unused_rsp_ready, unused_mem_ready;
  logic [NumberBits-1:0] mem_addr;
  assign rsp_fire = rsp_valid_o && rsp_ready_i;
  assign mem_fire = mem_req_valid_o && mem_req_ready_i;
  assign mem_put  = fetch || (back_valid_q && !sector_lost);
  if (Subs == 1) begin : g_no_sub
    logic unused_subs;
    assign unused_subs = &{1'b0, place_sub, back_sub_q};
  end
  if (Sets > 1 && Subs > 1) begin : g_victim
    assign mem_addr = NumberBits'(back_valid_q ? {victim_tag_q, set, back_sub_q} : tag_addr);
  end else if (Subs > 1) begin : g_victim_one_set
    assign mem_addr = NumberBits'(back_valid_q ? {victim_tag_q, back_sub_q} : tag_addr);
  end else if (Sets > 1) begin : g_victim_one_sub
    assign mem_addr = NumberBits'(back_valid_q ? {victim_tag_q, set} : tag_addr);
  end else begin : g_victim_tag
    assign mem_addr = NumberBits'(back_valid_q ? victim_tag_q : tag_addr);
  end
  fifo #(.Width(EntryBits + IdBits + 1), .Depth(RspSlots)) i_rsp (
    .clk_i(clk_work),
    .rst_ni,
    .in_valid_i(data_valid_q && !sector_lost),
    .in_ready_o(unused_rsp_ready),
    .in_data_i({entry, data_id_q, data_replay_q}),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_data_o, rsp_id_o, rsp_missed_o})
  );
  fifo #(.Width(1 + NumberBits + SectorBits), .Depth(MemSlots)) i_mem_req (
    .clk_i(clk_mem),
    .rst_ni,
    .in_valid_i(mem_put),
    .in_ready_o(unused_mem_ready),
    .in_data_i({back_valid_q, mem_addr, sector_read & {SectorBits{back_valid_q}}}),
    .out_valid_o(mem_req_valid_o),
    .out_ready_i(mem_req_ready_i),
    .out_data_o({mem_req_write_o, mem_req_sector_o, mem_req_data_o})
  );
  assign busy_o = halted || phase_q != Idle || tag_valid_q || data_valid_q || rsp_valid_o || mem_req_valid_o;

  // ---- next state --------------------------------------------------------------------------------
  logic [Subs-1:0] victim_dirty, victim_dirty_left;
  assign victim_dirty = present ? '0 : way_dirty;
  always_comb begin
    victim_dirty_left = victim_dirty_q;
    if (back_issue) victim_dirty_left[back_sub] = 1'b0;
    case (phase_q)
      Idle:      phase_d = mem_rsp_valid_i ? Tags : Idle;
      Tags:      phase_d = Choose;
      Choose:    phase_d = |victim_dirty ? Writeback : Write;
      Writeback: phase_d = |victim_dirty_left ? Writeback : Write;
      Write:     phase_d = Replay;
      default:   phase_d = rsp_room && (!park_more || overtake) ? Idle : Replay;
    endcase
    if (stop) phase_d = Idle;
  end

  logic [Parks-1:0] park_moves;  // parks at or behind the replayed one
  for (genvar p = 0; p < Parks; p++) begin : g_moves
    assign park_moves[p] = |park_first[p:0];
  end

  always_ff @(posedge clk_work `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      phase_q      <= Idle;
      tag_valid_q  <= 1'b0;
      data_valid_q <= 1'b0;
      back_valid_q <= 1'b0;
      park_count_q <= '0;
      rsp_count_q  <= '0;
      mem_count_q  <= '0;
      live_q       <= '0;
      row_forward_q <= 1'b0;
      forward_q    <= 1'b0;
    end else begin
      phase_q      <= phase_d;
      tag_valid_q  <= (take || replay) && !stop;
      data_valid_q <= proceed && !stop;
      back_valid_q <= back_issue && !stop;
      if (park) park_count_q <= park_count_q + 1'b1;
`ifdef PLANT_PARK_STAYS  // planted bug: a replay beside another park of its sector is done twice
      else if (replay) park_count_q <= park_count_q - ParkCountBits'(!park_more);
`else
      else if (replay) park_count_q <= park_count_q - 1'b1;
`endif
      rsp_count_q  <= rsp_count_q + 3'(data_valid_q && !sector_lost) - 3'(rsp_fire);
      mem_count_q  <= mem_count_q + 2'(mem_put) - 2'(mem_fire);
      if (row_we) live_q[set] <= 1'b1;
      row_forward_q <= row_we && row_re && set == read_set;
      forward_q    <= data_writes && proceed && data_place_q == read_place;
    end
  end
  always_ff @(posedge clk_work) begin
    if (take || replay) begin
      tag_replay_q <= replay;
      tag_write_q  <= in_write;
      tag_index_q  <= in_index;
      tag_data_q   <= in_data;
      tag_id_q     <= in_id;
    end
    if (proceed) begin
      data_replay_q <= tag_replay_q;
      data_write_q  <= tag_write_q;
      data_offset_q <= OffsetWidth'(tag_index_q & IndexBits'((1 << OffsetBits) - 1));
      data_data_q   <= tag_data_q;
      data_id_q     <= tag_id_q;
      data_place_q  <= read_place;
    end
    if (phase_q == Choose) begin
      fill_way_q     <= way;
      victim_tag_q   <= way_tag;
      victim_dirty_q <= victim_dirty;
    end else begin
      victim_dirty_q <= victim_dirty_left;
    end
    if (back_issue) back_sub_q <= back_sub;
  end
  always_ff @(posedge clk_row) if (row_we) row_written_q <= row_new;
  always_ff @(posedge clk_word) if (data_writes) written_q <= word_new;
  always_ff @(posedge clk_fill) begin
    if (fill_take) begin
      fill_addr_q <= AddrBits'(mem_rsp_sector_i);
      fill_data_q <= mem_rsp_data_i;
    end
  end
  always_ff @(posedge clk_park) begin
    for (int unsigned p = 0; p < Parks; p++) begin
      if (park && park_count_q == ParkCountBits'(p)) begin
        parks_q[p*ParkBits +: ParkBits] <= {tag_write_q, tag_index_q, tag_data_q, tag_id_q};
      end
    end
    for (int unsigned p = 0; p + 1 < Parks; p++) begin  // close the gap
      if (replay && park_moves[p]) parks_q[p*ParkBits +: ParkBits] <= parks_q[(p+1)*ParkBits +: ParkBits];
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_copy_of_a_line: assert (!(tag_valid_q || phase_q == Choose) || row_lost || $onehot0(match));
    a_rsp_has_room:       assert (!data_valid_q || unused_rsp_ready);
    a_mem_req_has_room:   assert (!mem_put || unused_mem_ready);
    a_one_mem_req:        assert (!(fetch && back_valid_q));
    a_replay_hits:        assert (!(tag_valid_q && tag_replay_q) || row_lost || sector_valid);
    a_park_free:          assert (!park || park_count_q != ParkCountBits'(Parks));
    a_fill_was_asked_for: assert (phase_q != Replay || waiting);
    c_hit_under_miss:     cover (proceed && !tag_replay_q && park_count_q != '0);
    c_row_forward:        cover (row_forward_q && proceed);
    c_data_forward:       cover (forward_q && data_valid_q);
    c_writeback:          cover (back_valid_q);
    c_second_waits:       cover (park && waiting);
  end
`endif
`ifdef FORMAL_METADATA_CACHE
  `include "metadata_cache_props.svh"
`endif
endmodule
`default_nettype wire
