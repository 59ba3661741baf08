../common/stream_check.sv
../common/fifo.sv
../common/ram_1r1w.sv
../common/h3_hash.sv
../bloom_predictor/bloom_hash.sv
../bloom_predictor/bloom_bank.sv
../bloom_predictor/bloom_array.sv
../bloom_predictor/bloom_predictor.sv
