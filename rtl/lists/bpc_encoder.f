../common/stream_check.sv
../bpc/bpc_encoder.sv
