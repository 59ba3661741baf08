../common/fifo.sv
../dup_detect/dup_detect_core.sv
../dup_detect/dup_detect.sv
