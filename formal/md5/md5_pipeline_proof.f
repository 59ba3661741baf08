common/stream_check.sv
md5/md5_pkg.sv
formal/md5/md5_abstract.sv
formal/md5/md5_pipeline_fifo.sv
md5/md5_stage.sv
md5/md5_pipeline.sv
formal/md5/md5_pipeline_proof.sv
