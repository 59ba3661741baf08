// siphash_unit with any core that keeps siphash_core_contract.svh in time (stub=siphash_core; whatever tag), and any
// memory that gives the words of the line when they are read (siphash_unit_contract.svh).
//
// The tag belongs to the line: the core is fed the words of the message of the line that was taken, in order, and the
// tag on offer is the core's. The message is that of siphash_line_hasher_props.svh. One bit of the line is chosen
// freely and followed to the core. In time: the tag is on offer in the cycle of the header.
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
    assign c_last        = last_q;
    assign c_out_valid   = out_valid_o;
    assign c_take        = out_valid_o && out_ready_i;
    `include "siphash_core_contract.svh"
  end
  `undef PROMISE_CORE
  `undef PROMISE_USER

  (* anyseq *) logic       f_has, f_value;
  (* anyseq *) logic [3:0] f_word;
  (* anyconst *) logic [5:0] f_bit;
  always_comb m_word: assume (!start_i || !f_has || 32'(f_word) < 4 * $countones(mask_i));
  if (1) begin : g_unit
    localparam int unsigned UHalf = HalfRoundsPerCycle;
    logic         u_start, u_busy, u_valid, u_leaves, u_has, u_value;
    logic [3:0]   u_mask, u_word;
    logic [5:0]   u_bit;
    logic [63:0]  u_first;
    logic [15:1]  u_read;
    logic [959:0] u_words;
    assign u_start  = start_i && rst_ni;
    assign u_busy   = busy_o;
    assign u_valid  = out_valid_o;
    assign u_leaves = out_valid_o && out_ready_i;
    assign u_mask   = mask_i;
    assign u_first  = first_i;
    assign u_read   = read_o;
    assign u_words  = words_i;
    assign u_has    = f_has;
    assign u_word   = f_word;
    assign u_bit    = f_bit;
    assign u_value  = f_value;
    `include "siphash_unit_contract.svh"
  end

  logic [63:0] f_tail;
  logic [4:0]  f_words;  // of the masked sectors
  logic        f_reads, f_hashes;  // the core reads the word; it is at work on words
  assign f_words  = {g_unit.u_sectors, 2'b00};
  assign f_tail   = {8'd32 * 8'(g_unit.u_sectors) + 8'd1, 48'd0, 4'd0, g_unit.u_mask_q};
  assign f_reads  = g_contract.c_run && (g_contract.c_word_q == '0 || next);
  assign f_hashes = busy_q && g_contract.c_tag_q == '0 && !g_contract.c_done_q;
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  `LIVE_LEAVE(live_tag, busy_q, out_valid_o && out_ready_i,
              16'(g_unit.u_latency) - 16'(g_unit.u_age_q) + g_live_sink.f_left,
              17 * g_unit.UWord + g_unit.UTag + 1 + `LIVE_K - 1)
  always_comb if (f_started_q) begin
    m_lines:   assume (g_unit.u_lines_keep);
    p_unit:    assert (g_unit.u_unit_keeps);
    a_bit:     assert (!(f_reads && g_unit.u_has_q && g_contract.c_used_q == 5'(g_unit.u_word_q)) ||
                       word_q[f_bit] == g_unit.u_value_q);
    a_last:    assert (!f_reads || g_contract.c_used_q != f_words || (last_q && word_q == f_tail));
    a_sector:  assert (!f_reads || g_contract.c_used_q == f_words || !last_q);
    a_mask:    assert (!busy_q || mask_q == g_unit.u_mask_q);
    a_step:    assert (!f_hashes || 32'(step_q) == 32'(g_contract.c_word_q));
    a_place:   assert (!f_hashes || place_q == g_contract.c_used_q + 5'd1);
    a_ended:   assert (!f_hashes || last_q == (g_contract.c_used_q == f_words));
    a_used:    assert (!f_hashes || g_contract.c_used_q <= f_words);
    a_tags:    assert (!busy_q || f_hashes || last_q);
    a_follows: assert (!g_unit.u_has_q || g_unit.u_age_q == '0 || 5'(g_unit.u_word_q) < f_words);
    a_word:    assert (!(f_hashes && g_unit.u_has_q && g_contract.c_used_q == 5'(g_unit.u_word_q)) ||
                       word_q[f_bit] == g_unit.u_value_q);
    a_tail:    assert (!(f_hashes && g_contract.c_used_q == f_words) || word_q == f_tail);
    a_came:    assert (g_unit.u_came_q == (busy_q && g_unit.u_has_q && g_unit.u_word_q != '0 &&
                       g_unit.u_age_q == 8'(g_unit.UWord) * 8'(g_unit.u_word_q)));
    a_states:  assert (32'(g_contract.c_tag_q) <= g_contract.CTag && 32'(g_contract.c_word_q) < g_contract.CWord &&
                       !(g_contract.c_busy_q && g_contract.c_done_q) &&
                       (g_contract.c_busy_q || g_contract.c_tag_q == '0));
    a_words:   assert ((g_contract.c_busy_q && g_contract.c_tag_q == '0) || g_contract.c_word_q == '0);
    a_new:     assert (g_contract.c_busy_q || g_contract.c_done_q || g_contract.c_used_q == '0 || !busy_q);
    a_idle:    assert (busy_q || (!g_contract.c_busy_q && !g_contract.c_done_q));
    a_began:   assert (!g_contract.c_busy_q || g_contract.c_tag_q != '0 || g_contract.c_used_q != '0 ||
                       g_contract.c_word_q != '0);
    a_age:     assert (g_unit.u_age_q == (!busy_q ? 8'd0 : g_contract.c_done_q ? g_unit.u_latency :
                       g_contract.c_tag_q != '0 ? g_unit.u_latency - 8'(g_unit.UTag) - 8'd1 + 8'(g_contract.c_tag_q) :
                       8'd1 + 8'(g_unit.UWord) * 8'(g_contract.c_used_q) + 8'(g_contract.c_word_q)));
    a_aged:    assert (!busy_q || 16'(g_unit.u_age_q) == g_live_tag.f_age_q || out_valid_o);
    a_offered: assert (!out_valid_o || 32'(g_live_tag.f_age_q) == 32'(g_unit.u_latency) + 32'(g_live_sink.f_stalled_q));
  end
