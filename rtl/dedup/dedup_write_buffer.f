common/stream_check.sv
common/ram_1r1w.sv
dedup/dedup_write_buffer.sv
