// The bits of the planes, one plane after another. (Included in dpc_extent.)
  logic [31:0] g_bits, g_w;
  always_comb begin
    g_w = '0;
    for (int unsigned k = 0; k < 4; k++) if (count_i[k]) g_w = SubWords * (k + 1);
    g_bits = '0;
    for (int unsigned g = 0; g < Rows; g++) begin
      if (g < LastRows || !last_i) g_bits = g_bits + (same_i[g] && g_w != '0 ? 32'd1 : g_w);
    end
    // One-hot count, no plane where the last step has none.
    a_bits: assert (!$onehot0(count_i) || (last_i && 32'(same_i) >> LastRows != '0) || 32'(bits_o) == g_bits);
    c_last: cover (last_i && |same_i && count_i[2]);
  end
