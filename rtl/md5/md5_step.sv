// md5_step: one step of RFC 1321, combinational.
//
//   b' = b + rotl(t + F(b, c, d), s) + extra         t = a + K + M, added beforehand
//
// The caller turns the registers (a, b, c, d) <- (d, b', b, c). `extra` lets the last step of a block add
// the old chaining value in passing; it costs a row of adders, so it is a parameter.
`default_nettype none
module md5_step #(
  parameter int unsigned Extra = 0  // 1: extra_i is added
) (
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i,
  input  wire logic [31:0] d_i,
  input  wire logic [31:0] t_i,
  input  wire logic [1:0]  round_i,     // F, G, H, I
  input  wire logic [1:0]  position_i,  // step modulo 4: rotate by 4, 9, 14 or 20 ...
  input  wire logic [1:0]  small_i,     // ... plus 0 to 3 (md5_pkg::rotate_small)
  input  wire logic [31:0] extra_i,
  output logic [31:0]      b_o
);
  if (Extra > 1) begin : g_bad_extra
    $error("md5_step: Extra must be 0 or 1");
  end

  /*verilator no_inline_module*/  // one function for all instances: md5_pipeline has up to 64
  // All four functions are c ^ (x & y | z): the XORs, which are dear, are shared by the rounds.
  //   round   F            G        H        I
  //   x       b ^ c ^ d    b ^ c    b ^ d    b
  //   y       ~b           d        1        1
  //   z       0            0        0        ~d
  logic [31:0] x, y, f, sum, rot1, rot2, rot3, rot4, rot;
  logic        f_round, g_round, i_round;
  assign f_round = round_i == 2'd0;
  assign g_round = round_i == 2'd1;
  assign i_round = round_i == 2'd3;
  assign x = (b_i ^ (d_i & {32{!round_i[0]}})) ^ (c_i & {32{!round_i[1]}});
  assign y = ~((b_i & {32{f_round}}) | (~d_i & {32{g_round}}));
  assign f = c_i ^ ~(~(x & y) & (d_i | {32{!i_round}}));

  md5_add i_sum (
    .x_i(t_i),
    .y_i(f),
    .sum_o(sum)
  );

  // 4 + small + 5 position[0] + 10 position[1] + 1 for position 3: each amount of the RFC's table.
  assign rot1 = small_i[0]    ? {sum[30:0], sum[31]}      : sum;
  assign rot2 = small_i[1]    ? {rot1[29:0], rot1[31:30]} : rot1;
  assign rot3 = &position_i   ? {rot2[30:0], rot2[31]}    : rot2;
  assign rot4 = position_i[0] ? {rot3[26:0], rot3[31:27]} : rot3;
  assign rot  = position_i[1] ? {rot4[17:0], rot4[31:18]} : {rot4[27:0], rot4[31:28]};

  if (Extra != 0) begin : g_next
    md5_add3 i_next (
      .x_i(b_i),
      .y_i(rot),
      .z_i(extra_i),
      .sum_o(b_o)
    );
  end else begin : g_next
    wire unused_extra = ^extra_i;
    md5_add i_next (
      .x_i(b_i),
      .y_i(rot),
      .sum_o(b_o)
    );
  end

`ifdef FORMAL_MD5_STEP
  `include "md5_step_props.svh"
`endif
endmodule
`default_nettype wire
