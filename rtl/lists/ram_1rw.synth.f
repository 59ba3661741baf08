../common/ram_1rw.sv
