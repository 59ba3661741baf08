../common/stream_check.sv
../bpc/bpc_decoder.sv
