md5/md5_add.sv
md5/md5_add3.sv
