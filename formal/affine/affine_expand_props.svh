// affine_expand: every lane is what its definition says, for every base and every stride that it allows.
  logic [Lanes*Width-1:0] f_data;
  always_comb begin
    for (int unsigned i = 0; i < Lanes; i++) f_data[i*Width +: Width] = base_i + Width'(i * stride_i);
  end
  always_comb begin
    m_stride: assume ($onehot0(stride_i));
    a_lanes:         assert (data_o == f_data);
  end
