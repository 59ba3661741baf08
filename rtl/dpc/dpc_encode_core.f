dpc/dpc_route.sv
dpc/dpc_encode_core.sv
