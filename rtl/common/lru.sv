// lru: true least-recently-used order for state kept elsewhere; combinational.
//
//   order_i ──┬──▶ move way_i to the front ──▶ order_o
//             └──▶ last eligible position  ──▶ victim_o, victim_valid_o
//
// The state is a list of way numbers: field p, bits [p*WayBits +: WayBits], is the way at position p;
// position 0 is the most recently used way, position Ways-1 the least. The reset order is the
// identity (field p = p). The caller keeps order_i a permutation of 0..Ways-1 by storing only the
// reset order and values of order_o, and keeps way_i below Ways; then order_o is a permutation.
// victim_o is 0 when no way is eligible. Any Ways from 1. WayBits follows from Ways.
`default_nettype none
module lru #(
  parameter int unsigned Ways = 4,
  parameter int unsigned WayBits = Ways > 1 ? $clog2(Ways) : 1
) (
  input  wire logic [Ways*WayBits-1:0] order_i,  // ways in order of use; position 0 is the most recent
  input  wire logic [WayBits-1:0]      way_i,       // way touched
  input  wire logic [Ways-1:0]         eligible_i,  // ways that may be evicted
  output logic [Ways*WayBits-1:0]      order_o,  // order after way_i is used
  output logic [WayBits-1:0]           victim_o,  // least recently used eligible way; 0 without one
  output logic                         victim_valid_o  // some way is eligible
);
  if (Ways == 0) begin : g_bad_ways
    $error("lru: Ways must be at least 1");
  end
  if (WayBits != (Ways > 1 ? $clog2(Ways) : 1)) begin : g_bad_way_bits
    $error("lru: WayBits follows from Ways and must not be overridden");
  end

  // Positions in front of the touched way move back by one; those behind it stay.
  always_comb begin
    logic passed;  // the touched way stands in front of position p
    passed  = 1'b0;
    order_o = order_i;
    order_o[0 +: WayBits] = way_i;
    for (int unsigned p = 1; p < Ways; p++) begin
`ifndef PLANT_LRU_SHIFT_ALL  // planted bug: every position moves back
      passed = passed || order_i[(p-1)*WayBits +: WayBits] == way_i;
`endif
      if (!passed) order_o[p*WayBits +: WayBits] = order_i[(p-1)*WayBits +: WayBits];
    end
  end

  always_comb begin
    victim_o = '0;
    for (int unsigned p = 0; p < Ways; p++) begin
`ifdef PLANT_LRU_FIRST_ELIGIBLE  // planted bug: of two neighbours the younger one
      if (p != Ways - 1 || !eligible_i[order_i[(p-1)*WayBits +: WayBits]])
`endif
      if (eligible_i[order_i[p*WayBits +: WayBits]]) victim_o = order_i[p*WayBits +: WayBits];
    end
  end
  assign victim_valid_o = |eligible_i;

`ifdef FORMAL_LRU
  `include "lru_props.svh"
`endif
endmodule
`default_nettype wire
