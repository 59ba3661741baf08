../common/stream_check.sv
../common/fifo.sv
../request_control/request_analyzer_core.sv
../request_control/request_analyzer.sv
