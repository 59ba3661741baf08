// pdr_table: PDR detector and data-filtering table of a memory controller: which sub-blocks each partial read
// (PDR) needs, keyed {SM, line}, from its arrival until its reply leaves.
//
//          hash per way ┌▶ way 0: Sets x {tag, mask} (ram) ─┐
//   req ──▶[1]──────────┼▶ ...                              ┼▶ match, merge or insert ──▶ [3] ──▶ fwd
//                       └▶ way Ways-1 ──────────────────────┘       │ write
//   take ─▶[1]──▶ masks (ram, 2nd copy) ──▶ entry freed ──▶ [3] ──▶ mask
//
//   latency     2 on both streams
//   throughput  1 request and 1 reply per cycle
//
// A request is answered (fwd_action_o, with a token that travels with it to the L2 and back):
//   0 FULL        all sub-blocks needed: no entry; token = the mask
//   1 REGISTERED  first request of its key: entry taken; token = the entry
//   2 MERGED      its key is in the table: the mask is added there, the request goes no further (full ones too);
//                 token = the entry
//   3 NO_ROOM     all places of its key are taken: to be served in full; token = the mask
// A leaving reply (take) gives its token back. The answer says what was requested (mask_asked_o, all merged requests)
// and whether the whole line is to be sent (mask_full_o). From the cycle after `take` is accepted nothing merges into
// the entry: a request then is the first of its key again.
//
// Organisation: Ways memories of Sets rows, each with its own hash of the key (skewed). An entry fits in one place per
// way. Why not one comparator per entry: it would cost many times the gates, and the skewed ways refuse very few
// requests up to half full (README.md).
// The hash of way w is the line's low bits XOR a fixed linear function of the tag. So tag and row name the key.
// used_o counts the entries.
// Units: lines are line numbers. Source: DPC thesis 3.3.1, 3.4; decision D14.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module pdr_table #(
  parameter int unsigned Sets      = 2,  // rows per way, power of two
  parameter int unsigned Ways      = 2,  // memories, each with its own hash
  parameter int unsigned SmBits    = 1,  // bits of an SM number
  parameter int unsigned LineBits  = 2,  // at least clog2(Sets)
  parameter int unsigned IndexBits = Sets * Ways > 1 ? $clog2(Sets) + $clog2(Ways) : 1,  // follows
  parameter int unsigned TokenBits = IndexBits > 4 ? IndexBits : 4,                      // follows
  parameter int unsigned UsedBits  = $clog2(Sets * Ways + 1)                             // follows
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  // a read request from the network
  input  wire logic                 req_valid_i,
  output logic                      req_ready_o,
  input  wire logic [SmBits-1:0]    req_sm_i,  // requesting SM
  input  wire logic [LineBits-1:0]  req_line_i,  // line number
  input  wire logic [3:0]           req_mask_i,   // sub-blocks needed, at least one
  output logic                      fwd_valid_o,
  input  wire logic                 fwd_ready_i,
  output logic [1:0]                fwd_action_o,  // 0 FULL, 1 REGISTERED, 2 MERGED, 3 NO_ROOM
  output logic [TokenBits-1:0]      fwd_token_o,  // comes back with the reply as take_token_i
  // a reply about to leave
  input  wire logic                 take_valid_i,
  output logic                      take_ready_o,
  input  wire logic                 take_registered_i,  // its request was answered REGISTERED
  input  wire logic [TokenBits-1:0] take_token_i,  // token of the leaving reply
  output logic                      mask_valid_o,
  input  wire logic                 mask_ready_i,
  output logic [3:0]                mask_asked_o,  // sub-blocks of all merged requests
  output logic                      mask_full_o,  // the whole line is to be sent
  output logic [UsedBits-1:0]       used_o  // entries in use
);
  localparam int unsigned Entries  = Sets * Ways;
  localparam int unsigned SetBits  = $clog2(Sets);             // may be 0
  localparam int unsigned SetWidth = Sets > 1 ? SetBits : 1;
  localparam int unsigned WayBits  = $clog2(Ways);             // may be 0
  localparam int unsigned WayWidth = Ways > 1 ? WayBits : 1;
  localparam int unsigned TagBits  = SmBits + LineBits - SetBits;

  if (Sets == 0 || (Sets & (Sets - 1)) != 0) begin : g_bad_sets
    $error("pdr_table: Sets must be a power of two");
  end
  if (Ways == 0) begin : g_bad_ways
    $error("pdr_table: Ways must be at least 1");
  end
  if (SmBits == 0 || LineBits < SetBits || LineBits == 0 || TagBits > 32) begin : g_bad_key
    $error("pdr_table: SmBits at least 1, LineBits at least clog2(Sets), tag at most 32 bits");
  end
  if (IndexBits != (Entries > 1 ? SetBits + WayBits : 1) || TokenBits != (IndexBits > 4 ? IndexBits : 4) ||
      UsedBits != $clog2(Entries + 1)) begin : g_bad_bits
    $error("pdr_table: IndexBits, TokenBits and UsedBits follow from Sets and Ways");
  end

  localparam logic [1:0] Full = 2'd0, Registered = 2'd1, Merged = 2'd2, NoRoom = 2'd3;

  // Row of the key in each way.
  logic [TagBits-1:0]       req_tag;
  logic [Ways*SetWidth-1:0] req_rows;
  if (LineBits > SetBits) begin : g_tag
    assign req_tag = {req_sm_i, req_line_i[LineBits-1:SetBits]};
  end else begin : g_tag_is_sm
    assign req_tag = req_sm_i;
  end
  for (genvar w = 0; w < Ways; w++) begin : g_hash
    if (Sets > 1) begin : g_rows
      for (genvar b = 0; b < SetBits; b++) begin : g_bit
        // A quarter of the tag's bits, chosen by mixing the number of the bit (splitmix64's finalizer).
        localparam logic [63:0] M0 = 64'(w * 16 + b + 1) * 64'h9E37_79B9_7F4A_7C15;
        localparam logic [63:0] M1 = (M0 ^ (M0 >> 30)) * 64'hBF58_476D_1CE4_E5B9;
        localparam logic [63:0] M2 = (M1 ^ (M1 >> 27)) * 64'h94D0_49BB_1331_11EB;
        localparam logic [31:0] Mask = M2[31:0] & M2[63:32];
        assign req_rows[w*SetWidth + b] = req_line_i[b] ^ ^(req_tag & Mask[TagBits-1:0]);
      end
    end else begin : g_one_row
      assign req_rows[w] = 1'b0;
    end
  end

  // Stage 1 registers; what is taken has a place in its answer queue, so neither stage waits.
  logic                     req_fire, take_fire, s_valid_q, t_valid_q, t_registered_q;
  logic [TagBits-1:0]       s_tag_q;
  logic [Ways*SetWidth-1:0] s_rows_q;
  logic [3:0]               s_mask_q;
  logic [TokenBits-1:0]     t_token_q;
  logic [1:0]               s_held_q, t_held_q;

  assign req_ready_o  = s_held_q != 2'd3;
  assign take_ready_o = t_held_q != 2'd3;
  assign req_fire     = req_valid_i && req_ready_o;
  assign take_fire    = take_valid_i && take_ready_o;

  logic [Entries-1:0]    valid_q;  // way w, row r at w * Sets + r
  logic [Ways-1:0]       found, free, chosen;
  logic                  hit, room, write, insert, registers;
  logic [WayWidth-1:0]   place;
  logic [SetWidth-1:0]   place_row;
  logic [3:0]            old_mask, new_mask;
  logic [Ways*4-1:0]     masks;

  // Entry number of a token, and of the place a request found or takes: {way, row}; fields of no width vanish.
  logic [SetWidth-1:0]  take_row;
  logic [WayWidth-1:0]  take_way;
  logic [IndexBits-1:0] place_index;
  if (Sets > 1 && Ways > 1) begin : g_index
    assign place_index = {place, place_row};
    assign take_way    = t_token_q[SetBits +: WayBits];
    assign take_row    = t_token_q[SetBits-1:0];
  end else if (Sets > 1) begin : g_index_row
    assign place_index = place_row;
    assign take_way    = '0;
    assign take_row    = t_token_q[SetBits-1:0];
  end else begin : g_index_way
    assign place_index = place;
    assign take_way    = t_token_q[WayWidth-1:0];
    assign take_row    = '0;
  end

  // The entry that a leaving reply frees in this cycle.
  logic               frees;
  logic [Entries-1:0] leaving;
  assign frees = t_valid_q && t_registered_q;

  // Each way: tag and mask at the key's row. A row written in the cycle of its read is passed by: pass_way_q is
  // the way written, pass_mask_q what it got, pass_tag_q whether the tag it got is this key's.
  logic                pass_q, pass_tag_q;
  logic [WayWidth-1:0] pass_way_q;
  logic [3:0]          pass_mask_q;
  for (genvar w = 0; w < Ways; w++) begin : g_way
    logic               is_valid, is_leaving, tag_equal, passed;
    logic [TagBits-1:0] tag;
    logic [3:0]         mask;
    logic [SetWidth-1:0] row;
    assign row = s_rows_q[w*SetWidth +: SetWidth];
    ram_1r1w #(.Width(TagBits + 4), .Depth(Sets)) i_row (
      .clk_i,
      .we_i(write && chosen[w]),
      .waddr_i(row),
      .wdata_i({s_tag_q, new_mask}),
      .re_i(req_fire),
      .raddr_i(req_rows[w*SetWidth +: SetWidth]),
      .rdata_o({tag, mask})
    );
    assign passed     = pass_q && pass_way_q == WayWidth'(w);
    assign is_valid   = valid_q[w*Sets + 32'(row)];
    assign is_leaving = leaving[w*Sets + 32'(row)];
    assign tag_equal  = passed ? pass_tag_q : tag == s_tag_q;
`ifdef PLANT_TABLE_MERGES_LATE  // planted bug: a request merges into the entry whose mask was just taken
    assign found[w]   = is_valid && tag_equal && !(is_leaving && 1'b0);
`else
    assign found[w]   = is_valid && tag_equal && !is_leaving;
`endif
    assign free[w]    = !is_valid;
    assign masks[w*4 +: 4] = passed ? pass_mask_q : mask;
  end

  logic taken_lower;
  always_comb begin
    chosen      = '0;
    taken_lower = 1'b0;
    place       = '0;
    place_row   = '0;
    old_mask    = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      chosen[w]   = hit ? found[w] : free[w] && !taken_lower;
      taken_lower = taken_lower || free[w];
      if (chosen[w]) begin
        place     = place | WayWidth'(w);
        place_row = place_row | s_rows_q[w*SetWidth +: SetWidth];
      end
      if (found[w]) old_mask = old_mask | masks[w*4 +: 4];
    end
  end
  assign hit       = |found;
  assign room      = |free;
`ifdef PLANT_TABLE_REPLACES_MASK  // planted bug: the later request's mask replaces the first one's
  assign new_mask  = s_mask_q;
`else
  assign new_mask  = s_mask_q | old_mask;
`endif
`ifdef PLANT_TABLE_TWO_ENTRIES  // planted bug: a request always takes a free place when there is one
  assign registers = s_mask_q != '1 && room;
`else
  assign registers = s_mask_q != '1 && room && !hit;
`endif
  assign insert    = s_valid_q && registers;
  assign write     = s_valid_q && (hit || registers);

  for (genvar w = 0; w < Ways; w++) begin : g_valid_way
    for (genvar r = 0; r < Sets; r++) begin : g_valid_row
      assign leaving[w*Sets + r] = frees && take_way == WayWidth'(w) && take_row == SetWidth'(r);
      always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
        if (!rst_ni) valid_q[w*Sets + r] <= 1'b0;
        else if (leaving[w*Sets + r]) valid_q[w*Sets + r] <= 1'b0;
        else if (insert && chosen[w] && s_rows_q[w*SetWidth +: SetWidth] == SetWidth'(r)) valid_q[w*Sets + r] <= 1'b1;
      end
    end
  end

  // Masks again, for leaving replies: addressed by the entry number.
  logic       t_pass_q;
  logic [3:0] t_mask, t_read, t_pass_mask_q;
  ram_1r1w #(.Width(4), .Depth(2 ** IndexBits)) i_masks (
    .clk_i,
    .we_i(write),
    .waddr_i(place_index),
    .wdata_i(new_mask),
    .re_i(take_fire),
    .raddr_i(take_token_i[IndexBits-1:0]),
    .rdata_o(t_read)
  );
`ifdef PLANT_TABLE_LOSES_MERGE  // planted bug: what is merged in the cycle of the read is lost
  assign t_mask = t_pass_q && 1'b0 ? t_pass_mask_q : t_read;
`else
  assign t_mask = t_pass_q ? t_pass_mask_q : t_read;
`endif

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      s_valid_q <= 1'b0;
      t_valid_q <= 1'b0;
      s_held_q  <= '0;
      t_held_q  <= '0;
      used_o    <= '0;
    end else begin
      s_valid_q <= req_fire;
      t_valid_q <= take_fire;
      s_held_q  <= s_held_q + 2'(req_fire) - 2'(fwd_valid_o && fwd_ready_i);
`ifdef PLANT_TABLE_KEEPS_PLACE  // planted bug: a place that ends while another begins is never given back
      t_held_q  <= t_held_q + 2'(take_fire) - 2'(mask_valid_o && mask_ready_i && !take_fire);
`else
      t_held_q  <= t_held_q + 2'(take_fire) - 2'(mask_valid_o && mask_ready_i);
`endif
      used_o    <= used_o + UsedBits'(insert) - UsedBits'(frees);
    end
  end
  always_ff @(posedge clk_i) begin
    s_tag_q        <= req_tag;
    s_rows_q       <= req_rows;
`ifdef PLANT_TABLE_OTHER_MASK  // planted bug: other sub-blocks than were asked for
    s_mask_q       <= {req_mask_i[2:0], req_mask_i[3]};
`else
    s_mask_q       <= req_mask_i;
`endif
    t_registered_q <= take_registered_i;
    t_token_q      <= take_token_i;
    pass_q         <= write && req_rows[32'(place)*SetWidth +: SetWidth] == place_row;
    pass_tag_q     <= req_tag == s_tag_q;
    pass_way_q     <= place;
    pass_mask_q    <= new_mask;
    t_pass_q       <= write && take_token_i[IndexBits-1:0] == place_index;
    t_pass_mask_q  <= new_mask;
  end

  logic [1:0]           action;
  logic [TokenBits-1:0] token;
  assign action = hit ? Merged : s_mask_q == '1 ? Full : room ? Registered : NoRoom;
  assign token  = hit || action == Registered ? TokenBits'(place_index) : TokenBits'(s_mask_q);

  logic fwd_room, mask_room;
  fifo #(.Width(2 + TokenBits), .Depth(3)) i_fwd (
    .clk_i,
    .rst_ni,
    .in_valid_i(s_valid_q),
    .in_ready_o(fwd_room),
    .in_data_i({action, token}),
    .out_valid_o(fwd_valid_o),
    .out_ready_i(fwd_ready_i),
    .out_data_o({fwd_action_o, fwd_token_o})
  );
  logic [3:0] asked;
  assign asked = t_registered_q ? t_mask : t_token_q[3:0];
  fifo #(.Width(5), .Depth(3)) i_mask (
    .clk_i,
    .rst_ni,
    .in_valid_i(t_valid_q),
    .in_ready_o(mask_room),
    .in_data_i({asked, !t_registered_q || asked == '1}),
    .out_valid_o(mask_valid_o),
    .out_ready_i(mask_ready_i),
    .out_data_o({mask_asked_o, mask_full_o})
  );

`ifdef SYNTHESIS
  logic unused;
  assign unused = &{1'b0, fwd_room, mask_room};
`else
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_no_answer_lost:  assert ((!s_valid_q || fwd_room) && (!t_valid_q || mask_room));
    a_needs_something: assert (!s_valid_q || s_mask_q != '0);
    a_one_entry:       assert (!s_valid_q || $onehot0(found));
    a_token_known:     assert (!frees || (leaving & valid_q) != '0);
    c_merged:          cover (s_valid_q && action == Merged && new_mask != old_mask);
    c_merged_full:     cover (s_valid_q && action == Merged && s_mask_q == '1);
    c_no_room:         cover (s_valid_q && action == NoRoom);
    c_all_used:        cover (used_o == UsedBits'(Entries));
    c_passed_by:       cover (s_valid_q && pass_q && pass_tag_q && action == Merged);
    c_passed_other:    cover (s_valid_q && pass_q && !pass_tag_q);
    c_last_merge:      cover (frees && t_pass_q);
    c_too_late:        cover (s_valid_q && frees && action == Registered && (leaving & valid_q) != '0);
  end
`endif
`ifdef FORMAL_PDR_TABLE
  `include "pdr_table_props.svh"
`endif
endmodule
`default_nettype wire
