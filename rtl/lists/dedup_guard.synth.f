../dedup_safe/dedup_guard.sv
