// The naive chunk: one plane after another, each shifted to where the last one ended. (Included in dpc_pack.) ES may
// be anything here: a plane marked compressed is sent as its first bit.
  logic [Cells-1:0] g_chunk;
  always_comb begin
    logic [Cols-1:0] plane;
    int unsigned     w, at;
    w = 0;
    for (int unsigned i = 0; i < 4; i++) if (mask_i[i]) w = w + SubWords;
    g_chunk = '0;
    at      = 0;
    for (int unsigned g = 0; g < Rows; g++) begin
      int unsigned next;
      plane = '0;
      next  = 0;
      for (int unsigned i = 0; i < 4; i++) begin
        if (mask_i[i]) begin
          plane |= Cols'(rows_i[g*Cols + i*SubWords +: SubWords]) << next;
          next = next + SubWords;
        end
      end
      if (same_i[g]) plane = Cols'(plane[0]);
      g_chunk |= Cells'(plane) << at;
      at = at + (same_i[g] ? 1 : w);
    end
  end
  logic [3:0] g_count;
  for (genvar k = 0; k < 4; k++) begin : g_f_count
    assign g_count[k] = $countones(mask_i) == k + 1;
  end
  always_comb begin
    a_chunk: assert (count_i != g_count || chunk_o == (mask_i == '0 ? '0 : g_chunk));
    c_mixed: cover (count_i == g_count && mask_i == 4'b1011 && chunk_o != '0 && (Rows == 1 || (|same_i && !(&same_i))));
    c_none:  cover (mask_i == '0);
  end
