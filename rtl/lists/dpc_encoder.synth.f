../common/ram_1r1w.sv
../dpc/dpc_select.sv
../dpc/dpc_route.sv
../dpc/dpc_queue.sv
../dpc/dpc_encode_core.sv
../dpc/dpc_encoder.sv
