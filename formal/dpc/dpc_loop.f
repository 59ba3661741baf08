dpc/dpc_select.sv
dpc/dpc_route.sv
dpc/dpc_encode_core.sv
dpc/dpc_decode_core.sv
formal/dpc/dpc_loop.sv
