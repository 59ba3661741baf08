// siphash_line_hashers with units that keep siphash_unit_contract.svh and memories that keep their words (stubs).
//
// The tags come in the order of the lines: the lines in flight are those of the units from out_q on. No two units read
// a memory in one cycle (assertion of the RTL). A unit is given the words of the line that it took: one bit of
// in_data_i is chosen freely and followed through one memory to one unit, all three chosen freely.
// A line waits for the tag of the line that the unit in turn has, at most. A tag leaves when all older ones have left:
// a whole line after its own was taken, all of them are there.
  `include "reset.svh"
  `include "live.svh"
  `include "answer_rule.svh"
  (* anyconst *) logic [UnitBits-1:0] f_unit;
  (* anyconst *) logic [3:0]          f_memory;           // number of its word
  (* anyconst *) logic [1:0]          f_sector, f_place;  // place of the word in its sector
  (* anyconst *) logic [5:0]          f_bit;
  logic [3:0] f_word;   // of the message
  logic       f_value, f_has;
  assign f_word  = {2'($countones(in_mask_i & ((4'd1 << f_sector) - 4'd1))), f_place};
  assign f_has   = in_mask_i[f_sector] && (f_word == '0 || f_word == f_memory);
  assign f_value = in_data_i[{f_sector, f_place, f_bit}];
  always_comb m_chosen: assume (32'(f_unit) < Units && f_memory != '0);

  // ram_1r1w, the word of the chosen unit in the chosen memory.
  logic f_kept_q, f_came_q, f_known_q;
  always_ff @(posedge clk_i) begin
    if (ram_we[f_memory] && in_q == f_unit) f_kept_q <= sectors[{f_memory, f_bit}];
    if (ram_re[f_memory]) begin
      f_came_q  <= f_kept_q;
      f_known_q <= ram_raddr[UnitBits*(f_memory-1) +: UnitBits] == f_unit && !(ram_we[f_memory] && in_q == f_unit);
    end
  end
  always_comb m_ram: assume (!f_known_q || words[{f_memory - 4'd1, f_bit}] == f_came_q);

  logic [Units-1:0]   f_busy;
  logic [8*Units-1:0] f_age, f_latency;
  logic [Units-1:0]   f_late;  // its tag is on offer
  logic [Units-1:0]   f_unit_keeps, f_lines_keep, f_in_time, f_keeps, f_comes, f_chosen;
  for (genvar u = 0; u < Units; u++) begin : g_follow
    localparam int unsigned UHalf = HalfRoundsPerCycle;
    logic         u_start, u_busy, u_valid, u_leaves, u_has, u_value;
    logic [3:0]   u_mask, u_word;
    logic [5:0]   u_bit;
    logic [63:0]  u_first;
    logic [15:1]  u_read;
    logic [959:0] u_words;
    assign u_start  = take && in_turn[u] && rst_ni;
    assign u_busy   = busy[u];
    assign u_valid  = valid[u];
    assign u_leaves = give && out_turn[u];
    assign u_mask   = in_mask_i;
    assign u_first  = sectors[63:0];
    assign u_read   = reads[15*u +: 15];
    assign u_words  = words;
    assign u_has    = f_has && f_unit == UnitBits'(u);
    assign u_word   = f_word;
    assign u_bit    = f_bit;
    assign u_value  = f_value;
    `include "siphash_unit_contract.svh"
    assign f_busy[u]           = u_age_q != '0;
    assign f_age[8*u +: 8]     = u_age_q;
    assign f_latency[8*u +: 8] = u_latency;
    assign f_late[u]           = u_age_q == u_latency;
    assign f_unit_keeps[u]  = u_unit_keeps;
    assign f_lines_keep[u]  = u_lines_keep;
    assign f_in_time[u]     = u_age_q <= u_latency;
    assign f_keeps[u]       = !(f_busy[u] && u_has_q && u_word_q == f_memory && u_age_q < 8'(UWord) * 8'(u_word_q)) ||
                              f_kept_q == u_value_q;
    assign f_comes[u]       = !u_came_q || (f_known_q && f_came_q == u_value_q);
    assign f_chosen[u]      = !(f_busy[u] && u_has_q) || (f_unit == UnitBits'(u) && 32'(u_word_q) < 4 * 32'(u_sectors) &&
                                                          (u_word_q == '0 || u_word_q == f_memory));
  end
  // The tag of a unit is its core's, which stays until it is taken (stream_check in siphash_core, proof core_paper).
  logic [Units-1:0]     f_offered_q, f_tag_stays;
  logic [Units*128-1:0] f_digests_q;
  always_ff @(posedge clk_i) begin
    f_offered_q <= {Units{rst_ni}} & valid & ~(out_turn & {Units{give}});
    f_digests_q <= digests;
  end
  for (genvar u = 0; u < Units; u++) begin : g_tag
    assign f_tag_stays[u] = !f_offered_q[u] || digests[128*u +: 128] == f_digests_q[128*u +: 128];
  end
  always_comb if (f_started_q) begin
    m_tags:    assume (&f_tag_stays);
    m_units:   assume (&f_unit_keeps);
    p_lines:   assert (&f_lines_keep);
    a_in_time: assert (&f_in_time);
    a_kept:    assert (&f_keeps);
    a_came:    assert (&f_comes);
    a_chosen:  assert (&f_chosen);
  end

  localparam int unsigned FLongest = 17 * 4 / HalfRoundsPerCycle + 16 / HalfRoundsPerCycle + 1;
  `ANSWER_RULE(digest, assert, take, out_valid_o, out_ready_i)  // dedup_front relies on it
  `LIVE_SINK(live_sink, out_valid_o, out_ready_i)
  logic [15:0] f_left;
  assign f_left = in_ready_o ? 16'd0 : 16'(f_latency[8*in_q +: 8]) - 16'(f_age[8*in_q +: 8]) + g_live_sink.f_left + 16'd1;
  `LIVE_ACCEPT(live_line, in_valid_i, in_ready_o, f_left, FLongest + `LIVE_K - 1)
  logic [15:0] f_before, f_together;  // lines older than that of the chosen unit; cycles until all have their tags
  assign f_before   = 16'(f_unit) >= 16'(out_q) ? 16'(f_unit) - 16'(out_q) : 16'(f_unit) + 16'(Units) - 16'(out_q);
  assign f_together = g_live_tag.f_age_q < 16'(FLongest) ? 16'(FLongest) - g_live_tag.f_age_q : 16'd0;
  `LIVE_LEAVE(live_tag, f_busy[f_unit], give && out_turn[f_unit],
              f_together + 16'(`LIVE_K) * f_before + g_live_sink.f_left, FLongest + Units * `LIVE_K - 1)
  logic [15:0] f_open;
  assign f_open = g_digest.f_open_q;
  always_comb if (f_started_q) begin
    a_turns:   assert (32'(in_q) < Units && 32'(out_q) < Units);
    a_digests: assert (32'(f_open) == $countones(f_busy));
    a_next:    assert (32'(in_q) == (32'(out_q) + 32'(f_open) < Units ? 32'(out_q) + 32'(f_open)
                                                                      : 32'(out_q) + 32'(f_open) - Units));
  end
  logic [Units-1:0]       f_in_order, f_older;
  logic [Units*Units-1:0] f_apart;
  for (genvar u = 0; u < Units; u++) begin : g_order
    logic [15:0] f_ahead;  // lines in flight that are older
    assign f_ahead = 16'(u) >= 16'(out_q) ? 16'(u) - 16'(out_q) : 16'(u) + 16'(Units) - 16'(out_q);
    assign f_in_order[u] = f_busy[u] == (f_ahead < f_open);
    assign f_older[u]    = !f_busy[f_unit] || !f_busy[u] || f_ahead > f_before || f_late[u] ||
                           16'(f_age[8*u +: 8]) >= g_live_tag.f_age_q;
    for (genvar v = 0; v < Units; v++) begin : g_other
      assign f_apart[Units*u + v] = v >= u || !(f_busy[u] && f_busy[v]) || f_late[u] || f_late[v] ||
                                    f_age[8*u +: 8] != f_age[8*v +: 8];
    end
  end
  always_comb if (f_started_q) begin
    a_in_order: assert (&f_in_order);
    a_older:    assert (&f_older);
    a_apart:    assert (&f_apart);
  end
