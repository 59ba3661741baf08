common/stream_check.sv
md5/md5_pkg.sv
formal/md5/md5_abstract.sv
md5/md5_core.sv
formal/md5/md5_core_proof.sv
