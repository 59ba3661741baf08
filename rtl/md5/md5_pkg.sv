// md5_pkg: the tables of RFC 1321 as functions (Yosys 0.23 takes no array parameters).
//
// A step's rotation is 4, 9, 14 or 20 by its position in the round's group of four, plus 0 to 3: two
// levels of multiplexers for the small part and one of four for the large part replace a barrel shifter.
`default_nettype none
package md5_pkg;
  // Initial chaining value, RFC 1321 3.3.
  localparam logic [31:0] InitA = 32'h67452301;
  localparam logic [31:0] InitB = 32'hefcdab89;
  localparam logic [31:0] InitC = 32'h98badcfe;
  localparam logic [31:0] InitD = 32'h10325476;

  // Additive constants floor(2^32 |sin(step + 1)|), step 63 first. One long constant, not a case: Yosys would
  // make the case a memory and move a register into it.
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
    step_constant = Constants[{step, 5'b0} +: 32];
  endfunction

  // Which of the 16 message words the step adds: i, 5i+1, 3i+5, 7i in the four rounds.
  function automatic logic [3:0] word_index(input logic [5:0] step);
    unique case (step[5:4])
      2'd0: word_index = step[3:0];
      2'd1: word_index = {step[1:0], 2'b00} + step[3:0] + 4'd1;
      2'd2: word_index = {step[2:0], 1'b0} + step[3:0] + 4'd5;
      2'd3: word_index = {step[0], 3'b000} - step[3:0];
    endcase
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

  // A chaining word's next value: x when take_x, q when hold, init when neither; never both. Bit by bit in
  // the form that makes the constant free: and-or for a 0, or-and for a 1.
  function automatic logic [31:0] chain_next(input logic take_x, input logic [31:0] x, input logic hold,
                                             input logic [31:0] q, input logic [31:0] init);
    chain_next = (~init & ((x & {32{take_x}}) | (q & {32{hold}}))) |
                 (init & (x | {32{!take_x}}) & (q | {32{!hold}}));
  endfunction
endpackage
`default_nettype wire
