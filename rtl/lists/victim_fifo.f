../common/stream_check.sv
../common/ram_1rw.sv
../victim_fifo/victim_fifo.sv
