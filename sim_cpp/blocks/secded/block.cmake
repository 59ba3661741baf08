ws_block(secded)
