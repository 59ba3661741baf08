ws_block(axi_stream block_bpc block_dpc block_md5 block_siphash)
