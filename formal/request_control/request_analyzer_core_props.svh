// request_analyzer_core against the definition: every byte of every active lane, for all inputs.
  localparam int unsigned FBytes = LineBytes / SubBlocks;
  logic [SubBlocks-1:0] f_map;
  logic [OffsetBits:0]  f_byte;
  always_comb begin
    f_map  = '0;
    f_byte = '0;
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      for (int unsigned b = 0; b < 8; b++) begin
        f_byte = {1'b0, offsets_i[lane*OffsetBits +: OffsetBits]} + (OffsetBits + 1)'(b);
        for (int unsigned s = 0; s < SubBlocks; s++) begin
          if (active_i[lane] && 4'(b) < (4'd1 << size_i) &&
              f_byte >= (OffsetBits + 1)'(s * FBytes) && f_byte < (OffsetBits + 1)'((s + 1) * FBytes)) f_map[s] = 1'b1;
        end
      end
    end
  end
  always_comb begin
    a_map:        assert (map_o == f_map);
    c_runs_over:  cover (active_i == Lanes'(1) && map_o != '0 && (map_o & (map_o - 1'b1)) != '0);
    c_partial:    cover (active_i == '1 && map_o != '1);
    c_full:       cover (map_o == '1);
    c_last_only:  cover (active_i == '1 && map_o == {1'b1, {(SubBlocks-1){1'b0}}} && size_i == 2'd3);
  end
