md5/md5_add.sv
