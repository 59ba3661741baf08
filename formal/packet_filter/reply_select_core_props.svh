// reply_select_core against decisions D3 to D6, for all inputs with legal sizes.
  logic [31:0] f_bytes, f_flits;
  logic        f_part;
  always_comb begin
    m_sizes: assume (whole_bits_i >= 11'd1 && whole_bits_i <= 11'd1024 && part_bits_i >= 11'd1 &&
                            part_bits_i <= 11'd1024);
    f_part  = mode_i == 2'd1;
    if (mode_i == 2'd2 && part_bits_i < whole_bits_i) f_part = 1'b1;
    if (full_i) f_part = 1'b0;
    f_bytes = 32'd8 + ((32'(bits_o) + 32'd7) >> 3);
    f_flits = (f_bytes + 32'd31) >> 5;
  end
  always_comb begin
    a_flits:   assert (32'(flits_o) == f_flits && f_flits >= 32'd1 && f_flits <= 32'd5);
    a_part:    assert (!f_part || (form_o == mode_i && map_o == asked_i && bits_o == part_bits_i));
    a_whole:   assert (f_part || mode_i == 2'd3 || (form_o == 2'd0 && map_o == 4'hf && bits_o == whole_bits_i));
    a_raw:     assert (mode_i != 2'd3 || (form_o == 2'd3 && map_o == 4'hf && bits_o == 11'd1024));
    a_answers: assert ((asked_i & ~map_o) == '0);
    a_smaller: assert (mode_i != 2'd2 || full_i || (bits_o <= whole_bits_i && bits_o <= part_bits_i));
    c_tie:     cover (mode_i == 2'd2 && !full_i && part_bits_i == whole_bits_i && form_o == 2'd0);
    c_five:    cover (flits_o == 3'd5 && mode_i == 2'd1 && form_o == 2'd1);
    c_one:     cover (flits_o == 3'd1 && form_o == 2'd2);
  end
