# Template of scripts/synth for OpenSTA: the worst path of any kind (register, input and output paths).
# All paths are measured against one slow clock; path delay = period - slack, setup time included.
read_liberty @LIBERTY@
read_verilog timed.v
link_design @TOP@
set period @PERIOD@
if { @HAS_CLOCK@ } {
  create_clock -name clk -period $period [get_ports clk_i]
} else {
  create_clock -name clk -period $period
}
foreach port [all_inputs] {
  set name [get_property $port full_name]
  if { $name == "clk_i" } { continue }
  set_input_delay 0 -clock clk $port
  set_driving_cell -lib_cell @DRIVER@ $port
  if { $name == "rst_ni" } { set_false_path -from $port }
}
set_output_delay 0 -clock clk [all_outputs]
set_load @LOAD@ [all_outputs]
report_checks -path_delay max -digits 5 -format full
