../common/stream_skid.sv
../affine/affine_expand.sv
../affine/affine_encode_core.sv
../affine/affine_encoder.sv
