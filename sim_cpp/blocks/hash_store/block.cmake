ws_block(hash_store)
