// Stands in for rtl/common/clock_gate.sv where scripts/energy measures gated clocks.
//
// The gated clock becomes an input of the netlist and its enable an output. The wires have names of ram_1r1w.v, because
// synthesize.ys makes ports of these.
`default_nettype none
module clock_gate (
  input  wire logic clk_i,
  input  wire logic enable_i,
  input  wire logic test_i,
  output logic      clk_o
);
  (* keep *) wire ws_ram_rdata;
  (* keep *) wire ws_ram_we = enable_i || test_i;
  assign clk_o = ws_ram_rdata;
  wire unused_clock = clk_i;
endmodule
`default_nettype wire
