common/stream_check.sv
common/clock_gate.sv
common/ram_1r1w.sv
md5/md5_add.sv
siphash/siphash_half.sv
siphash/siphash_core.sv
siphash/siphash_unit.sv
siphash/siphash_line_hashers.sv
