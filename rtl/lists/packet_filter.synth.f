../common/fifo.sv
../common/ram_1r1w.sv
../packet_filter/pdr_table.sv
../packet_filter/reply_select_core.sv
../packet_filter/packet_filter.sv
