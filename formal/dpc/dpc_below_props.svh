// Every bit by itself. (Included in dpc_below.)
  logic [Width-1:0] g_below;
  always_comb begin
    for (int unsigned i = 0; i < Width; i++) g_below[i] = all_i || 32'(at_i) > i;
    a_below: assert (below_o == g_below);
    c_some:  cover (!all_i && |below_o && !(&below_o));
  end
