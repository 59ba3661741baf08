../common/ram_1r1w.sv
../dpc/dpc_route.sv
../dpc/dpc_queue.sv
../dpc/dpc_decode_core.sv
../dpc/dpc_decoder.sv
