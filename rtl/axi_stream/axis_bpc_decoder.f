common/stream_check.sv
common/stream_skid.sv
bpc/bpc_read_code.sv
bpc/bpc_decoder.sv
axi_stream/axis_from_line.sv
axi_stream/axis_to_line.sv
axi_stream/axis_bpc_decoder.sv
