// Every lane is base + lane * stride, for every base and code. (Included in affine_decode_core.)
  logic [Lanes-1:0] p_right;
  for (genvar p = 0; p < Lanes; p++) begin : p_lane
    logic [Width-1:0] sum;
    assign sum        = (&stride_i) ? base_i : base_i + (Width'(p) << stride_i);
    assign p_right[p] = data_o[p*Width +: Width] == sum;
  end
  always_comb a_lane_is_base_plus_lane_times_stride: assert (&p_right);
