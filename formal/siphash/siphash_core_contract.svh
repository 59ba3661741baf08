// What siphash_core and the module that uses it promise each other, in time: included by both, inside a generate block
// that declares
//   CHalf                                                    the core's parameter
//   c_start, c_start_ready, c_next, c_last, c_out_valid, c_take      the core's ports; c_start, c_take: taken now
// `PROMISE_CORE is `assert` in siphash_core and `assume` in siphash_line_hasher; `PROMISE_USER the other way round.
  localparam int unsigned CWord  = 4 / CHalf;   // cycles of a word
  localparam int unsigned CTag   = 16 / CHalf;  // cycles from the last word to the tag
  localparam int unsigned CWords = 17;          // words of a message, at most: four sectors and the last word
  logic       c_busy_q, c_done_q;  // a message is at work; its tag is on offer
  logic [1:0] c_word_q;            // cycle within the word; the start is the first one
  logic [4:0] c_tag_q;             // cycles since the last word, from 1; 0: there was none
  logic [4:0] c_used_q;            // words used up
  logic       c_run;
  assign c_run = c_start || (c_busy_q && c_tag_q == '0);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      c_busy_q <= 1'b0;
      c_done_q <= 1'b0;
      c_word_q <= '0;
      c_tag_q  <= '0;
      c_used_q <= '0;
    end else begin
      c_busy_q <= c_start || (c_busy_q && c_tag_q != 5'(CTag));
      c_done_q <= c_tag_q == 5'(CTag) || (c_done_q && !c_take);
      c_word_q <= c_run && c_word_q != 2'(CWord - 1) ? c_word_q + 2'd1 : '0;
      if (c_tag_q == 5'(CTag)) c_tag_q <= '0;
      else if (c_tag_q != '0 || (c_next && c_last)) c_tag_q <= c_tag_q + 5'd1;
      c_used_q <= c_busy_q ? c_used_q + 5'(c_next) : '0;
    end
  end
  always_comb if (f_started_q) begin
    p_ready: `PROMISE_CORE (c_start_ready == (!c_busy_q && !c_done_q));
    p_next:  `PROMISE_CORE (c_next == (c_busy_q && c_tag_q == '0 && c_word_q == 2'(CWord - 1)));
    p_offer: `PROMISE_CORE (c_out_valid == c_done_q);
    p_words: `PROMISE_USER (!c_next || c_last || 32'(c_used_q) < CWords - 1);
  end
  // Cycles to the tag of a message at work, when its words are the most that are allowed.
  logic [15:0] c_to_offer;
  assign c_to_offer = c_done_q ? 16'd0 : c_tag_q != '0 ? 16'(CTag + 1) - 16'(c_tag_q)
                    : 16'(CWord) * (16'(CWords) - 16'(c_used_q)) - 16'(c_word_q) + 16'(CTag);
