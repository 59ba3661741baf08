../secded/secded.sv
