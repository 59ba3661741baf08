../common/ram_1r1w.sv
../secded/secded.sv
../secded/secded_ram.sv
