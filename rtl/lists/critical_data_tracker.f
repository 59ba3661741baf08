../common/stream_check.sv
../common/fifo.sv
../common/ram_1r1w.sv
../request_control/request_controller.sv
../request_control/critical_data_tracker.sv
