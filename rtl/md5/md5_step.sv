// md5_step: one step of RFC 1321, combinational.
//
//   b' = b + rotl(t + F(b, c, d), s) + extra         t = a + K + M, added beforehand
//
// The caller turns the registers (a, b, c, d) <- (d, b', b, c). `extra` lets the last step of a block add
// the old chaining value in passing; tied to zero it costs nothing.
`default_nettype none
module md5_step (
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
  logic [31:0] f, sum, rot1, rot;

  always_comb begin
    unique case (round_i)
      2'd0: f = d_i ^ (b_i & (c_i ^ d_i));
      2'd1: f = c_i ^ (d_i & (b_i ^ c_i));
      2'd2: f = b_i ^ c_i ^ d_i;
      2'd3: f = c_i ^ (b_i | ~d_i);
    endcase
  end

  md5_add i_sum (.x_i(t_i), .y_i(f), .sum_o(sum));

  // 0 to 3, then 4, 9, 14 or 20: two and-or selections.
  assign rot1 = ({32{small_i == 2'd0}} & sum) |
                ({32{small_i == 2'd1}} & {sum[30:0], sum[31]}) |
                ({32{small_i == 2'd2}} & {sum[29:0], sum[31:30]}) |
                ({32{small_i == 2'd3}} & {sum[28:0], sum[31:29]});
  assign rot  = ({32{position_i == 2'd0}} & {rot1[27:0], rot1[31:28]}) |
                ({32{position_i == 2'd1}} & {rot1[22:0], rot1[31:23]}) |
                ({32{position_i == 2'd2}} & {rot1[17:0], rot1[31:18]}) |
                ({32{position_i == 2'd3}} & {rot1[11:0], rot1[31:12]});

  md5_add3 i_next (.x_i(b_i), .y_i(rot), .z_i(extra_i), .sum_o(b_o));

`ifdef FORMAL_MD5_STEP
  `include "md5_step_props.svh"
`endif
endmodule
`default_nettype wire
