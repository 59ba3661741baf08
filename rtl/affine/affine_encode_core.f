affine/affine_expand.sv
affine/affine_decode_core.sv
affine/affine_encode_core.sv
