// What the step's planes and ES are, word by word. (Included in dpc_select.)
  logic [Planes-1:0] g_same;
  always_comb begin
    // Plane g: all critical words have the bit that the first critical word has.
    for (int unsigned g = 0; g < Planes; g++) begin
      logic seen, value;
      g_same[g] = 1'b1;
      seen      = 1'b0;
      value     = 1'b0;
      for (int unsigned w = 0; w < 4 * SubWords; w++) begin
        if (mask_i[w/SubWords]) begin
          if (seen && line_i[w*Planes + Planes-1-g] != value) g_same[g] = 1'b0;
          value = line_i[w*Planes + Planes-1-g];
          seen  = 1'b1;
        end
      end
    end
    a_same:  assert (same_o == g_same);
    a_total: assert (32'(total_o) == $countones(g_same));
    c_gap:   cover (mask_i == 4'b1001 && |same_o && !(&same_o) && rows_o != '0);
  end
  logic [4*SubWords*Rows-1:0] g_rows;
  always_comb begin
    g_rows = '0;
    for (int unsigned g = 0; g < Planes; g++) begin
      for (int unsigned j = 0; j < 4 * SubWords; j++) begin
        if (step_i[g/Rows]) g_rows[(g % Rows)*Cols + j] = line_i[j*Planes + Planes - 1 - g];
      end
    end
    a_rows: assert (!$onehot0(step_i) || rows_o == g_rows);
  end
