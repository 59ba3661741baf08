// h3_hash: H3 universal hash, one XOR tree per output bit; combinational.
//
//   hash_o = Q x key_i over GF(2)     bit j is the parity of key_i AND row j of Q
//
// Q is a fixed random HashBits x KeyBits matrix made at elaboration from Seed. Different seeds give independent hashes.
//
// Why Q = L x U: U is random, 1 at (k, k), 0 left of it; L is random, 1 at (j, j), 0 right of it. So the first HashBits
// columns are an invertible matrix, and Q has full rank: every hash value is equally frequent over all keys.
// Keys that differ only in their low HashBits bits, such as the sectors of an aligned region, never collide.
//
// Random words come from mix(), the 32-bit finalizer of MurmurHash3, over a running index; the C++ twin is
// sim_cpp/blocks/common/h3_hash.h.
// Source: Carter and Wegman, "Universal classes of hash functions" (1979), class H3; decision J4.
`default_nettype none
module h3_hash #(
  parameter int unsigned KeyBits = 32,   // 1..64
  parameter int unsigned HashBits = 6,   // 1..32, at most KeyBits
  parameter int unsigned Seed = 1  // selects the matrix
) (
  input  wire logic [KeyBits-1:0]  key_i,
  output logic [HashBits-1:0]      hash_o
);
  if (HashBits == 0 || HashBits > 32 || HashBits > KeyBits || KeyBits > 64) begin : g_bad_bits
    $error("h3_hash: 1 <= HashBits <= 32, HashBits <= KeyBits <= 64");
  end

  function automatic logic [31:0] mix(input logic [31:0] index);
    logic [31:0] x;
    x = index;
    x = (x ^ (x >> 16)) * 32'h85ebca6b;
    x = (x ^ (x >> 13)) * 32'hc2b2ae35;
    mix = x ^ (x >> 16);
  endfunction

  // Row j of Q: the XOR of row k of U for every k where row j of L is 1.
  function automatic logic [63:0] matrix_row(input logic [31:0] seed, input logic [31:0] j);
    logic [31:0] lower, base;
    logic [63:0] upper;
    base  = seed * 32'h9e3779b1;
    lower = mix(base + 32'd128 + j);
    matrix_row = '0;
    for (int unsigned k = 0; k < 32; k++) begin
      if (k == j || (k < j && lower[k])) begin
        upper    = {mix(base + 2 * k + 1), mix(base + 2 * k)};
        upper    = (upper >> k) << k;
`ifndef PLANT_H3_RANK  // planted bug: a plain random matrix, which need not have full rank
        upper[k] = 1'b1;
`endif
        matrix_row = matrix_row ^ upper;
      end
    end
  endfunction

  for (genvar j = 0; j < HashBits; j++) begin : g_bit
    localparam logic [63:0] Row = matrix_row(Seed, j);
`ifdef PLANT_H3_AFFINE
    assign hash_o[j] = ^(key_i & Row[KeyBits-1:0]) ^ 1'(j == 0);  // planted bug: not linear
`else
    assign hash_o[j] = ^(key_i & Row[KeyBits-1:0]);
`endif
  end
`ifdef FORMAL_H3_HASH
  `include "h3_hash_props.svh"
`endif
endmodule
`default_nettype wire
