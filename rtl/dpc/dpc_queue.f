common/stream_check.sv
common/ram_1r1w.sv
dpc/dpc_queue.sv
