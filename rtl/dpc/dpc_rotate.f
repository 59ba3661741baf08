dpc/dpc_rotate.sv
