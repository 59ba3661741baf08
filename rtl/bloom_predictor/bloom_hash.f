common/h3_hash.sv
bloom_predictor/bloom_hash.sv
