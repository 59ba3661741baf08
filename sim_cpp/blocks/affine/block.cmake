ws_block(affine)
