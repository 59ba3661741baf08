common/stream_check.sv
common/ram_1rw.sv
common/lru.sv
secded/secded_pkg.sv
secded/secded.sv
secded/secded_words.sv
hash_store/hash_store.sv
