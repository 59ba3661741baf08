../common/stream_check.sv
../common/stream_skid.sv
../common/h3_hash.sv
../bloom_predictor/bloom_hash.sv
../bloom_predictor/counting_bloom.sv
