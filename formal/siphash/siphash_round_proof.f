formal/siphash/siphash_abstract.sv
siphash/siphash_half.sv
formal/siphash/siphash_round_proof.sv
