../common/stream_skid.sv
../bpc/bpc_planes.sv
../bpc/bpc_base_code.sv
../bpc/bpc_plane_code.sv
../bpc/bpc_encoder.sv
../axi_stream/axis_from_line.sv
../axi_stream/axis_to_line.sv
../axi_stream/axis_bpc_encoder.sv
