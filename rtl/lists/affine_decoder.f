../common/stream_check.sv
../common/stream_skid.sv
../affine/affine_expand.sv
../affine/affine_decode_core.sv
../affine/affine_decoder.sv
