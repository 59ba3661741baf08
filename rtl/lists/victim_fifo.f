../common/stream_check.sv
../common/ram_1r1w.sv
../victim_fifo/victim_fifo.sv
