ws_block(bpc)
