dpc/dpc_below.sv
