common/stream_check.sv
md5/md5_pkg.sv
formal/md5/md5_abstract.sv
md5/md5_stage.sv
formal/md5/md5_stage_proof.sv
