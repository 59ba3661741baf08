../common/ram_1r1w.sv
