secded/secded.sv
