dpc/dpc_route.sv
dpc/dpc_pack.sv
