common/ram_1r1w.sv
common/h3_hash.sv
bloom_predictor/bloom_hash.sv
bloom_predictor/bloom_bank.sv
bloom_predictor/bloom_array.sv
