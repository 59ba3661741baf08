// critical_data_tracker: records which 32-byte sub-blocks each L1 line holds and each MSHR entry still waits for.
// It classifies every L1 read and merges the replies.
//
//           ┌▶ valid per line (flops) ───────────────┐
//   req ──▶[1]──▶ line maps (ram) ──▶ hit, first, again, invalid? ──▶ (request_controller) ──▶ [3] ──▶ rsp
//           │      MSHR: pending, asked, brought, flag ◀──┐
//   fill ─▶[1]──▶ merge; complete? write the line's maps ─┴──▶ [3] ──▶ done
//                 asked maps (ram): what was evicted
//
//   latency     2 on both streams
//   throughput  1 request and 1 fill per cycle
//
// The L1 keeps tags, addresses of MSHR entries and data. The tracker sees lines (set, way) and entries only.
// A request carries the L1's look-up of the same cycle: line_hit and line, or mshr_hit and the entry that fetches its
// line. Without mshr_hit, alloc says that `mshr` is a free entry that the tracker may take. FM and HI take it.
// Answers (rsp_class_o):
//   0 HIT     the line is valid and holds all of mask
//   1 FM      first miss: the entry is taken, send_o is requested from the memory
//   2 SM      subsequent miss: the entry's line is in flight without all of mask; send_o is requested in addition
//   3 MERGED  in flight with all of mask: wait for the entry, nothing is sent
//   4 HI      the line is valid but lacks some of mask: it becomes invalid, the entry is taken, send_o is requested.
//             Append = 0: all of mask is requested again, and the reply replaces the map.
//             Append = 1: what is missing is requested, and the reply adds to the map.
//   5 WAIT    replay later: an HI of that line is outstanding, the entry finished meanwhile, a fill handles the same
//             line or entry in this very cycle, or no entry was free
//
// A reply (fill_evict_i = 0) names its entry and the line it goes to. It also names the requested sub-blocks that it
// answers (asked) and those that it brings (mask, a superset). The first reply evicts the line's old content.
// The line becomes valid when nothing of the entry is pending (done_complete_o). It then holds all that was requested
// and brought (done_map_o).
// An eviction (fill_evict_i = 1) invalidates a line. Fields of done_* without meaning are 0.
//
// Why done_asked_o and done_evicted_asked_o exist: windows_manager judges a line by what requests needed of it, as the
// thesis fills the map of an MSHR entry. A partial request stays partial when its reply brings the whole line
// (D5, D14). With Append these outputs also have what the line kept.
//
// Rules for the L1:
//   - From the cycle after a fill is accepted, it reports no hit on the line's old content.
//   - It sends all fills of an entry to one line. No other fill touches that line before done_complete_o.
//   - It keeps the tag of a line with an outstanding HI.
//   - A request with line_hit may be answered with HI. Until its answer is taken, no eviction names that line, and no
//     fill does but those of the entry that fetches it already.
// Asserted below: replies answer what is pending; allocated entries are free; a line that a request in stage 1 hits
// stays as it is.
// Source: DPC thesis 3.2, 3.3, 3.5; decisions D5 (brought), D7 (subset), D8 (replace, merge by OR), D9 (one HI),
// D13 (what is pushed).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module critical_data_tracker #(
  parameter int unsigned Lines    = 4,  // L1 lines (sets x ways)
  parameter int unsigned Mshrs    = 2,  // MSHR entries
  parameter int unsigned Append   = 0,  // 1: a refetch adds to the line's map
  parameter int unsigned LineBits = Lines > 1 ? $clog2(Lines) : 1,  // follows
  parameter int unsigned MshrBits = Mshrs > 1 ? $clog2(Mshrs) : 1   // follows
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  // request_controller: levels, used in the cycle after a request is taken
  input  wire logic                predict_i,  // 0: request what is needed only (chapter 3 without chapter 4)
  input  wire logic                fdr_over_i,  // verdict of the FDR window
  input  wire logic [1:0]          ica_over_i,  // verdicts of the ICA windows of 64 and 96 bytes
  // one L1 read
  input  wire logic                req_valid_i,
  output logic                     req_ready_o,
  input  wire logic [3:0]          req_mask_i,      // sub-blocks needed, at least one
  input  wire logic                req_line_hit_i,  // the tag of req_line_i matches
  input  wire logic [LineBits-1:0] req_line_i,  // number of the line in the L1
  input  wire logic                req_mshr_hit_i,  // entry req_mshr_i fetches the line
  input  wire logic                req_alloc_i,  // neither, and entry req_mshr_i is free
  input  wire logic [MshrBits-1:0] req_mshr_i,  // number of the MSHR entry
  output logic                     rsp_valid_o,
  input  wire logic                rsp_ready_i,
  output logic [2:0]               rsp_class_o,  // 0 HIT, 1 FM, 2 SM, 3 MERGED, 4 HI, 5 WAIT
  output logic [3:0]               rsp_send_o,      // sub-blocks to ask the memory for
  output logic [2:0]               rsp_reason_o,    // of request_controller; 0 when nothing is sent
  // one reply, or one eviction
  input  wire logic                fill_valid_i,
  output logic                     fill_ready_o,
  input  wire logic                fill_evict_i,  // an eviction; else a reply
  input  wire logic [LineBits-1:0] fill_line_i,  // line that is filled or evicted
  input  wire logic [MshrBits-1:0] fill_mshr_i,  // MSHR entry of the reply
  input  wire logic [3:0]          fill_asked_i,  // requested sub-blocks that the reply answers
  input  wire logic [3:0]          fill_mask_i,  // sub-blocks that the reply brings
  output logic                     done_valid_o,
  input  wire logic                done_ready_i,
  output logic                     done_complete_o,  // nothing of the entry is pending
  output logic [3:0]               done_map_o,      // valid in the line
  output logic [3:0]               done_asked_o,  // sub-blocks requested for the line's content
  output logic                     done_inconsistent_o,  // the fetch was inconsistent
  output logic                     done_evicted_o,  // old content left the line
  output logic [3:0]               done_evicted_asked_o,  // sub-blocks requested for the old content
  output logic                     done_evicted_inconsistent_o  // the old content's fetch was inconsistent
);
  if (Lines == 0 || Mshrs == 0) begin : g_bad_size
    $error("critical_data_tracker: Lines and Mshrs must be at least 1");
  end
  if (Append > 1) begin : g_bad_append
    $error("critical_data_tracker: Append must be 0 or 1");
  end
  if (LineBits != (Lines > 1 ? $clog2(Lines) : 1) || MshrBits != (Mshrs > 1 ? $clog2(Mshrs) : 1)) begin : g_bad_bits
    $error("critical_data_tracker: LineBits and MshrBits follow from Lines and Mshrs");
  end

  localparam logic [2:0] Hit = 3'd0, First = 3'd1, Again = 3'd2, Merged = 3'd3, Invalid = 3'd4, Wait = 3'd5;

  // State.
  logic [Lines-1:0]   valid_q;    // of a line: its map in the memory counts
  logic [Mshrs*4-1:0] pending_q;  // asked, not yet answered; an entry is in use while this is not 0
  logic [Mshrs*4-1:0] asked_q;    // asked since the entry was taken (or kept): what windows_manager judges
  logic [Mshrs*4-1:0] brought_q;  // by replies so far; 0 in a free entry
  logic [Mshrs-1:0]   flag_q;     // inconsistent

  // Stage 1 registers. Neither stage ever waits: what is taken has a place in its answer queue.
  logic                req_fire, fill_fire, s_valid_q, f_valid_q, f_evict_q, s_line_hit_q, s_mshr_hit_q, s_alloc_q;
  logic [3:0]          s_mask_q, f_asked_q, f_mask_q;
  logic [LineBits-1:0] s_line_q, f_line_q;
  logic [MshrBits-1:0] s_mshr_q, f_mshr_q;
  logic [1:0]          s_held_q, f_held_q;  // items in stage 1 and queue

  assign req_ready_o  = s_held_q != 2'd3;
  assign fill_ready_o = f_held_q != 2'd3;
  assign req_fire     = req_valid_i && req_ready_o;
  assign fill_fire    = fill_valid_i && fill_ready_o;

  // Of a line: what is valid, for requests, and {inconsistent, asked}, for its eviction. A word written in the cycle
  // of a read is passed by.
  logic       line_we, s_pass_q, f_pass_q;
  logic [3:0] line_map, s_read, map_pass_q, s_line_map;
  logic [4:0] line_event, f_read, word_pass_q, f_word;
  ram_1r1w #(.Width(4), .Depth(Lines)) i_req_maps (
    .clk_i,
    .we_i(line_we),
    .waddr_i(f_line_q),
    .wdata_i(line_map),
    .re_i(req_fire),
    .raddr_i(req_line_i),
    .rdata_o(s_read)
  );
  ram_1r1w #(.Width(5), .Depth(Lines)) i_fill_maps (
    .clk_i,
    .we_i(line_we),
    .waddr_i(f_line_q),
    .wdata_i(line_event),
    .re_i(fill_fire),
    .raddr_i(fill_line_i),
    .rdata_o(f_read)
  );
  assign s_line_map = s_pass_q ? map_pass_q : s_read;
  assign f_word     = f_pass_q ? word_pass_q : f_read;

  // The fill in stage 1.
  logic [3:0] f_pending, f_left, f_asked, f_brought, f_all;
  logic       f_reply, f_complete, f_evicted, f_flag;
  assign f_reply    = f_valid_q && !f_evict_q;
  assign f_pending  = pending_q[f_mshr_q*4 +: 4];
  assign f_left     = f_pending & ~f_asked_q;
  assign f_brought  = brought_q[f_mshr_q*4 +: 4] | f_mask_q;
`ifdef PLANT_TRACKER_BROUGHT_ASKED  // planted bug: what a reply brings counts as asked for
  assign f_asked    = asked_q[f_mshr_q*4 +: 4] | f_brought;
`else
  assign f_asked    = asked_q[f_mshr_q*4 +: 4];
`endif
  assign f_all      = f_asked | f_brought;
  assign f_flag     = flag_q[f_mshr_q];
`ifdef PLANT_TRACKER_EARLY  // planted bug: the first reply makes the line valid
  assign f_complete = f_reply;
`else
  assign f_complete = f_reply && f_left == '0;
`endif
  assign f_evicted  = f_valid_q && valid_q[f_line_q];
  assign line_we    = f_complete;
  assign line_map   = f_all;
  assign line_event = {f_flag, f_asked};

  // The request in stage 1. A fill of the same line or entry in this cycle goes first and the request waits.
  logic [3:0] s_pending, s_asked, s_coming, kept, asked_before, want, send, asked;
  logic       line_taken, mshr_taken, takes_entry, joins_entry;
  logic [2:0] s_class, reason;
  assign s_pending  = pending_q[s_mshr_q*4 +: 4];
  assign s_asked    = asked_q[s_mshr_q*4 +: 4];
  assign s_coming   = s_asked | brought_q[s_mshr_q*4 +: 4];  // or here
  assign line_taken = f_valid_q && f_line_q == s_line_q;
`ifdef PLANT_TRACKER_RACE  // planted bug: a request joins an entry that ends in this cycle
  assign mshr_taken = 1'b0;
`else
  assign mshr_taken = f_reply && f_mshr_q == s_mshr_q;
`endif
  always_comb begin
    if (s_line_hit_q) begin
      if (line_taken || !valid_q[s_line_q])      s_class = Wait;
      else if ((s_mask_q & ~s_line_map) == '0)   s_class = Hit;
      else                                       s_class = s_alloc_q ? Invalid : Wait;
    end else if (s_mshr_hit_q) begin
      if (mshr_taken || s_pending == '0)         s_class = Wait;
      else if ((s_mask_q & ~s_coming) == '0)     s_class = Merged;
      else                                       s_class = Again;
    end else                                     s_class = s_alloc_q ? First : Wait;
  end
  assign kept         = s_class == Invalid && Append == 1 ? s_line_map : '0;
  assign asked_before = s_class == Again ? s_coming : kept;
  assign takes_entry  = s_valid_q && (s_class == First || s_class == Again || s_class == Invalid);
  assign joins_entry  = takes_entry || (s_valid_q && s_class == Merged);
  // A MERGED request sends nothing to the memory, but may be the first that needs what a reply brought.
  assign asked = (s_mshr_hit_q && !s_line_hit_q ? s_asked : kept) | (s_class == Merged ? s_mask_q : want);

  request_controller i_controller (
    .enable_i(predict_i),
    .fdr_over_i,
    .ica_over_i,
    .again_i(s_class == Again),
    .need_i(s_mask_q),
    .asked_i(asked_before),
    .want_o(want),
    .send_o(send),
    .reason_o(reason)
  );

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      s_valid_q <= 1'b0;
      f_valid_q <= 1'b0;
      s_held_q  <= '0;
      f_held_q  <= '0;
    end else begin
      s_valid_q <= req_fire;
      f_valid_q <= fill_fire;
`ifdef PLANT_TRACKER_KEEPS_PLACE  // planted bug: a place that ends while another begins is never given back
      s_held_q  <= s_held_q + 2'(req_fire) - 2'(rsp_valid_o && rsp_ready_i && !req_fire);
`else
      s_held_q  <= s_held_q + 2'(req_fire) - 2'(rsp_valid_o && rsp_ready_i);
`endif
      f_held_q  <= f_held_q + 2'(fill_fire) - 2'(done_valid_o && done_ready_i);
    end
  end
  always_ff @(posedge clk_i) begin
`ifdef PLANT_TRACKER_OTHER_MASK  // planted bug: other sub-blocks than were asked for
    s_mask_q     <= {req_mask_i[2:0], req_mask_i[3]};
`else
    s_mask_q     <= req_mask_i;
`endif
    s_line_hit_q <= req_line_hit_i;
    s_line_q     <= req_line_i;
    s_mshr_hit_q <= req_mshr_hit_i;
    s_alloc_q    <= req_alloc_i;
    s_mshr_q     <= req_mshr_i;
    f_evict_q    <= fill_evict_i;
    f_line_q     <= fill_line_i;
    f_mshr_q     <= fill_mshr_i;
    f_asked_q    <= fill_asked_i;
    f_mask_q     <= fill_mask_i;
    s_pass_q     <= line_we && f_line_q == req_line_i;
    f_pass_q     <= line_we && f_line_q == fill_line_i;
    map_pass_q   <= line_map;
    word_pass_q  <= line_event;
  end

  for (genvar line = 0; line < Lines; line++) begin : g_line
    always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
      if (!rst_ni) valid_q[line] <= 1'b0;
      else if (f_valid_q && f_line_q == LineBits'(line)) valid_q[line] <= f_complete;
`ifdef PLANT_TRACKER_STAYS_VALID  // planted bug: a line that is fetched again can still be hit
      else if (1'b0) valid_q[line] <= 1'b0;
`else
      else if (s_valid_q && s_class == Invalid && s_line_q == LineBits'(line)) valid_q[line] <= 1'b0;
`endif
    end
  end
  for (genvar entry = 0; entry < Mshrs; entry++) begin : g_entry
    logic answers, asks, joins;
    assign answers = f_reply && f_mshr_q == MshrBits'(entry);
    assign asks    = takes_entry && s_mshr_q == MshrBits'(entry);
    assign joins   = joins_entry && s_mshr_q == MshrBits'(entry);
    always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
      if (!rst_ni) pending_q[entry*4 +: 4] <= '0;
      else if (asks) pending_q[entry*4 +: 4] <= (s_class == Again ? s_pending : '0) | send;
      else if (answers) pending_q[entry*4 +: 4] <= f_left;
    end
    always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
      if (!rst_ni) brought_q[entry*4 +: 4] <= '0;
      else if (answers) brought_q[entry*4 +: 4] <= f_complete ? '0 : f_brought;
    end
    always_ff @(posedge clk_i) begin
`ifdef PLANT_TRACKER_FORGETS_ASKED  // planted bug: what a subsequent miss needs is not recorded
      if (joins && s_class != Again) asked_q[entry*4 +: 4] <= asked;
`else
      if (joins) asked_q[entry*4 +: 4] <= asked;
`endif
      if (asks) flag_q[entry] <= s_class != First;
    end
  end

  logic rsp_room, done_room;
  fifo #(.Width(10), .Depth(3)) i_rsp (
    .clk_i,
    .rst_ni,
    .in_valid_i(s_valid_q),
    .in_ready_o(rsp_room),
    .in_data_i({s_class, takes_entry ? {send, reason} : 7'd0}),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_class_o, rsp_send_o, rsp_reason_o})
  );
  fifo #(.Width(16), .Depth(3)) i_done (
    .clk_i,
    .rst_ni,
    .in_valid_i(f_valid_q),
    .in_ready_o(done_room),
    .in_data_i({f_complete, f_complete ? {f_all, f_asked, f_flag} : 9'd0, f_evicted, f_evicted ? {f_word[3:0], f_word[4]} : 5'd0}),
    .out_valid_o(done_valid_o),
    .out_ready_i(done_ready_i),
    .out_data_o({done_complete_o, done_map_o, done_asked_o, done_inconsistent_o, done_evicted_o, done_evicted_asked_o, done_evicted_inconsistent_o})
  );

`ifdef SYNTHESIS
  logic unused_room;
  assign unused_room = &{1'b0, rsp_room, done_room};
`else
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_no_answer_lost:  assert ((!s_valid_q || rsp_room) && (!f_valid_q || done_room));
    a_needs_something: assert (!s_valid_q || s_mask_q != '0);
    a_entry_free:      assert (!takes_entry || s_class == Again || s_pending == '0);
    a_reply_expected:  assert (!f_reply || (f_asked_q != '0 && (f_asked_q & ~f_pending) == '0));
    a_reply_brings_it: assert (!f_reply || (f_asked_q & ~f_mask_q) == '0);
`ifndef FORMAL_CRITICAL_DATA_TRACKER  // there it is a rule assumed for one arbitrary line
    a_hit_line_kept:   assert (!(s_valid_q && (s_class == Hit || s_class == Invalid) && fill_fire && fill_line_i == s_line_q));
`endif
    c_hit:             cover (s_valid_q && s_class == Hit);
    c_subsequent:      cover (s_valid_q && s_class == Again && send != '1);
    c_invalid:         cover (s_valid_q && s_class == Invalid);
    c_race_line:       cover (s_valid_q && s_line_hit_q && valid_q[s_line_q] && line_taken);
    c_race_mshr:       cover (s_valid_q && !s_line_hit_q && s_mshr_hit_q && mshr_taken && f_complete);
    c_passed_by:       cover (s_valid_q && s_pass_q && s_line_hit_q && s_class == Hit);
    c_two_replies:     cover (f_complete && f_asked_q != f_all);
    c_brings_more:     cover (f_complete && f_asked != f_all);
  end
`endif
`ifdef FORMAL_CRITICAL_DATA_TRACKER
  `include "critical_data_tracker_props.svh"
`endif
endmodule
`default_nettype wire
