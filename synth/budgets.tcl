# Template of scripts/synth for OpenSTA: the longest path of each kind with memories, loads and boundaries.
# timing.tcl has read the netlist. Inputs and outputs get clocks of their own, so that kinds can be told apart.
# A memory is a register of its own: its data come later, its inputs are due earlier.
source timing.tcl
create_clock -name arrive -period $period
create_clock -name depart -period $period
@CONSTRAINTS@
foreach {kind from to} {register clk clk in arrive clk out clk depart through arrive depart} {
  puts "kind $kind"
  report_checks -from [get_clocks $from] -to [get_clocks $to] -path_delay max -digits 5 -format full
}
