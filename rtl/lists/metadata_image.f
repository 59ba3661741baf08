../common/stream_check.sv
../dedup_safe/metadata_image.sv
