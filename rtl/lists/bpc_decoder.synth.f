../bpc/bpc_decoder.sv
