// md5_pkg: the tables of RFC 1321 as functions (Yosys 0.23 takes no array parameters).
//
// A step's rotation is 4, 9, 14 or 20 by its position in the round's group of four, plus 0 to 3.
`default_nettype none
package md5_pkg;
  // bits[step], in two levels that many such tables share: 8 rows by three bits of the step, and in each row one of
  // the 256 patterns over the other three. (A case would become a memory in Yosys, and a plain index costs more.)
  // Of the 20 ways to divide six bits this one makes the smallest table of constants.
  function automatic logic lookup(input logic [63:0] bits, input logic [5:0] step);
    logic [7:0] row, column, pattern;
    row    = 8'd1 << {step[5], step[2], step[0]};
    column = 8'd1 << {step[4], step[3], step[1]};
    lookup = 1'b0;
    for (int r = 0; r < 8; r++) begin
      for (int c = 0; c < 8; c++) begin
        pattern[c] = bits[32 * (r / 4) + 16 * (c / 4) + 8 * (c / 2 % 2) + 4 * (r / 2 % 2) + 2 * (c % 2) + r % 2];
      end
      lookup = lookup | (row[r] & (|(column & pattern)));
    end
  endfunction

  // Additive constants floor(2^32 |sin(step + 1)|), step 63 first.
  localparam logic [2047:0] Constants = {
    32'heb86d391, 32'h2ad7d2bb, 32'hbd3af235, 32'hf7537e82,
    32'h4e0811a1, 32'ha3014314, 32'hfe2ce6e0, 32'h6fa87e4f,
    32'h85845dd1, 32'hffeff47d, 32'h8f0ccc92, 32'h655b59c3,
    32'hfc93a039, 32'hab9423a7, 32'h432aff97, 32'hf4292244,
    32'hc4ac5665, 32'h1fa27cf8, 32'he6db99e5, 32'hd9d4d039,
    32'h04881d05, 32'hd4ef3085, 32'heaa127fa, 32'h289b7ec6,
    32'hbebfbc70, 32'hf6bb4b60, 32'h4bdecfa9, 32'ha4beea44,
    32'hfde5380c, 32'h6d9d6122, 32'h8771f681, 32'hfffa3942,
    32'h8d2a4c8a, 32'h676f02d9, 32'hfcefa3f8, 32'ha9e3e905,
    32'h455a14ed, 32'hf4d50d87, 32'hc33707d6, 32'h21e1cde6,
    32'he7d3fbc8, 32'hd8a1e681, 32'h02441453, 32'hd62f105d,
    32'he9b6c7aa, 32'h265e5a51, 32'hc040b340, 32'hf61e2562,
    32'h49b40821, 32'ha679438e, 32'hfd987193, 32'h6b901122,
    32'h895cd7be, 32'hffff5bb1, 32'h8b44f7af, 32'h698098d8,
    32'hfd469501, 32'ha8304613, 32'h4787c62a, 32'hf57c0faf,
    32'hc1bdceee, 32'h242070db, 32'he8c7b756, 32'hd76aa478
  };
  function automatic logic [31:0] step_constant(input logic [5:0] step);
    logic [63:0] bits;
    for (int b = 0; b < 32; b++) begin
      for (int s = 0; s < 64; s++) bits[s] = Constants[32 * s + b];
      step_constant[b] = lookup(bits, step);
    end
  endfunction

  // Which of the 16 message words the step adds: i, 5i+1, 3i+5, 7i in the four rounds; bit by bit, step 63 first.
  localparam logic [63:0] Word0 = 64'haaaa55555555aaaa;
  localparam logic [63:0] Word1 = 64'h6666cccc6666cccc;
  localparam logic [63:0] Word2 = 64'h1e1e6969d2d2f0f0;
  localparam logic [63:0] Word3 = 64'hab54718e9b64ff00;
  function automatic logic [3:0] word_index(input logic [5:0] step);
    word_index = {Word3[step], Word2[step], Word1[step], Word0[step]};
  endfunction

  // Small part (0 to 3) of the step's rotation; the large part follows from step[1:0].
  //   round 0: 7 12 17 22   round 1: 5 9 14 20   round 2: 4 11 16 23   round 3: 6 10 15 21
  function automatic logic [1:0] rotate_small(input logic [1:0] round, input logic [1:0] position);
    unique case (round)
      2'd0: rotate_small = (position == 2'd3) ? 2'd2 : 2'd3;
      2'd1: rotate_small = (position == 2'd0) ? 2'd1 : 2'd0;
      2'd2: rotate_small = (position == 2'd0) ? 2'd0 : (position == 2'd3) ? 2'd3 : 2'd2;
      2'd3: rotate_small = (position == 2'd0) ? 2'd2 : 2'd1;
    endcase
  endfunction

  // A chaining word's next value: x when take_x, q when hold, init when neither; never both.
  function automatic logic [31:0] chain_next(input logic take_x, input logic [31:0] x, input logic hold,
                                             input logic [31:0] q, input logic [31:0] init);
    chain_next = ((take_x ? x : q) & ({32{take_x || hold}} | init)) | (init & {32{!take_x && !hold}});
  endfunction

  // line_hasher moves the eight words of a sector one slot further in each cycle. With these first places, the word
  // that step n needs is in one of five slots only, the taps. No other of the 8! placements needs fewer.
  function automatic logic [2:0] first_slot(input logic [2:0] word);
    unique case (word)
      3'd0: first_slot = 3'd0;
      3'd1: first_slot = 3'd1;
      3'd2: first_slot = 3'd3;
      3'd3: first_slot = 3'd6;
      3'd4: first_slot = 3'd4;
      3'd5: first_slot = 3'd5;
      3'd6: first_slot = 3'd7;
      3'd7: first_slot = 3'd2;
    endcase
  endfunction
  // The steps whose word is at this tap. The sum has a variable of three bits: inside a comparison Yosys 0.23 takes it
  // as wider and builds a netlist that hashes wrongly.
  function automatic logic [63:0] tap_steps(input logic [2:0] tap);
    logic [2:0] place;
    for (int s = 0; s < 64; s++) begin
      place        = first_slot({Word2[s], Word1[s], Word0[s]}) + 3'(s);
      tap_steps[s] = place == tap;
    end
  endfunction
endpackage
`default_nettype wire
