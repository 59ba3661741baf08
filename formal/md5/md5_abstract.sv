// The adders and the step as what their own proofs (add_*, add3, step) show them to be. The proof of md5_core
// puts these in their place.
`default_nettype none
module md5_add #(
  parameter int unsigned Width = 32,
  parameter int unsigned Block = 8
) (
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  output logic [Width-1:0]      sum_o
);
  assign sum_o = x_i + y_i;
endmodule

module md5_add3 #(
  parameter int unsigned Block = 8
) (
  input  wire logic [31:0] x_i,
  input  wire logic [31:0] y_i,
  input  wire logic [31:0] z_i,
  output logic [31:0]      sum_o
);
  assign sum_o = x_i + y_i + z_i;
endmodule

module md5_step #(
  parameter int unsigned Extra = 0
) (
  input  wire logic [31:0] b_i,
  input  wire logic [31:0] c_i,
  input  wire logic [31:0] d_i,
  input  wire logic [31:0] t_i,
  input  wire logic [1:0]  round_i,
  input  wire logic [1:0]  position_i,
  input  wire logic [1:0]  small_i,
  input  wire logic [31:0] extra_i,
  output logic [31:0]      b_o
);
  `include "md5_rfc.svh"
  assign b_o = b_i + f_rotl(t_i + f_rfc_function(round_i, b_i, c_i, d_i), f_large(position_i) + {3'd0, small_i}) +
               (Extra != 0 ? extra_i : 32'd0);
endmodule
`default_nettype wire
