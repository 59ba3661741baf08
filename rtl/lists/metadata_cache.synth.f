../common/clock_gate.sv
../common/ram_1r1w.sv
../common/lru.sv
../common/fifo.sv
../secded/secded_pkg.sv
../secded/secded.sv
../secded/secded_words.sv
../metadata_cache/metadata_cache.sv
