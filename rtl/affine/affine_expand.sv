// affine_expand: lane i = base + i * stride (modulo 2^Width), for a power-of-two stride. Combinational.
//
//   node(0) = base                                   node(2^Levels) = base + 2^Levels * stride
//        └──────────────▶ node(2^Levels / 2) ◀──────────────┘      one adder in all, then a tree:
//        └─▶ node(1/4) ◀─┘               └─▶ node(3/4) ◀─┘         every node picks a neighbour
//
// A node half way between two known nodes differs from base by a multiple of 2^k * stride, so bit
// k + log2(stride) of base decides it: if clear, the node is its left neighbour with that bit set; if
// set, adding carries, and the node is its right neighbour with that bit cleared. One two-way choice per
// lane and bit replaces the paper's 32 shifters and adders. Holds for every base, aligned or not.
//
// Source: AVC paper 5.2 (decoding unit); decisions A1, A2.
`default_nettype none
module affine_expand #(
  parameter int unsigned Lanes   = 32,  // values per vector
  parameter int unsigned Width   = 32,  // bits per value
  parameter int unsigned Strides = 7    // strides 1, 2, ... 2^(Strides-1)
) (
  input  wire logic [Width-1:0]       base_i,
  input  wire logic [Strides-1:0]     stride_i,  // the stride itself: one bit set, or 0 for uniform
  output logic [Lanes*Width-1:0]      data_o
);
  if (Lanes < 2) begin : g_bad_lanes
    $error("affine_expand: Lanes must be at least 2");
  end
  if (Strides == 0 || Strides > Width) begin : g_bad_strides
    $error("affine_expand: Strides must be 1 to Width");
  end

  localparam int unsigned Levels = $clog2(Lanes);
  localparam int unsigned Nodes  = (1 << Levels) + 1;
  localparam int unsigned Wide   = Width + Levels + 1;

  logic [Nodes*Width-1:0] node;

  always_comb begin
    logic [Width-1:0] step_bit;  // 2^k * stride
    logic             carry;
    node               = '0;
    node[0 +: Width]   = base_i;
    // base + 2^Levels * stride: half adders, the addend's single bit enters the carry chain
    step_bit = Width'(Wide'(stride_i) << Levels);
    carry    = 1'b0;
    for (int unsigned p = 0; p < Width; p++) begin
      carry                      = carry | step_bit[p];
      node[(Nodes-1)*Width + p]  = base_i[p] ^ carry;
      carry                      = carry & base_i[p];
    end
    for (int unsigned level = 0; level < Levels; level++) begin
      step_bit = Width'(Wide'(stride_i) << (Levels - 1 - level));
`ifdef PLANT_NO_CARRY
      carry    = 1'b0;
`else
      carry    = |(base_i & step_bit);
`endif
      for (int unsigned n = 1 << (Levels - 1 - level); n < Nodes; n += 2 << (Levels - 1 - level)) begin
        node[n*Width +: Width] = carry ? node[(n + (1 << (Levels - 1 - level)))*Width +: Width] & ~step_bit
                                       : node[(n - (1 << (Levels - 1 - level)))*Width +: Width] | step_bit;
      end
    end
  end

  assign data_o = node[Lanes*Width-1:0];

  logic unused;  // the last node, and the nodes beyond Lanes when it is no power of two
  assign unused = ^node[Nodes*Width-1:Lanes*Width];

`ifdef FORMAL_AFFINE_EXPAND
  `include "affine_expand_props.svh"
`endif
endmodule
`default_nettype wire
