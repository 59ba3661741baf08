// md5_add: sum modulo 2^Width with block carries. Combinational.
//
//   Width / Block blocks. The generate and propagate of a block form beside the carry chain, which then passes
//   one gate per block. Inside a block the carry ripples.
//
// Why it is written out: the adders of a synthesizer are a plain ripple or a full prefix tree.
// This one has about half the depth of a ripple adder for little more area.
`default_nettype none
module md5_add #(
  parameter int unsigned Width = 32,
  parameter int unsigned Block = 8  // bits per block, a divisor of Width; Block = Width: plain ripple
) (
  input  wire logic [Width-1:0] x_i,
  input  wire logic [Width-1:0] y_i,
  output logic [Width-1:0]      sum_o
);
  if (Width % Block != 0) begin : g_bad_block
    $error("md5_add: Block must divide Width");
  end

  logic [Width-1:0] p, g, carry;
  logic             block_carry, block_g, block_p;

  assign p     = x_i ^ y_i;
  assign g     = x_i & y_i;
  assign sum_o = p ^ carry;

  always_comb begin
    block_carry = 1'b0;
    for (int b = 0; b < Width; b += Block) begin
      block_g  = g[b];
      block_p  = p[b];
      carry[b] = block_carry;
      for (int i = 1; i < Block; i++) begin
        carry[b + i] = g[b + i - 1] | (p[b + i - 1] & carry[b + i - 1]);
        block_g      = g[b + i] | (p[b + i] & block_g);
        block_p      = block_p & p[b + i];
      end
      block_carry = block_g | (block_p & block_carry);
    end
  end

`ifdef FORMAL_MD5_ADD
  `include "md5_add_props.svh"
`endif
endmodule
`default_nettype wire
