ws_block(victim_fifo)
