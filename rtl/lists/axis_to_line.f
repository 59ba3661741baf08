../common/stream_check.sv
../axi_stream/axis_to_line.sv
