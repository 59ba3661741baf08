common/stream_check.sv
common/clock_gate.sv
md5/md5_add.sv
siphash/siphash_half.sv
siphash/siphash_core.sv
siphash/siphash_unit.sv
