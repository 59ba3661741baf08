ws_block(metadata_cache)
