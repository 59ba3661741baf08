ws_block(dedup_safe core)
