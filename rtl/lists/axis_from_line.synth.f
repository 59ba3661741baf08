../common/stream_skid.sv
../axi_stream/axis_from_line.sv
