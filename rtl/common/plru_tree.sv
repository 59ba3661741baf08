// plru_tree: tree pseudo-LRU over any number of ways from 2, its state in flip-flops.
//
//             n1                n1 points to the half that holds the victim (1 = upper half)
//        n2        n3           touching a way turns every node on its path away from it
//      w0  w1    w2  w3
//
//   victim from state only; a touch shows one cycle later; one touch per cycle
//
// The tree spans the next power of two. A node whose upper half lies outside the ways has no flip-flop and points to
// its lower half. So no victim lies outside the range (decision A16).
// The way touched last is never the victim. Active-low reset points every node down
// (victim 0). Ways-1 flip-flops.
`default_nettype none
module plru_tree #(
  parameter int unsigned Ways = 16,
  parameter int unsigned WayBits = Ways > 2 ? $clog2(Ways) : 1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic               touch_valid_i,  // a way is used in this cycle
  input  wire logic [WayBits-1:0] touch_way_i,  // the way used
  output logic [WayBits-1:0]      victim_o  // way to evict
);
  if (Ways < 2) begin : g_bad_ways
    $error("plru_tree: Ways must be at least 2");
  end
  if (WayBits != (Ways > 2 ? $clog2(Ways) : 1)) begin : g_bad_way_bits
    $error("plru_tree: WayBits follows from Ways and must not be overridden");
  end

  localparam int unsigned Leaves = 1 << WayBits;

  // Nodes in heap order: the children of n are 2n and 2n+1; index 0 is no node.
  logic [Leaves-1:0]  node, reach;
  logic [WayBits-1:0] upper, lower;  // the touched way's bits and their complement; reset sets both,
                                     // which reaches and clears every node

  assign upper = touch_way_i | {WayBits{!rst_ni}};
  assign lower = ~touch_way_i | {WayBits{!rst_ni}};

  always_comb begin
    reach    = '0;
    reach[1] = touch_valid_i || !rst_ni;
    for (int unsigned level = 0; level + 1 < WayBits; level++) begin
      for (int unsigned n = 1 << level; n < 2 << level; n++) begin
`ifdef PLANT_PLRU_ROOT_ONLY
        reach[2*n]   = !rst_ni;  // planted bug: lower halves keep their history
`else
        reach[2*n]   = reach[n] && lower[WayBits-1-level];
`endif
        reach[2*n+1] = reach[n] && upper[WayBits-1-level];
      end
    end
  end

  assign node[0] = 1'b0;
  for (genvar n = 1; n < Leaves; n++) begin : g_node
    localparam int unsigned Bit      = WayBits - $clog2(n + 1);  // way bit this node decides
    localparam int unsigned UpperWay = ((2 * n + 1) << Bit) - Leaves;
`ifdef PLANT_PLRU_ALL_LEAVES
    if (1) begin : g_choice  // planted bug: victims outside the range
`else
    if (UpperWay < Ways) begin : g_choice
`endif
      logic upper_q;  // the half touched last: smaller in gates than storing where to point
      always_ff @(posedge clk_i) if (reach[n]) upper_q <= upper[Bit];
      assign node[n] = !upper_q;
    end else begin : g_no_upper
      assign node[n] = 1'b0;
    end
  end

  always_comb begin
    victim_o = WayBits'(1);  // node number on the way down; its leading one drops out at the leaf
    for (int unsigned level = 0; level < WayBits; level++) begin
      victim_o = (victim_o << 1) | WayBits'(node[victim_o]);
    end
  end

`ifndef SYNTHESIS
  logic               touched_q;
  logic [WayBits-1:0] last_q;
  always_ff @(posedge clk_i) begin
    touched_q <= rst_ni && touch_valid_i;
    last_q    <= touch_way_i;
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_victim_in_range: assert ({1'b0, victim_o} < (WayBits + 1)'(Ways));
    a_spares_touched:  assert (!touched_q || victim_o != last_q);
    a_touch_in_range:  assert (!touch_valid_i || {1'b0, touch_way_i} < (WayBits + 1)'(Ways));
  end
`endif
`ifdef FORMAL_PLRU_TREE
  `include "plru_tree_props.svh"
`endif
endmodule
`default_nettype wire
