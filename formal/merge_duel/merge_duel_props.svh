// merge_duel against sums: the groups by parities of bits, the level as what was counted, clamped.
//
// With RAM_CONTRACT the memory is free (stub=ram_1r1w) but for what formal/common proves of it, for one freely chosen
// tag: a read returns the word written last. Without, the real memory is there and the promise is asserted.
  `include "reset.svh"
`ifdef RAM_CONTRACT
  `define RAM_PROMISE assume
`else
  `define RAM_PROMISE assert
`endif

  // All of the parities of the bits k, k + LeaderBits, ... of a line have this value.
  function automatic logic f_all(input logic [LineBits-1:0] line, input logic value);
    logic parity;
    f_all = 1'b1;
    for (int unsigned k = 0; k < LeaderBits; k++) begin
      parity = 1'b0;
      for (int unsigned b = k; b < LineBits; b += LeaderBits) parity ^= line[b];
      if (parity != value) f_all = 1'b0;
    end
  endfunction

  // What comes in keeps to the rules that the RTL asserts.
  always_comb begin
    m_taken:  assume (!sent_valid_i || open_q[sent_tag_i]);
    m_in_use: assume (!(sent_valid_i && open_valid_i) || sent_tag_i != open_tag_i);
  end

  // A read of tag f_tag is in the group of the line that the tag was opened for last.
  (* anyconst *) logic [TagBits-1:0] f_tag;
  logic       f_known_q, f_read_q, f_always_q, f_never_q, f_read_always_q, f_read_never_q;
  logic [1:0] f_word_q, f_read_word_q;
  initial f_known_q = 1'b0;
  initial f_read_q  = 1'b0;
  always_ff @(posedge clk_i) begin
    if (open_valid_i && open_tag_i == f_tag) begin
      f_known_q  <= 1'b1;
      f_word_q   <= group(open_line_i);
      f_always_q <= f_all(open_line_i, 1'b0);
      f_never_q  <= f_all(open_line_i, 1'b1);
    end
    f_read_q <= f_known_q && sent_valid_i && sent_tag_i == f_tag;
    f_read_word_q   <= f_word_q;
    f_read_always_q <= f_always_q;
    f_read_never_q  <= f_never_q;
  end
  always_comb begin
    p_memory: `RAM_PROMISE (!f_read_q || sent_group == f_read_word_q);
    a_word:   assert (!f_known_q || f_word_q == {f_always_q, f_never_q});
    a_read:   assert (!f_read_q || f_read_word_q == {f_read_always_q, f_read_never_q});
    a_opened: assert (!f_started_q || !open_q[f_tag] || f_known_q);
    a_sent:   assert (!f_read_q || sent_group == {f_read_always_q, f_read_never_q});
  end

  // The level is what was counted, one cycle after it came.
  integer f_sent_q, f_done_q, f_level_q, f_next;
  logic   f_done_always_q, f_done_never_q, f_whole_q, f_asked_q, f_ask_always_q, f_ask_never_q;
  always_comb begin
    f_next = f_level_q + (sent_group[1] ? f_sent_q : 0) - (sent_group[0] ? f_sent_q : 0)
           + (f_done_always_q ? f_done_q : 0) - (f_done_never_q ? f_done_q : 0);
    if (f_next > 2**(LevelBits-1) - 1) f_next = 2**(LevelBits-1) - 1;
    if (f_next < 1 - 2**(LevelBits-1)) f_next = 1 - 2**(LevelBits-1);
  end
  always_ff @(posedge clk_i) begin
    f_done_always_q <= f_all(done_line_i, 1'b0);
    f_done_never_q  <= f_all(done_line_i, 1'b1);
    if (!rst_ni) begin
      f_sent_q  <= 0;
      f_done_q  <= 0;
      f_level_q <= 0;
      f_whole_q <= 1'b0;
      f_asked_q <= 1'b0;
    end else begin
      f_sent_q <= !sent_valid_i ? 0 : 32'(sent_mask_i[0]) + 32'(sent_mask_i[1]) + 32'(sent_mask_i[2]) + 32'(sent_mask_i[3]);
      f_done_q  <= done_valid_i ? 32'(done_sectors_i) : 0;
      f_level_q <= f_next;
      f_whole_q <= f_next <= -(2**(LevelBits-3)) || (f_whole_q && f_next < 0);
      if (ask_valid_i) begin
        f_asked_q      <= 1'b1;
        f_ask_always_q <= f_all(ask_line_i, 1'b0);
        f_ask_never_q  <= f_all(ask_line_i, 1'b1);
      end
    end
  end
  always_comb if (f_started_q) begin
    a_level:  assert (32'($signed(level_o)) == f_level_q);
    a_stored: assert (32'(level_q) == f_level_q && whole_q == f_whole_q);
    a_counts: assert (32'(sent_q) == f_sent_q && 32'(done_q) == f_done_q);
    a_group:  assert (done_q == '0 || done_group_q == {f_done_always_q, f_done_never_q});
    a_whole:  assert (whole_o == (f_asked_q && (f_ask_always_q || (f_whole_q && !f_ask_never_q))));
    a_asked:  assert (ask_group_q == (f_asked_q ? {f_ask_always_q, f_ask_never_q} : 2'b01));
    a_room:   assert (level_q >= -Limit && level_q <= Limit);
    a_turned: assert (whole_q ? level_q < 0 : level_q > -Turn);
  end
