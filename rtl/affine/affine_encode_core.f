affine/affine_expand.sv
affine/affine_encode_core.sv
