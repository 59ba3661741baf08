dpc/dpc_select.sv
