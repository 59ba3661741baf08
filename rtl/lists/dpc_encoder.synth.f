../common/stream_skid.sv
../dpc/dpc_select.sv
../dpc/dpc_route.sv
../dpc/dpc_pack.sv
../dpc/dpc_extent.sv
../dpc/dpc_rotate.sv
../dpc/dpc_below.sv
../dpc/dpc_encoder.sv
