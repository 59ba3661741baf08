ws_block(dup_detect)
