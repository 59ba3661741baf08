// affine_expand: lane i = base + i * stride (modulo 2^Width), for a power-of-two stride. Combinational.
//
//   node(0) = base                                   node(2^Levels) = base + 2^Levels * stride
//        └──────────────▶ node(2^Levels / 2) ◀──────────────┘      one adder in all, then a tree:
//        └─▶ node(1/4) ◀─┘               └─▶ node(3/4) ◀─┘         every node picks a neighbour
//
// Why a tree works: a node half way between two known nodes differs from base by a multiple of 2^k * stride. So bit
// k + log2(stride) of base decides it. If the bit is clear, the node is its left neighbour with that bit set.
// If it is set, the addition carries, and the node is its right neighbour with that bit cleared.
// One two-way choice per lane and bit replaces the paper's 32 shifters and adders, for every base.
//
// Bits above those that lane * stride can reach (Reach) are base's or base's plus 1. The tree carries one bit more,
// the carry into them. That bit chooses for all of them at once.
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
  localparam int unsigned Reach  = Levels + Strides - 1;  // bits in which lane * stride can be set
  localparam int unsigned Low    = Reach + 1 < Width ? Reach + 1 : Width;  // the tree's bits, and a carry out
  localparam int unsigned Wide   = Low + Levels + Strides;

  logic [Low-1:0]       low;
  logic [Nodes*Low-1:0] node;

  if (Reach + 1 < Width) begin : g_low
    assign low = {1'b0, base_i[Reach-1:0]};
  end else begin : g_all
    assign low = base_i;
  end

  always_comb begin
    logic [Low-1:0] step_bit;  // 2^k * stride
    logic           carry;
    node            = '0;
    node[0 +: Low]  = low;
    // base + 2^Levels * stride: half adders, the addend's single bit enters the carry chain
    step_bit = Low'(Wide'(stride_i) << Levels);
    carry    = 1'b0;
    for (int unsigned p = 0; p < Low; p++) begin
      carry                    = carry | step_bit[p];
      node[(Nodes-1)*Low + p]  = low[p] ^ carry;
      carry                    = carry & low[p];
    end
    for (int unsigned level = 0; level < Levels; level++) begin
      step_bit = Low'(Wide'(stride_i) << (Levels - 1 - level));
`ifdef PLANT_NO_CARRY
      carry    = 1'b0;
`else
      carry    = |(low & step_bit);
`endif
      for (int unsigned n = 1 << (Levels - 1 - level); n < Nodes; n += 2 << (Levels - 1 - level)) begin
        for (int unsigned p = 0; p < Low; p++) begin
          // Bits below the place of a step of 1 are base's in every such node.
          if (p < Levels - 1 - level) node[n*Low + p] = low[p];
          else node[n*Low + p] = carry ? node[(n + (1 << (Levels - 1 - level)))*Low + p] && !step_bit[p]
                                       : node[(n - (1 << (Levels - 1 - level)))*Low + p] || step_bit[p];
        end
      end
    end
  end

  if (Reach + 1 < Width) begin : g_upper
    localparam int unsigned Upper = Width - Reach;
    logic [Upper-1:0] same, next;  // upper bits of lanes without and with a carry into them
    logic             up;
    assign same = base_i[Width-1:Reach];
    always_comb begin
      up = 1'b1;
      for (int unsigned p = 0; p < Upper; p++) begin
        next[p] = same[p] ^ up;
        up      = up & same[p];
      end
    end
    for (genvar i = 0; i < Lanes; i++) begin : g_lane
      assign data_o[i*Width +: Width] = {node[i*Low + Reach] ? next : same, node[i*Low +: Reach]};
    end
  end else begin : g_no_upper
    assign data_o = node[Lanes*Width-1:0];
  end

  logic unused;  // the last node, and the nodes beyond Lanes when it is no power of two
  assign unused = ^node[Nodes*Low-1:Lanes*Low];

`ifdef FORMAL_AFFINE_EXPAND
  `include "affine_expand_props.svh"
`endif
endmodule
`default_nettype wire
