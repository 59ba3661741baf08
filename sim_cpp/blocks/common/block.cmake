ws_block(common)
