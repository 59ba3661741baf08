// What the encoder promises. (Included in affine_encode_core; README.md says how the parts compose.)
//
// Golden encoder: fits a base to the first active lane for every stride and compares all active lanes;
// without an adjacent active pair only uniform counts (decision A5).
  logic [Strides:0]             g_fits;
  logic [(Strides+1)*Width-1:0] g_base;
  logic [Width-1:0]             g_value;
  logic [LaneBits-1:0]          g_lane;
  logic                         g_found, g_pair;
  always_comb begin
    g_value = '0;
    g_lane  = '0;
    g_found = 1'b0;
    g_pair  = 1'b0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      if (mask_i[i] && !g_found) begin
        g_value = data_i[i*Width +: Width];
        g_lane  = LaneBits'(i);
        g_found = 1'b1;
      end
    end
    for (int unsigned i = 0; i + 1 < Lanes; i += 2) if (mask_i[i] && mask_i[i+1]) g_pair = 1'b1;
  end
  for (genvar c = 0; c <= Strides; c++) begin : g_try
    localparam logic [Wide-1:0] Stride = c == Strides ? '0 : Wide'(1) << c;
    logic [Width-1:0] base;
    logic [Lanes-1:0] same;
    assign base = g_value - Width'(Wide'(g_lane) * Stride);
    for (genvar i = 0; i < Lanes; i++) begin : g_same
      assign same[i] = !mask_i[i] || data_i[i*Width +: Width] == base + Width'(Wide'(i) * Stride);
    end
    if (c == Strides) begin : g_uniform
      assign g_fits[c] = &same;
    end else begin : g_affine
      assign g_fits[c] = &same && g_pair && (base & Width'(Stride - 1'b1)) == '0;
    end
    assign g_base[c*Width +: Width] = base;
  end

`ifdef PROVE_VERIFY
  // Parts 1 and 2: the flag says exactly that decoding the answer gives back every active lane, and that
  // base is a multiple of the stride.
  logic [Lanes*Width-1:0] decoded;
  logic [Lanes-1:0]       p_back;
  logic [Width-1:0]       p_below;
  affine_decode_core #(.Lanes(Lanes), .Width(Width), .StrideBits(StrideBits)) i_decode (
    .base_i(base_o), .stride_i(stride_o), .data_o(decoded)
  );
  for (genvar i = 0; i < Lanes; i++) begin : p_lane
    assign p_back[i] = !mask_i[i] || decoded[i*Width +: Width] == data_i[i*Width +: Width];
  end
  assign p_below = (&stride_o) ? '0 : Width'((Wide'(1) << stride_o) - 1'b1);
  always_comb begin
    a_round_trip: assert (!affine_o || &p_back);
    a_aligned:    assert (!affine_o || (base_o & p_below) == '0);
    a_complete:   assert (affine_o || !(&p_back) || (base_o & p_below) != '0);
    c_full_mask:  cover (affine_o && &mask_i && !(&stride_o));
    c_part_mask:  cover (affine_o && !mask_i[0] && g_pair && !(&stride_o));
    c_generic:    cover (!affine_o);
    c_unaligned:  cover (!affine_o && &p_back);
    c_uniform:    cover (affine_o && &stride_o && g_pair);
    c_no_pair:    cover (affine_o && g_found && !g_pair);
  end
  for (genvar c = 0; c < Strides; c++) begin : p_code
    always_comb cover (affine_o && &mask_i && stride_o == StrideBits'(c));  // every stride
  end
`endif
`ifdef PROVE_CHOICE
  // Part 3, for one stride code: if it fits, it is the one chosen, with the golden base.
  always_comb a_choice: assert (!g_fits[`CODE] || (stride_o == StrideBits'(`CODE) &&
                                                   base_o == g_base[`CODE*Width +: Width]));
`endif
`ifdef PROVE_BASE
  // Part 4: if the answer is right for the golden encoder's lane, the golden base is the answer's base.
  logic [Strides:0] p_base;
  for (genvar c = 0; c <= Strides; c++) begin : p_first
    localparam logic [Wide-1:0] Stride = c == Strides ? '0 : Wide'(1) << c;
    assign p_base[c] = g_value != base_o + Width'(Wide'(g_lane) * Stride) || g_base[c*Width +: Width] == base_o;
  end
  always_comb begin
    a_base:  assert (&p_base);
    a_pair:  assert (g_pair || &stride_o);
    a_empty: assert (g_found || (affine_o && base_o == '0 && &stride_o));
  end
`endif
`ifdef PROVE_GOLDEN
  // All parts at once, for sizes at which one solver call does it.
  logic [Strides:0] p_code, p_base;
  for (genvar c = 0; c <= Strides; c++) begin : p_answer
    assign p_code[c] = (stride_o == StrideBits'(c)) == g_fits[c];
    assign p_base[c] = !g_fits[c] || base_o == g_base[c*Width +: Width];
  end
  always_comb begin
    a_same_flag: assert (affine_o == |g_fits);
    a_same_code: assert (!affine_o || &p_code);
    a_same_base: assert (!affine_o || &p_base);
  end
`endif
