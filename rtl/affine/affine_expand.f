affine/affine_expand.sv
