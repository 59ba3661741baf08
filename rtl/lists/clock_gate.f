../common/clock_gate.sv
