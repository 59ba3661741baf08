../common/clock_gate.sv
../common/ram_1r1w.sv
../common/lru.sv
../common/fifo.sv
../metadata_cache/metadata_cache.sv
