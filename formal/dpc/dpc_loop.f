dpc/dpc_route.sv
dpc/dpc_pack.sv
dpc/dpc_unpack.sv
formal/dpc/dpc_loop.sv
