../axi_stream/axis_to_line.sv
