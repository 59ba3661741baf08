// md5_add3: sum of three 32-bit words modulo 2^32: carries saved once, then one carry chain. Combinational.
`default_nettype none
module md5_add3 #(
  parameter int unsigned Block = 8  // see md5_add
) (
  input  wire logic [31:0] x_i,
  input  wire logic [31:0] y_i,
  input  wire logic [31:0] z_i,
  output logic [31:0]      sum_o
);
  if (Block == 0 || 32 % Block != 0) begin : g_bad_block
    $error("md5_add3: Block must divide 32");
  end

  /*verilator no_inline_module*/  // one function for all instances: md5_pipeline has up to 64
  logic [31:0] half, save;
  logic [30:0] carry;  // the carry out of bit 31 falls away

  assign half  = x_i ^ y_i;
  assign save  = half ^ z_i;
  assign carry = (x_i[30:0] & y_i[30:0]) | (z_i[30:0] & half[30:0]);
  md5_add #(.Block(Block)) i_add (
    .x_i(save),
    .y_i({carry, 1'b0}),
    .sum_o
  );

`ifdef FORMAL_MD5_ADD3
  `include "md5_add3_props.svh"
`endif
endmodule
`default_nettype wire
