// The naive stream: one plane after another, each shifted to where the last one ended. (Included in
// dpc_encode_core.) ES may be anything here: a plane marked compressed is sent as its first bit.
  localparam int unsigned GWidth = Cells + Planes + 1;
  logic [GWidth-1:0] g_coded, g_stream;
  logic [31:0]       g_coded_bits, g_raw_bits, g_w;
  always_comb begin
    logic [Cols-1:0] plane;
    g_w = '0;
    for (int unsigned k = 0; k < 4; k++) if (count_i[k]) g_w = SubWords * (k + 1);
    g_coded      = {GWidth'(same_i), 1'b1};
    g_coded_bits = 1 + Planes;
    for (int unsigned g = 0; g < Planes; g++) begin
      for (int unsigned w = 0; w < Cols; w++) begin
        plane[w] = joined_i[w*Planes + Planes-1-g] && (same_i[g] ? w == 0 : w < g_w);
      end
      g_coded      |= GWidth'(plane) << g_coded_bits;
      g_coded_bits += same_i[g] ? 32'd1 : g_w;
    end
    g_raw_bits = g_w * Planes;
    g_stream   = g_coded_bits < g_raw_bits ? g_coded
                 : GWidth'({GWidth'(joined_i) & ~({GWidth{1'b1}} << g_raw_bits), 1'b0});
  end
  always_comb begin
    m_count: assume ($onehot0(count_i));
    m_total: assume (32'(total_i) == $countones(same_i));
    a_stream:   assert (GWidth'(bits_o) == g_stream);
    a_length:   assert (32'(length_o) == (g_coded_bits < g_raw_bits ? g_coded_bits : g_raw_bits + 1));
    c_coded:    cover (bits_o[0] && count_i[3]);
    c_coded_3:  cover (bits_o[0] && count_i[2]);
    c_raw:      cover (!bits_o[0] && count_i[0] && |same_i);
    c_none:     cover (count_i == '0);
  end
