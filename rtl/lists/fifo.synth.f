../common/fifo.sv
