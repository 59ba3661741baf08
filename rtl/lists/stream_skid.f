../common/stream_check.sv
../common/stream_skid.sv
