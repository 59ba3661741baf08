secded/secded_pkg.sv
secded/secded.sv
secded/secded_words.sv
