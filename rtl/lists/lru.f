../common/lru.sv
