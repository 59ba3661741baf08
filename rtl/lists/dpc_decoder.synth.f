../dpc/dpc_route.sv
../dpc/dpc_unpack.sv
../dpc/dpc_extent.sv
../dpc/dpc_rotate.sv
../dpc/dpc_below.sv
../dpc/dpc_decoder.sv
