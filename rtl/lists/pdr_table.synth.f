../common/fifo.sv
../common/ram_1r1w.sv
../packet_filter/pdr_table.sv
