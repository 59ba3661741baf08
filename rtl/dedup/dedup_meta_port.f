common/stream_check.sv
dedup/dedup_pick.sv
dedup/dedup_meta_port.sv
