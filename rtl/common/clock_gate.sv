// clock_gate: the clock of registers that are idle in most cycles, without the edges that they do not need.
//
//   enable_i, test_i ──▶ [latch, open while the clock is low] ──▶ AND ──▶ clk_o
//   clk_i ───────────────────────────────────────────────────────▶
//
//   macro WARPSIEVE_CLOCK_GATE   clk_o
//   not defined                  clk_i: transparent, the registers are clocked in every cycle
//   defined                      clk_i in the cycles whose edge meets enable_i or test_i high, else low
//
// enable_i belongs to the next rising edge, as the data of a register do. It may change at any time while the clock is
// high, and must be stable before the clock rises. clk_o has whole pulses of clk_i or none.
// test_i is the scan enable: high, every edge passes. Blocks tie it to 0, and the insertion of scan connects it.
//
// Whoever drives enable_i owes that the two forms give the same outputs: formal/common/gate_equal.py proves it.
// A project replaces this file by one around its library's integrated clock gate, with the same ports. Synthesis must
// not take the latch and the AND apart, so the model below is for simulation and for libraries without such a cell.
`default_nettype none
module clock_gate (
  input  wire logic clk_i,
  input  wire logic enable_i,  // the next rising edge passes
  input  wire logic test_i,    // scan enable: every edge passes
  output logic      clk_o      // clk_i, low in the cycles that do not pass
);
`ifdef WARPSIEVE_CLOCK_GATE
  logic open_q;
`ifdef PLANT_GATE_NO_LATCH  // planted bug: enable_i reaches the AND while the clock is high
  assign open_q = enable_i || test_i;
`else
  always_latch if (!clk_i) open_q = enable_i || test_i;
`endif
  assign clk_o = clk_i && open_q;
`else
  assign clk_o = clk_i;
  wire unused_enable = enable_i || test_i;
`endif
`ifdef FORMAL_CLOCK_GATE
  `include "clock_gate_props.svh"
`endif
endmodule
`default_nettype wire
