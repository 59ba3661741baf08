common/stream_check.sv
bpc/bpc_planes.sv
bpc/bpc_base_code.sv
bpc/bpc_plane_code.sv
bpc/bpc_encoder.sv
