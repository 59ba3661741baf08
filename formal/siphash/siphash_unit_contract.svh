// What siphash_unit and the module around it promise each other, in time: included by both, inside a generate block
// that declares
//   UHalf                                    the unit's parameter
//   u_start, u_busy, u_valid, u_leaves       the unit's ports; u_leaves: the tag is taken now
//   u_mask, u_first, u_read, u_words         likewise
//   u_has, u_word, u_bit, u_value            with u_start: one bit of the line is followed: bit u_bit of word u_word of
//                                            the message has this value; the word is one of the masked sectors'
// u_unit_keeps is asserted of siphash_unit and assumed in siphash_line_hashers; u_lines_keep the other way round.
  localparam int unsigned UWord = 4 / UHalf;   // cycles of a word
  localparam int unsigned UTag  = 16 / UHalf;  // cycles from the last word to the tag
  logic [7:0] u_age_q;  // cycles since the line was taken; 0: there is none; stays when the tag is on offer
  logic [3:0] u_mask_q, u_word_q;
  logic       u_has_q, u_value_q, u_came_q;  // u_came_q: the word with the bit was read in the cycle before
  logic       u_unit_keeps, u_lines_keep;
  logic [2:0] u_sectors;
  logic [7:0] u_latency;
  assign u_sectors = 3'($countones(u_mask_q));
  assign u_latency = 8'(UWord) * (8'd4 * 8'(u_sectors) + 8'd1) + 8'(UTag) + 8'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) u_age_q <= '0;
    else if (u_start) u_age_q <= 8'd1;
    else if (u_leaves) u_age_q <= '0;
    else if (u_age_q != '0 && u_age_q != u_latency) u_age_q <= u_age_q + 8'd1;
    if (u_start) begin
      u_mask_q  <= u_mask;
      u_word_q  <= u_word;
      u_has_q   <= u_has;
      u_value_q <= u_value;
    end
    u_came_q <= rst_ni && u_age_q != '0 && u_has_q && u_word_q != '0 && u_age_q == 8'(UWord) * 8'(u_word_q) - 8'd1;
  end
  logic [15:1] u_reads;
  for (genvar w = 1; w < 16; w++) begin : g_read
    assign u_reads[w] = u_age_q == 8'(UWord * w - 1) && w < 4 * 32'(u_sectors);
  end
  assign u_unit_keeps = u_busy == (u_age_q != '0) && u_valid == (u_age_q != '0 && u_age_q == u_latency) &&
                        u_read == u_reads;
  assign u_lines_keep = !(u_start && u_busy) && !(u_leaves && !u_valid) &&
                        (!(u_start && u_has && u_word == '0) || u_first[u_bit] == u_value) &&
                        (!u_came_q || u_words[{u_word_q - 4'd1, u_bit}] == u_value_q);
