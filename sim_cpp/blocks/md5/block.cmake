ws_block(md5 OpenSSL::Crypto)
