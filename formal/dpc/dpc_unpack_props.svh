// The naive reader: one plane after another from where the last one ended, for every bit pattern. (Included in
// dpc_unpack.)
  logic [Cells-1:0] g_rows;
  always_comb begin
    logic [Cells-1:0] rest;
    int unsigned      w;
    w = 0;
    for (int unsigned i = 0; i < 4; i++) if (mask_i[i]) w = w + SubWords;
    rest   = chunk_i;
    g_rows = '0;
    for (int unsigned g = 0; g < Rows; g++) begin
      logic [Cols-1:0] plane;
      plane = same_i[g] ? {Cols{rest[0]}} : Cols'(rest);
      for (int unsigned i = 0; i < 4; i++) begin
        if (mask_i[i]) begin
          g_rows[g*Cols + i*SubWords +: SubWords] = SubWords'(plane);
          plane = plane >> SubWords;
        end
      end
      rest = rest >> (same_i[g] ? 1 : w);
    end
  end
  logic [3:0] g_count;
  for (genvar k = 0; k < 4; k++) begin : g_f_count
    assign g_count[k] = $countones(mask_i) == k + 1;
  end
  always_comb begin
    a_rows:  assert (count_i != g_count || rows_o == g_rows);
    c_mixed: cover (count_i == g_count && mask_i == 4'b1011 && rows_o != '0 && (Rows == 1 || (|same_i && !(&same_i))));
  end
