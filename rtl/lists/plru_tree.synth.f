../common/plru_tree.sv
