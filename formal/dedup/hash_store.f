common/stream_check.sv
common/ram_1rw.sv
common/lru.sv
hash_store/hash_store.sv
