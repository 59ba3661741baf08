ws_block(packet_filter)
