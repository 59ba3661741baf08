../common/stream_skid.sv
../common/ram_1r1w.sv
../common/plru_tree.sv
../affine/affine_expand.sv
../affine/affine_decode_core.sv
../affine/affine_encode_core.sv
../affine_cache/affine_cache.sv
