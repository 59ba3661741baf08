ws_block(hash_store block_secded)
