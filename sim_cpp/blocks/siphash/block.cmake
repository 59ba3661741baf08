ws_block(siphash block_md5)
