../common/stream_check.sv
../common/ram_1r1w.sv
../common/fifo.sv
../rata/rata.sv
