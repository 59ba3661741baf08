// siphash_half: half a SipRound: two additions that do not depend on each other. Combinational.
//
//   s0 = a + b                  s1 = c + d
//   b' = rotl(b, 13 or 17) ^ s0    d' = rotl(d, 16 or 21) ^ s1    a' = s1    c' = rotl(s0, 32)
//
// Why a and c are exchanged in the result: both halves of the round are then this one function. The first half runs
// on (v0, v1, v2, v3), the second on (v2, v1, v0, v3). Afterwards each name is back in its place.
// Source: J.-P. Aumasson, D. J. Bernstein, SipHash: a fast short-input PRF, 2012, figure 2.1.
`default_nettype none
module siphash_half (
  input  wire logic         second_i,  // rotate by 17 and 21 instead of 13 and 16
  input  wire logic [255:0] state_i,   // {d, c, b, a}
  output logic [255:0]      state_o
);
  logic [63:0] a, b, c, d, s0, s1, turned_b, turned_d;

  assign {d, c, b, a} = state_i;
  md5_add #(.Width(64), .Block(8)) i_s0 (
    .x_i(a),
    .y_i(b),
    .sum_o(s0)
  );
  md5_add #(.Width(64), .Block(8)) i_s1 (
    .x_i(c),
    .y_i(d),
    .sum_o(s1)
  );
  assign turned_b = second_i ? {b[46:0], b[63:47]} : {b[50:0], b[63:51]};
  assign turned_d = second_i ? {d[42:0], d[63:43]} : {d[47:0], d[63:48]};
  assign state_o  = {turned_d ^ s1, s0[31:0], s0[63:32], turned_b ^ s0, s1};

`ifdef FORMAL_SIPHASH_HALF
  `include "siphash_half_props.svh"
`endif
endmodule
`default_nettype wire
