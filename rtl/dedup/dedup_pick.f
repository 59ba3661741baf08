dedup/dedup_pick.sv
