dpc/dpc_route.sv
dpc/dpc_decode_core.sv
