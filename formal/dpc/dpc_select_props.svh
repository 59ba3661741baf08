// What the sub-block identifier promises, from the joined words only. (Included in dpc_select.)
  localparam int unsigned Cells = 4 * SubBits;
  logic [Cells-1:0]  g_joined, g_used;
  logic [3:0]        g_count;
  logic [Planes-1:0] g_same;
  always_comb begin
    int unsigned k;
    g_joined = '0;
    g_used   = '0;
    k        = 0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (mask_i[i]) begin
        g_joined |= Cells'(line_i[i*SubBits +: SubBits]) << (k * SubBits);
        g_used |= {Cells{1'b1}} >> ((3 - k) * SubBits);
        k = k + 1;
      end
    end
    for (int unsigned i = 0; i < 4; i++) g_count[i] = k == i + 1;
    // Plane g: all words have the bit that word 0 has.
    for (int unsigned g = 0; g < Planes; g++) begin
      g_same[g] = 1'b1;
      for (int unsigned w = 0; w < 4 * SubWords; w++) begin
        if (w < k * SubWords && g_joined[w*Planes + Planes-1-g] != g_joined[Planes-1-g]) g_same[g] = 1'b0;
      end
    end
  end
  always_comb begin
    a_joined: assert ((joined_o & g_used) == g_joined);  // above: anything
    a_count:  assert (count_o == g_count);
    a_same:   assert (same_o == g_same);
    a_total:  assert (32'(total_o) == $countones(g_same));
    c_gap:    cover (mask_i == 4'b1001 && |same_o && !(&same_o));
  end
