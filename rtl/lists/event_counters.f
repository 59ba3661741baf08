../common/clock_gate.sv
../dedup_safe/event_counters.sv
