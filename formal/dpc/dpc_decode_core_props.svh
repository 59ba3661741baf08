// The naive reader: one plane after another from where the last one ended, for every bit pattern. (Included in
// dpc_decode_core.)
  logic [Cells-1:0] g_joined, g_line;
  always_comb begin
    logic [2*Cells:0]   rest;
    int unsigned        w, next;
    w = 0;
    for (int unsigned i = 0; i < 4; i++) if (mask_i[i]) w = w + SubWords;
    g_joined = bits_i[Cells:1];
    rest     = (2*Cells+1)'(bits_i) >> (1 + Planes);
    if (bits_i[0]) begin
      for (int unsigned g = 0; g < Planes; g++) begin
        for (int unsigned j = 0; j < Cols; j++) g_joined[j*Planes + Planes-1-g] = rest[bits_i[1+g] ? 0 : j];
        rest = rest >> (bits_i[1+g] ? 1 : w);
      end
    end
    g_line = '0;
    next   = 0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (mask_i[i]) begin
        g_line[i*SubBits +: SubBits] = SubBits'(g_joined >> (next * SubBits));
        next = next + 1;
      end
    end
  end
  always_comb begin
    a_line:  assert (line_o == g_line);
    c_coded: cover (bits_i[0] && mask_i == 4'b1111 && |same && !(&same));
    c_raw:   cover (!bits_i[0] && mask_i == 4'b0110 && line_o != '0);
  end
