common/lru.sv
