../common/stream_check.sv
../common/fifo.sv
