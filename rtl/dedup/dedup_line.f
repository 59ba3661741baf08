dedup/dedup_line.sv
