../bpc/bpc_read_code.sv
../bpc/bpc_decoder.sv
