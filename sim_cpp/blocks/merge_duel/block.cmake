ws_block(merge_duel)
