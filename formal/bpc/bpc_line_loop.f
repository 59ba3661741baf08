bpc/bpc_plane_code.sv
bpc/bpc_read_code.sv
formal/bpc/bpc_line_loop.sv
