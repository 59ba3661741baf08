ws_block(rata)
