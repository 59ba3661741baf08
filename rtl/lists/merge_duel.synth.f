../common/ram_1r1w.sv
../merge_duel/merge_duel.sv
