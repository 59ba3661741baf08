common/clock_gate.sv
dedup/dedup_context.sv
