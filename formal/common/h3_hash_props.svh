// h3_hash is linear: flipping key bit i flips the same hash bits (column i) whatever the key, and 0 hashes to 0.
// No key but 0 with bits in the low HashBits positions only hashes to 0: those columns are independent, so the
// matrix has full rank and, by linearity, keys that differ there only never collide.
// At one point three known answers of the C++ twin: this front end makes the same matrix as simulation does.
  for (genvar i = 0; i < KeyBits; i++) begin : g_column
    logic [KeyBits-1:0]  f_flipped;
    logic [HashBits-1:0] f_hash, f_column;
    assign f_flipped = key_i ^ (KeyBits'(1) << i);
    for (genvar j = 0; j < HashBits; j++) begin : g_row
      localparam logic [63:0] Row = matrix_row(Seed, j);
      assign f_hash[j]   = ^(f_flipped & Row[KeyBits-1:0]);
      assign f_column[j] = Row[i];
    end
    always_comb assert (f_hash == (hash_o ^ f_column));
  end
  always_comb begin
    a_zero:          assert (key_i != '0 || hash_o == '0);
    a_low_bits_rank: assert ((key_i >> HashBits) != '0 || key_i == '0 || hash_o != '0);
    c_collision:     cover (key_i != '0 && hash_o == '0);
  end
  if (KeyBits == 13 && HashBits == 7 && Seed == 5) begin : g_known
    always_comb begin
      a_known_0: assert (key_i != 13'h0001 || hash_o == 7'h6d);
      a_known_1: assert (key_i != 13'h0800 || hash_o == 7'h7e);
      a_known_2: assert (key_i != 13'h1555 || hash_o == 7'h35);
    end
  end
