// RFC 1321 3.4, written as the text has it. The proof programs include it; no RTL does.
  function automatic logic [31:0] f_rfc_function(input logic [1:0] round, input logic [31:0] x,
                                                 input logic [31:0] y, input logic [31:0] z);
    case (round)
      2'd0:    f_rfc_function = (x & y) | (~x & z);
      2'd1:    f_rfc_function = (x & z) | (y & ~z);
      2'd2:    f_rfc_function = x ^ y ^ z;
      default: f_rfc_function = y ^ (x | ~z);
    endcase
  endfunction
  function automatic logic [31:0] f_rotl(input logic [31:0] x, input logic [4:0] n);
    f_rotl = (x << n) | (x >> (6'd32 - {1'b0, n}));
  endfunction
  function automatic logic [4:0] f_rfc_shift(input logic [1:0] round, input logic [1:0] position);
    case ({round, position})
      4'h0: f_rfc_shift = 5'd7;
      4'h1: f_rfc_shift = 5'd12;
      4'h2: f_rfc_shift = 5'd17;
      4'h3: f_rfc_shift = 5'd22;
      4'h4: f_rfc_shift = 5'd5;
      4'h5: f_rfc_shift = 5'd9;
      4'h6: f_rfc_shift = 5'd14;
      4'h7: f_rfc_shift = 5'd20;
      4'h8: f_rfc_shift = 5'd4;
      4'h9: f_rfc_shift = 5'd11;
      4'ha: f_rfc_shift = 5'd16;
      4'hb: f_rfc_shift = 5'd23;
      4'hc: f_rfc_shift = 5'd6;
      4'hd: f_rfc_shift = 5'd10;
      4'he: f_rfc_shift = 5'd15;
      default: f_rfc_shift = 5'd21;
    endcase
  endfunction
  // Which message word: i, 5i + 1, 3i + 5, 7i modulo 16.
  function automatic logic [3:0] f_rfc_word(input logic [5:0] step);
    case (step[5:4])
      2'd0:    f_rfc_word = step[3:0];
      2'd1:    f_rfc_word = 4'(4'd5 * step[3:0] + 4'd1);
      2'd2:    f_rfc_word = 4'(4'd3 * step[3:0] + 4'd5);
      default: f_rfc_word = 4'(4'd7 * step[3:0]);
    endcase
  endfunction
  // Our split of the amount: this part by position, 0 to 3 besides.
  function automatic logic [4:0] f_large(input logic [1:0] position);
    case (position)
      2'd0:    f_large = 5'd4;
      2'd1:    f_large = 5'd9;
      2'd2:    f_large = 5'd14;
      default: f_large = 5'd20;
    endcase
  endfunction
