dpc/dpc_route.sv
