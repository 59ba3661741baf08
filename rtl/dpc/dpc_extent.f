dpc/dpc_extent.sv
