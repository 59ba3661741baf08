dpc/dpc_route.sv
dpc/dpc_unpack.sv
