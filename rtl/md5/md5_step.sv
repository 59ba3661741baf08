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
  logic [31:0] f, sum, rot1, rot2, rot, save;
  logic [30:0] carry;  // the carry out of bit 31 falls away

  always_comb begin
    unique case (round_i)
      2'd0: f = d_i ^ (b_i & (c_i ^ d_i));
      2'd1: f = c_i ^ (d_i & (b_i ^ c_i));
      2'd2: f = b_i ^ c_i ^ d_i;
      2'd3: f = c_i ^ (b_i | ~d_i);
    endcase
  end

  md5_add i_sum (.x_i(t_i), .y_i(f), .sum_o(sum));

  assign rot1 = small_i[0] ? {sum[30:0], sum[31]} : sum;
  assign rot2 = small_i[1] ? {rot1[29:0], rot1[31:30]} : rot1;
  always_comb begin
    unique case (position_i)
      2'd0: rot = {rot2[27:0], rot2[31:28]};
      2'd1: rot = {rot2[22:0], rot2[31:23]};
      2'd2: rot = {rot2[17:0], rot2[31:18]};
      2'd3: rot = {rot2[11:0], rot2[31:12]};
    endcase
  end

  // Three operands into two, then one carry chain.
  assign save  = b_i ^ rot ^ extra_i;
  assign carry = (b_i[30:0] & rot[30:0]) | (b_i[30:0] & extra_i[30:0]) | (rot[30:0] & extra_i[30:0]);
  md5_add i_next (.x_i(save), .y_i({carry, 1'b0}), .sum_o(b_o));
endmodule
`default_nettype wire
