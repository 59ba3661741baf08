../bpc/bpc_encoder.sv
