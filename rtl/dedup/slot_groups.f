common/clock_gate.sv
common/ram_1r1w.sv
dedup/slot_groups.sv
