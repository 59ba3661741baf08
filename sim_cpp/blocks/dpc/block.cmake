ws_block(dpc)
