common/stream_check.sv
common/clock_gate.sv
md5/md5_pkg.sv
md5/md5_add.sv
md5/md5_add3.sv
md5/md5_step.sv
md5/md5_core.sv
md5/line_hasher.sv
