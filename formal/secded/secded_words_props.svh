// secded_words: a word that is read as it was coded but for f_flip. At most one wrong bit in each part: it is read as
// it was given. Two in a part: its lane is fatal. f_flip is free, and so are the word and the bits that flip_i inverts.
  (* anyseq *) logic [Stored-1:0] f_flip;
  logic f_same;
  assign f_same = read_i == (stored_o ^ f_flip) && flip_i == '0;
  for (genvar l = 0; l < Lanes; l++) begin : g_f_lane
    localparam int unsigned Parts = secded_pkg::parts(LaneBits), PartBits = secded_pkg::part_bits(LaneBits);
    localparam int unsigned Checks = secded_pkg::check_bits(PartBits), LaneStored = LaneBits + Parts * Checks;
    logic [Parts-1:0] f_any, f_more, f_two;
    for (genvar p = 0; p < Parts; p++) begin : g_f_part
      localparam int unsigned Bits = p + 1 < Parts ? PartBits : LaneBits - p * PartBits;
      logic [Bits+Checks-1:0] f_part, f_less;
      assign f_part = {f_flip[l*LaneStored + LaneBits + p*Checks +: Checks], f_flip[l*LaneStored + p*PartBits +: Bits]};
      assign f_less = f_part & (f_part - 1'b1);
      assign f_any[p]  = f_part != '0;
      assign f_more[p] = f_less != '0;
      assign f_two[p]  = f_less != '0 && (f_less & (f_less - 1'b1)) == '0;
      always_comb begin
        assert (!f_same || f_more[p] ||
          data_o[l*LaneBits + p*PartBits +: Bits] == data_i[l*LaneBits + p*PartBits +: Bits]);
      end
    end
    always_comb begin
      assert (!f_same || f_more != '0 || (single_o[l] == (f_any != '0) && !fatal_o[l]));
      assert (!f_same || f_two == '0 || (fatal_o[l] && !single_o[l]));
      cover (f_same && f_any != '0 && f_more == '0 && data_o[l*LaneBits +: LaneBits] != '0);
    end
  end
  always_comb c_fatal: cover (f_same && fatal_o != '0);
`ifdef FORMAL_SECDED_WORDS_FLIPS
  (* anyconst *) logic [15:0] f_bit;
  logic [Stored-1:0] f_coded;  // what it puts out while flip_i is 0
  assign f_coded = g_coded.coded;
  always_comb begin
    m_bit: assume (32'(f_bit) < Stored);
    a_flip: assert ((stored_o[f_bit] ^ f_coded[f_bit]) == (flip_i[15:0] == f_bit + 16'd1 || flip_i[31:16] == f_bit + 16'd1));
  end
`endif
