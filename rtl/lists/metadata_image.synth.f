../dedup_safe/metadata_image.sv
