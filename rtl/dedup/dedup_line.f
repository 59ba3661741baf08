common/clock_gate.sv
dedup/dedup_line.sv
