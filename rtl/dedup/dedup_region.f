common/ram_1r1w.sv
dedup/dedup_region.sv
