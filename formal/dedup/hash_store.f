common/stream_check.sv
common/ram_1r1w.sv
common/lru.sv
hash_store/hash_store.sv
