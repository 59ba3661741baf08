ws_block(request_control)
