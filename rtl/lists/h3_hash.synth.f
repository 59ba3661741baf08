../common/h3_hash.sv
