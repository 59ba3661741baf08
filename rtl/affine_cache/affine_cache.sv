// affine_cache: the affine vector cache (AVC) of one SM: tags, {base, stride, valid mask} of every vector, partial
// hits, conflicts and line eviction. It stands before the L1, for accesses to thread-private memory.
// A slot is the place of one vector within a line (sim_cpp/GLOSSARY.md).
//
//   req ──▶ affine_encode_core ──▶ [access stage] ──▶ stream_skid ──▶ affine_decode_core ──▶ rsp
//             │                     ▲ │  ▲                {base, stride}, not data
//             └─ addresses ─▶ rows ─┘ │  └─ written vector forwarded     rows:    {valid, tag} per way
//                             vectors ◀┘                                 vectors: per way, two memories:
//                                                                        {valid mask, base}, {dirty, stride}
//
//   req_op   0 load    which words of the vector are here, and their values
//            1 store   affine under the mask: kept here; else its words are dropped here
//            2 fill    words fetched from memory: kept here (clean) if affine under the mask
//            3 flush   every dirty vector is written back, then the cache is empty
//   rsp      one ordered stream: an answer per request, and write-backs before the answer of the
//            request that caused them. What the L1 must do with each: sim_cpp/blocks/affine_cache/affine_cache.h
//
//   latency     2 cycles
//   conflict    1 cycle more: a vector of another base or stride is written back first
//   allocation  Slots + 2 cycles more, and one per write-back while rsp is not ready
//   throughput  1 request per cycle without conflicts and allocations; eviction 1 vector per cycle
//
// A word (line, lane) is valid here or in the L1, never in both (decision A9).
// A conflict is a store of another base or stride while valid lanes lie outside its mask. The older vector is then
// written back if it is dirty, and dropped if not (A10).
// An allocation sweeps all slots of the line: dirty vectors of the victim are written back, and every vector becomes
// invalid (A13). The victim is an invalid way, else the way by tree pseudo-LRU (A16).
// Every output depends on state only. Reset clears one flop per set (live_q), no memory.
// Units: a line number is a private address / 128 bytes; {tag, set, slot}, slot lowest (A8).
// Source: AVC paper 4.1 to 4.3, algorithms 1 and 2; decisions A7 to A16.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module affine_cache #(
  // The defaults are small because a proof's sources are elaborated at them first; paper: points.txt.
  parameter int unsigned Lanes = 3,       // words per vector
  parameter int unsigned Width = 4,       // bits per word
  parameter int unsigned StrideBits = 2,  // bits of the stride code
  parameter int unsigned Slots = 2,       // vectors per line, power of two
  parameter int unsigned Sets = 2,        // power of two
  parameter int unsigned Ways = 2,  // any number from 1
  parameter int unsigned LineBits = 4     // bits of a line number
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic                   req_valid_i,
  output logic                        req_ready_o,
  input  wire logic [1:0]             req_op_i,  // 0 load, 1 store, 2 fill, 3 flush
  input  wire logic [LineBits-1:0]    req_line_i,  // number of the private line: address / 128
  input  wire logic [Lanes-1:0]       req_mask_i,  // lanes of the access
  input  wire logic [Lanes*Width-1:0] req_data_i,  // store, fill; lane 0 in the low bits
  output logic                        rsp_valid_o,
  input  wire logic                   rsp_ready_i,
  output logic                        rsp_write_back_o,  // else an answer
  output logic                        rsp_affine_o,      // store, fill: taken by this cache
  output logic [LineBits-1:0]         rsp_line_o,  // line of the answer or write-back
  output logic [Lanes-1:0]            rsp_mask_o,  // answer: words of the vector held here; write-back: words to write
  output logic [Lanes*Width-1:0]      rsp_data_o,  // load: words held here; write-back: its words
  output logic                        busy_o  // low: the state changes only on a request
);
  localparam int unsigned SlotBits = $clog2(Slots);
  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned TagBits = LineBits - SlotBits - SetBits;
  localparam int unsigned WayBits = Ways > 2 ? $clog2(Ways) : 1;
  localparam int unsigned RowBits = TagBits + 1;                 // per way
  localparam int unsigned DataBits = Lanes + Width;
  localparam int unsigned SideBits = 1 + StrideBits;
  localparam int unsigned VectorBits = SideBits + DataBits;      // {dirty, stride, valid mask, base}
  localparam int unsigned PlaceBits = SetBits + SlotBits;

  if (Slots < 2 || (Slots & (Slots - 1)) != 0 || Sets < 2 || (Sets & (Sets - 1)) != 0) begin : g_bad_shape
    $error("affine_cache: Slots and Sets must be powers of two, at least 2");
  end
  if (Ways == 0) begin : g_bad_ways
    $error("affine_cache: Ways must be at least 1");
  end
  if (LineBits <= SlotBits + SetBits) begin : g_bad_line
    $error("affine_cache: LineBits must leave at least one tag bit");
  end

  localparam logic [1:0] Load = 2'd0, Store = 2'd1, Fill = 2'd2, Flush = 2'd3;
  localparam logic [2:0] Run = 3'd0, Sweep = 3'd1, Finish = 3'd2, Row = 3'd3, Pick = 3'd4;

  // ---- registers ---------------------------------------------------------------------------------
  logic [2:0]            phase_q, phase_d;
  logic                  valid_q;          // the access stage holds a request
  logic [1:0]            op_q;
  logic [LineBits-1:0]   line_q;           // while flushing: its set counts up
  logic [Lanes-1:0]      mask_q;
  logic                  affine_q;
  logic [Width-1:0]      base_q;
  logic [StrideBits-1:0] stride_q;
  logic                  forward_q;        // our vector was written in the cycle of our read
  logic [WayBits-1:0]    written_way_q;
  logic [VectorBits-1:0] written_q;
  logic [WayBits-1:0]    victim_q;
  logic [TagBits-1:0]    victim_tag_q;
  logic                  victim_live_q;
  logic [SlotBits:0]     count_q;          // slots of the victim read
  logic                  read_q;           // the last of them comes out of the memory now
  logic [Sets-1:0]       live_q;           // row written since reset or flush

  // ---- request side: encode, and read what the access stage needs ----------------------------------
  logic                  take, affine;
  logic [Width-1:0]      base;
  logic [StrideBits-1:0] stride;
  assign take = req_valid_i && req_ready_o;
  affine_encode_core #(.Lanes(Lanes), .Width(Width), .StrideBits(StrideBits)) i_encode (
    .data_i(req_data_i),
    .mask_i(req_mask_i),
    .affine_o(affine),
    .base_o(base),
    .stride_o(stride)
  );

  logic [SetBits-1:0]       set;
  logic [SlotBits-1:0]      slot, swept;
  logic [TagBits-1:0]       tag;
  logic                     row_re, row_we, vector_we, sweep_issue, sweep_handle, room;
  logic [Ways*RowBits-1:0]  row, row_new;
  logic [WayBits-1:0]       write_way;
  logic [PlaceBits-1:0]     read_place, write_place;
  logic [VectorBits-1:0]    vector_new;
  logic [Ways*VectorBits-1:0] vectors_read, vectors;
  assign {tag, set, slot} = line_q;
  assign swept      = SlotBits'(count_q - 1'b1);
  assign row_re     = take || phase_q == Row;
  assign read_place = take ? req_line_i[PlaceBits-1:0] : {set, count_q[SlotBits-1:0]};
  ram_1r1w #(.Width(Ways * RowBits), .Depth(Sets)) i_rows (
    .clk_i,
    .we_i(row_we),
    .waddr_i(set),
    .wdata_i(row_new),
    .re_i(row_re),
    .raddr_i(take ? req_line_i[SlotBits +: SetBits] : set),
    .rdata_o(row)
  );
  for (genvar w = 0; w < Ways; w++) begin : g_way
    logic re, we;
    assign re = take || (sweep_issue && victim_q == WayBits'(w));
    assign we = vector_we && write_way == WayBits'(w);
    ram_1r1w #(.Width(DataBits), .Depth(Sets * Slots)) i_data (
      .clk_i,
      .we_i(we),
      .waddr_i(write_place),
      .wdata_i(vector_new[DataBits-1:0]),
      .re_i(re),
      .raddr_i(read_place),
      .rdata_o(vectors_read[w*VectorBits +: DataBits])
    );
    ram_1r1w #(.Width(SideBits), .Depth(Sets * Slots)) i_side (
      .clk_i,
      .we_i(we),
      .waddr_i(write_place),
      .wdata_i(vector_new[VectorBits-1:DataBits]),
      .re_i(re),
      .raddr_i(read_place),
      .rdata_o(vectors_read[w*VectorBits + DataBits +: SideBits])
    );
    assign vectors[w*VectorBits +: VectorBits] =
      forward_q && written_way_q == WayBits'(w) ? written_q : vectors_read[w*VectorBits +: VectorBits];
  end

  // ---- access stage ------------------------------------------------------------------------------
  logic [Ways-1:0]       way_valid, match;
  logic                  hit;
  logic [WayBits-1:0]    match_way;
  logic [VectorBits-1:0] vector, victim_vector;
  logic                  dirty;
  logic [StrideBits-1:0] old_stride;
  logic [Lanes-1:0]      present, installed, kept;  // valid words; those we install; those that stay
  logic [Width-1:0]      old_base;
  logic                  same_code, install, allocate, conflict, slow;
  always_comb begin
    match_way     = '0;
    vector        = '0;
    victim_vector = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      way_valid[w] = live_q[set] && row[w*RowBits + TagBits];
      match[w]     = way_valid[w] && row[w*RowBits +: TagBits] == tag;
      if (match[w]) match_way = match_way | WayBits'(w);
      vector        |= vectors[w*VectorBits +: VectorBits] & {VectorBits{match[w]}};
      victim_vector |= vectors_read[w*VectorBits +: VectorBits] & {VectorBits{victim_q == WayBits'(w)}};
    end
  end
  assign hit = |match;
  assign {dirty, old_stride, present, old_base} = vector;
  assign same_code = old_stride == stride_q && old_base == base_q;
  assign installed = op_q == Fill ? mask_q & ~present : mask_q;
  assign kept      = present & ~installed;
  assign install   = affine_q && installed != '0;
  assign allocate  = install && !hit;
`ifdef PLANT_CONFLICT_DROPS
  assign conflict  = 1'b0;
`else
  assign conflict  = install && kept != '0 && !same_code && dirty;
`endif
  assign slow      = allocate || conflict || op_q == Flush;

  // ---- victim --------------------------------------------------------------------------------------
  logic               touch, advance, last_way;
  logic [WayBits-1:0] touch_way, oldest, victim;
  if (Ways > 1) begin : g_plru
    logic [Sets*WayBits-1:0] victims;
    for (genvar s = 0; s < Sets; s++) begin : g_set
      plru_tree #(.Ways(Ways)) i_plru (
        .clk_i,
        .rst_ni,
        .touch_valid_i(touch && set == SetBits'(s)),
        .touch_way_i(touch_way),
        .victim_o(victims[s*WayBits +: WayBits])
      );
    end
    assign oldest = victims[set*WayBits +: WayBits];
  end else begin : g_direct
    assign oldest = '0;
    logic unused_touch;
    assign unused_touch = touch ^ (^touch_way);
  end
  always_comb begin
    victim = oldest;
    for (int unsigned w = Ways; w > 0; w--) if (!way_valid[w-1]) victim = WayBits'(w - 1);
  end

  // ---- sequence ------------------------------------------------------------------------------------
  logic finish, swept_all;
  assign req_ready_o  = phase_q == Run && (!valid_q || (room && !slow));
  assign finish       = phase_q == Finish && room;
`ifdef PLANT_SWEEP_WAITS  // planted bug: the last vector of a sweep waits for another request
  assign sweep_handle = phase_q == Sweep && read_q && room && (count_q != (SlotBits + 1)'(Slots) || req_valid_i);
`else
  assign sweep_handle = phase_q == Sweep && read_q && room;
`endif
  assign sweep_issue  = phase_q == Sweep && count_q != (SlotBits + 1)'(Slots) && (!read_q || sweep_handle);
  assign swept_all    = sweep_handle && count_q == (SlotBits + 1)'(Slots);
  assign last_way     = victim_q == WayBits'(Ways - 1) || !live_q[set];
  assign advance      = op_q == Flush && (swept_all || (phase_q == Pick && !way_valid[victim_q]));
  always_comb begin
    phase_d = phase_q;
    case (phase_q)
      Run: if (valid_q) begin
        if (op_q == Flush) phase_d = Row;
        else if (allocate) phase_d = Sweep;
        else if (conflict && room) phase_d = Finish;
      end
      Sweep: if (swept_all) phase_d = Finish;
      Finish: if (room) phase_d = Run;
      Row: phase_d = Pick;
      default: phase_d = Sweep;
    endcase
    if (advance) phase_d = !last_way ? Pick : set == SetBits'(Sets - 1) ? Finish : Row;
  end

  // ---- what is written -----------------------------------------------------------------------------
  logic                  run, drop;
  logic [Lanes-1:0]      valid_new;
  logic [StrideBits-1:0] stride_new;
  logic [Width-1:0]      base_new;
  logic                  dirty_new;
  assign run  = phase_q == Run && valid_q && room && !slow;
`ifdef PLANT_NO_CROSS
  assign drop = 1'b0;  // algorithm 2 as printed: a generic store leaves the words valid here
`else
  assign drop = op_q == Store;  // of an affine one, `install` decides what is written
`endif
  assign vector_we   = (run && hit && (install || drop)) || sweep_handle || (finish && op_q != Flush);
  assign write_way   = phase_q == Run ? match_way : victim_q;
  assign write_place = {set, phase_q == Sweep ? swept : slot};
  assign valid_new   = install ? (same_code ? present : '0) | installed : kept;
  assign base_new    = install ? base_q : old_base;
  assign stride_new  = install ? stride_q : old_stride;
`ifdef PLANT_LOST_DIRTY
  assign dirty_new   = install ? op_q == Store : dirty;  // a fill into a dirty vector makes it clean
`else
  assign dirty_new   = install ? op_q == Store || (dirty && same_code && kept != '0) : dirty;
`endif
  assign vector_new  = phase_q == Sweep ? '0 : {dirty_new, stride_new, valid_new, base_new};
  assign row_we      = finish && op_q != Flush;
  for (genvar w = 0; w < Ways; w++) begin : g_row
    assign row_new[w*RowBits +: RowBits] =
      victim_q == WayBits'(w) ? {1'b1, tag} : {way_valid[w], row[w*RowBits +: TagBits]};
  end
  assign touch     = (run && hit && (install || (op_q == Load && (present & mask_q) != '0))) || row_we;
  assign touch_way = write_way;

  // ---- responses -----------------------------------------------------------------------------------
  logic                  push, push_back, push_affine;
  logic [LineBits-1:0]   push_line;
  logic [Lanes-1:0]      push_mask, answer_mask, swept_valid;
  logic [StrideBits-1:0] push_stride, swept_stride, rsp_stride;
  logic [Width-1:0]      push_base, swept_base, rsp_base;
  logic                  swept_dirty;
  assign {swept_dirty, swept_stride, swept_valid, swept_base} = victim_vector;
  always_comb begin
    case (op_q)
      Load:    answer_mask = present;
      Store:   answer_mask = mask_q;
      Fill:    answer_mask = affine_q ? installed : ~present;
      default: answer_mask = '0;
    endcase
    push        = run || finish || (phase_q == Run && valid_q && conflict && room);
    push_back   = phase_q == Run && conflict;
    push_affine = affine_q && !push_back;
    push_line   = line_q;
    push_mask   = push_back ? kept : answer_mask;
    push_stride = old_stride;
    push_base   = old_base;
    if (phase_q == Sweep) begin
`ifdef PLANT_LOST_VECTOR
      push      = sweep_handle && victim_live_q && swept_dirty && swept_valid != '0 && swept != '0;
`else
      push      = sweep_handle && victim_live_q && swept_dirty && swept_valid != '0;
`endif
      push_back   = 1'b1;
      push_affine = 1'b0;
      push_line   = {victim_tag_q, set, swept};
      push_mask   = swept_valid;
      push_stride = swept_stride;
      push_base   = swept_base;
    end
  end
  stream_skid #(.Width(2 + LineBits + Lanes + StrideBits + Width)) i_rsp (
    .clk_i,
    .rst_ni,
    .in_valid_i(push),
    .in_ready_o(room),
    .in_data_i({push_back, push_affine, push_line, push_mask, push_stride, push_base}),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_write_back_o, rsp_affine_o, rsp_line_o, rsp_mask_o, rsp_stride, rsp_base})
  );
  affine_decode_core #(.Lanes(Lanes), .Width(Width), .StrideBits(StrideBits)) i_decode (
    .base_i(rsp_base),
    .stride_i(rsp_stride),
    .data_o(rsp_data_o)
  );
  assign busy_o = valid_q || rsp_valid_o;

  // ---- state ---------------------------------------------------------------------------------------
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      phase_q <= Run;
      valid_q <= 1'b0;
      live_q  <= '0;
    end else begin
      phase_q <= phase_d;
      valid_q <= take || (valid_q && !run && !finish);
      if (row_we) live_q[set] <= 1'b1;
      if (advance && last_way) live_q[set] <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (take) begin
      op_q      <= req_op_i;
`ifdef PLANT_LOST_LANE
      mask_q    <= req_op_i == Store ? req_mask_i & ~Lanes'(1) : req_mask_i;
`else
      mask_q    <= req_mask_i;
`endif
      affine_q  <= affine && (req_op_i == Store || req_op_i == Fill);
      base_q    <= base;
      stride_q  <= stride;
`ifdef PLANT_NO_FORWARD
      forward_q <= 1'b0;
`else
      forward_q <= vector_we && write_place == read_place;
`endif
      line_q    <= req_op_i == Flush ? '0 : req_line_i;
    end else if (advance && last_way) begin
      line_q[SlotBits +: SetBits] <= set + 1'b1;
    end
    if (vector_we) begin
      written_way_q <= write_way;
      written_q     <= vector_new;
    end
    if (phase_q == Run) begin
      victim_q      <= op_q == Flush ? '0 : conflict ? match_way : victim;
      victim_live_q <= way_valid[victim];
      victim_tag_q  <= row[victim*RowBits +: TagBits];
    end else begin
      if (advance) victim_q <= last_way ? '0 : victim_q + 1'b1;
      if (phase_q == Pick) begin
        victim_live_q <= 1'b1;
        victim_tag_q  <= row[victim_q*RowBits +: TagBits];
      end
    end
    if (phase_q != Sweep) begin
      count_q <= '0;
      read_q  <= 1'b0;
    end else begin
      if (sweep_issue) count_q <= count_q + 1'b1;
      else if (swept_all) count_q <= '0;
      read_q  <= sweep_issue || (read_q && !sweep_handle);
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
`ifndef FORMAL_AFFINE_CACHE  // there it is proved for one arbitrary line, whose row alone is exact
    a_one_way:        assert (!(valid_q && phase_q == Run) || $onehot0(match));
`endif
    a_room_for_push:  assert (!push || room);
    a_busy_if_phase:  assert (phase_q == Run || valid_q);
    a_phase:          assert (phase_q <= Pick);
    a_sweep_reads:    assert (phase_q != Sweep || read_q || count_q == '0);
    c_forward:        cover (forward_q && run && hit && op_q == Load);
    c_partial_hit:    cover (run && op_q == Load && (present & mask_q) != '0 && (mask_q & ~present) != '0);
    c_conflict:       cover (push_back && push && phase_q == Run);
    c_conflict_clean: cover (run && install && kept != '0 && !same_code);
    c_extended:       cover (run && install && kept != '0 && same_code);
    c_dropped:        cover (run && hit && drop && !install && (present & mask_q) != '0);
    c_evicted:        cover (push && phase_q == Sweep && op_q != Flush);
    c_flushed:        cover (push && phase_q == Sweep && op_q == Flush);
    c_held_up:        cover (phase_q == Sweep && read_q && !room);
  end
`endif
`ifdef FORMAL_AFFINE_CACHE
  `include "affine_cache_props.svh"
`endif
endmodule
`default_nettype wire
