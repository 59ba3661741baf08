common/ram_1r1w.sv
bloom_predictor/bloom_bank.sv
