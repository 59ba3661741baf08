common/stream_check.sv
common/clock_gate.sv
common/ram_1r1w.sv
dup_detect/dup_detect_core.sv
dedup/dedup_front.sv
