common/stream_check.sv
common/clock_gate.sv
dedup/dedup_pick.sv
dedup/dedup_context.sv
dedup/dedup_read.sv
