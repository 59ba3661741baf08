dedup/dedup_context.sv
