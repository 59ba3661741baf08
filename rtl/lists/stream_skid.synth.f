../common/stream_skid.sv
