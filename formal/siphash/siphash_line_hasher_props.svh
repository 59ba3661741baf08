// siphash_line_hasher with any core that keeps siphash_core_contract.svh in time (stub=siphash_core; whatever tag).
//
// The tag belongs to the line: the core is fed the words of the message of the line that was taken, in order, and the
// tag on offer is the core's. The message: masked sectors in ascending order, then a last word with the byte {4'b0,
// mask} and the length in bytes, 32 sectors + 1, in its top byte. The core reads a word in its first and in its last
// cycle. One bit of the line is chosen freely and followed to the core.
//
// In time: the tag is on offer in the cycle of the header, leaves at most LIVE_K - 1 cycles later, and a line waits
// as long at most.
  `include "reset.svh"
  `include "live.svh"
  `define PROMISE_CORE assume
  `define PROMISE_USER assert
  if (1) begin : g_contract
    localparam int unsigned CHalf = HalfRoundsPerCycle;
    logic c_start, c_start_ready, c_next, c_last, c_out_valid, c_take;
    assign c_start       = busy_q && start_ready;
    assign c_start_ready = start_ready;
    assign c_next        = next;
    assign c_last        = last;
    assign c_out_valid   = out_valid_o;
    assign c_take        = out_valid_o && out_ready_i;
    `include "siphash_core_contract.svh"
  end
  `undef PROMISE_CORE
  `undef PROMISE_USER

  // The line that was taken: its mask, and the chosen bit of it.
  (* anyconst *) logic [1:0] f_sector;
  (* anyconst *) logic [1:0] f_word;  // of the sector
  (* anyconst *) logic [5:0] f_bit;   // of the word
  logic [3:0] f_mask_q;
  logic       f_value_q;
  always_ff @(posedge clk_i) if (in_valid_i && in_ready_o) begin
    f_mask_q  <= in_mask_i;
    f_value_q <= in_data_i[{f_sector, f_word, f_bit}];
  end

  // Its message.
  logic [2:0]  f_sectors, f_place;  // sectors in the mask, and those before the chosen one
  logic [63:0] f_read, f_tail;
  logic        f_reads;
  assign f_sectors = 3'($countones(f_mask_q));
  assign f_place   = 3'($countones(f_mask_q & ((4'd1 << f_sector) - 4'd1)));
  assign f_read    = from_line | tail;
  assign f_tail    = {8'd32 * 8'(f_sectors) + 8'd1, 48'd0, 4'd0, f_mask_q};
  assign f_reads   = g_contract.c_run && (g_contract.c_word_q == '0 || next);

  // Sectors that the words used so far leave, and where the chosen bit stands: each sector turns in each cycle.
  logic [3:0] f_left;
  logic [7:0] f_turn_q, f_at;  // bits
  assign f_at = {f_word, f_bit} - f_turn_q;
  always_comb begin
    f_left = f_mask_q;
    for (int unsigned i = 0; i < 4; i++) if (i < 32'(g_contract.c_used_q) / 4) f_left = f_left & (f_left - 4'd1);
  end
  always_ff @(posedge clk_i) f_turn_q <= busy_q ? f_turn_q + 8'(Turn) : '0;

  // Cycles to the tag.
  localparam int unsigned FLongest = 1 + g_contract.CWord * g_contract.CWords + g_contract.CTag;
  logic [15:0] f_to_offer;
  assign f_to_offer = g_contract.c_busy_q || g_contract.c_done_q
                    ? g_contract.c_to_offer - (g_contract.c_done_q || g_contract.c_tag_q != '0 ? 16'd0
                      : 16'(g_contract.CWord * 4) * (16'd4 - 16'(f_sectors)))
                    : 16'(g_contract.CWord) * (16'd4 * 16'(f_sectors) + 16'd1) + 16'(g_contract.CTag);
  `include "answer_rule.svh"
  `ANSWER_RULE(digest, assert, in_valid_i && in_ready_o, out_valid_o, out_ready_i)  // dedup_front relies on it
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  `LIVE_LEAVE(live_tag, busy_q, out_valid_o && out_ready_i, f_to_offer + g_live_sink.f_left, FLongest + `LIVE_K - 1)
  `LIVE_ACCEPT(live_line, in_valid_i, in_ready_o, busy_q ? f_to_offer + g_live_sink.f_left + 16'd1 : 16'd0,
               FLongest + `LIVE_K - 1)
  always_comb if (f_started_q) begin
    a_bit:     assert (!(f_reads && f_mask_q[f_sector] && g_contract.c_used_q == 5'({f_place, f_word})) ||
                       f_read[f_bit] == f_value_q);
    a_last:    assert (!f_reads || g_contract.c_used_q != 5'({f_sectors, 2'd0}) || (last && f_read == f_tail));
    a_sector:  assert (!f_reads || g_contract.c_used_q == 5'({f_sectors, 2'd0}) || !last);
    a_digests: assert (g_digest.f_open_q == 16'(busy_q));
    a_mask:    assert (!busy_q || mask_q == f_mask_q);
    a_left:    assert (!busy_q || g_contract.c_tag_q != '0 || g_contract.c_done_q || left_q == f_left);
    a_word:    assert (!busy_q || g_contract.c_tag_q != '0 || g_contract.c_done_q || word_q == g_contract.c_used_q[1:0]);
    a_used:    assert (!busy_q || g_contract.c_tag_q != '0 || g_contract.c_done_q ||
                       g_contract.c_used_q <= 5'({f_sectors, 2'd0}));
    a_turn:    assert (!busy_q || g_contract.c_tag_q != '0 || g_contract.c_done_q ||
                       f_turn_q == {g_contract.c_used_q[1:0], 6'd0} + 8'(Turn) * 8'(g_contract.c_word_q));
    a_kept:    assert (!busy_q || line_q[{f_sector, f_at}] == f_value_q);
    a_states:  assert (32'(g_contract.c_tag_q) <= g_contract.CTag && 32'(g_contract.c_word_q) < g_contract.CWord &&
                       !(g_contract.c_busy_q && g_contract.c_done_q) &&
                       (g_contract.c_busy_q || g_contract.c_tag_q == '0));
    a_words:   assert ((g_contract.c_busy_q && g_contract.c_tag_q == '0) || g_contract.c_word_q == '0);
    a_new:     assert (g_contract.c_busy_q || g_contract.c_done_q || g_contract.c_used_q == '0 || !busy_q);
    a_idle:    assert (busy_q || (!g_contract.c_busy_q && !g_contract.c_done_q));
    a_began:   assert (!g_contract.c_busy_q || g_contract.c_tag_q != '0 || g_contract.c_used_q != '0 ||
                       g_contract.c_word_q != '0);
    a_latency: assert (!busy_q || out_valid_o || 32'(g_live_tag.f_age_q) + 32'(f_to_offer) ==
                       1 + g_contract.CTag + g_contract.CWord * (4 * 32'(f_sectors) + 1));
  end
