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

  // Additive constant of step 0 to 63: floor(2^32 |sin(step + 1)|).
  function automatic logic [31:0] step_constant(input logic [5:0] step);
    unique case (step)
      6'd0 : step_constant = 32'hd76aa478;
      6'd1 : step_constant = 32'he8c7b756;
      6'd2 : step_constant = 32'h242070db;
      6'd3 : step_constant = 32'hc1bdceee;
      6'd4 : step_constant = 32'hf57c0faf;
      6'd5 : step_constant = 32'h4787c62a;
      6'd6 : step_constant = 32'ha8304613;
      6'd7 : step_constant = 32'hfd469501;
      6'd8 : step_constant = 32'h698098d8;
      6'd9 : step_constant = 32'h8b44f7af;
      6'd10: step_constant = 32'hffff5bb1;
      6'd11: step_constant = 32'h895cd7be;
      6'd12: step_constant = 32'h6b901122;
      6'd13: step_constant = 32'hfd987193;
      6'd14: step_constant = 32'ha679438e;
      6'd15: step_constant = 32'h49b40821;
      6'd16: step_constant = 32'hf61e2562;
      6'd17: step_constant = 32'hc040b340;
      6'd18: step_constant = 32'h265e5a51;
      6'd19: step_constant = 32'he9b6c7aa;
      6'd20: step_constant = 32'hd62f105d;
      6'd21: step_constant = 32'h02441453;
      6'd22: step_constant = 32'hd8a1e681;
      6'd23: step_constant = 32'he7d3fbc8;
      6'd24: step_constant = 32'h21e1cde6;
      6'd25: step_constant = 32'hc33707d6;
      6'd26: step_constant = 32'hf4d50d87;
      6'd27: step_constant = 32'h455a14ed;
      6'd28: step_constant = 32'ha9e3e905;
      6'd29: step_constant = 32'hfcefa3f8;
      6'd30: step_constant = 32'h676f02d9;
      6'd31: step_constant = 32'h8d2a4c8a;
      6'd32: step_constant = 32'hfffa3942;
      6'd33: step_constant = 32'h8771f681;
      6'd34: step_constant = 32'h6d9d6122;
      6'd35: step_constant = 32'hfde5380c;
      6'd36: step_constant = 32'ha4beea44;
      6'd37: step_constant = 32'h4bdecfa9;
      6'd38: step_constant = 32'hf6bb4b60;
      6'd39: step_constant = 32'hbebfbc70;
      6'd40: step_constant = 32'h289b7ec6;
      6'd41: step_constant = 32'heaa127fa;
      6'd42: step_constant = 32'hd4ef3085;
      6'd43: step_constant = 32'h04881d05;
      6'd44: step_constant = 32'hd9d4d039;
      6'd45: step_constant = 32'he6db99e5;
      6'd46: step_constant = 32'h1fa27cf8;
      6'd47: step_constant = 32'hc4ac5665;
      6'd48: step_constant = 32'hf4292244;
      6'd49: step_constant = 32'h432aff97;
      6'd50: step_constant = 32'hab9423a7;
      6'd51: step_constant = 32'hfc93a039;
      6'd52: step_constant = 32'h655b59c3;
      6'd53: step_constant = 32'h8f0ccc92;
      6'd54: step_constant = 32'hffeff47d;
      6'd55: step_constant = 32'h85845dd1;
      6'd56: step_constant = 32'h6fa87e4f;
      6'd57: step_constant = 32'hfe2ce6e0;
      6'd58: step_constant = 32'ha3014314;
      6'd59: step_constant = 32'h4e0811a1;
      6'd60: step_constant = 32'hf7537e82;
      6'd61: step_constant = 32'hbd3af235;
      6'd62: step_constant = 32'h2ad7d2bb;
      6'd63: step_constant = 32'heb86d391;
    endcase
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
endpackage
`default_nettype wire
