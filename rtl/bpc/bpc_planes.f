bpc/bpc_planes.sv
