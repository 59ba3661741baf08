// dedup_end: what holds whenever nothing is in process (good), and that each run of requests leads from there to there.
  // What lies in memories of the parts.
  localparam int unsigned NameBits = 1 + (LineBits - 1) + 1;  // valid, upper bits of the line, index
  localparam int unsigned Groups   = 2 ** (LineBits - LineBits / 2);
  localparam int unsigned CountOf  = LineBits / 2 + 1;        // bits of the count of a group
  (* hierconn *) wire logic [3:0]                         \i_store.i_rows.words_q ;
  (* hierconn *) wire logic [2*(HashBits+LineBits)-1:0]   \i_store.i_tags.words_q ;
  (* hierconn *) wire logic [2*CountBits-1:0]             \i_store.i_counts.words_q ;
  (* hierconn *) wire logic [2*2*NameBits-1:0]            \i_store.i_refs.words_q ;
  (* hierconn *) wire logic [Groups*CountOf-1:0]          \i_dedup.i_write.i_alloc.i_groups.i_counts.words_q ;
  (* hierconn *) wire logic [LineBits:0]                  \i_dedup.i_write.partial_q ;
  (* hierconn *) wire logic                               \i_dedup.i_write.partial_left_q ;
  logic [1:0]                       entry_valid;
  logic [2*(HashBits+LineBits)-1:0] tags;
  logic [2*CountBits-1:0]           counts;
  logic [4*NameBits-1:0]            names;
  logic [Groups*CountOf-1:0]        lenders;
  logic [LineBits:0]                partials;
  logic                             partial_left;
  assign entry_valid  = \i_store.i_rows.words_q [3:2];
  assign tags         = \i_store.i_tags.words_q ;
  assign counts       = \i_store.i_counts.words_q ;
  assign names        = \i_store.i_refs.words_q ;
  assign lenders      = \i_dedup.i_write.i_alloc.i_groups.i_counts.words_q ;
  assign partials     = \i_dedup.i_write.partial_q ;
  assign partial_left = \i_dedup.i_write.partial_left_q ;

  `include "reset.svh"
  logic [7:0] f_age_q, f_writes_q, f_reads_q;  // cycles from the reset; requests taken
  logic       f_ended_q;

  // What holds whenever nothing is in process.
  logic [Total-1:0]          mapped, resident, others, lendable, of_partial, f_lines, good_meta, good_content;
  logic [Total*Total-1:0]    uses;                 // bit r*Total + l: line l uses slot r
  logic [Total*4-1:0]        user_mask, user_same; // of a slot: masks of its users, joined and met
  logic [Total*LineBits-1:0] users;
  logic [1:0]                good_entry;
  logic [Total-1:0]          has_entry;
  logic [3:0]                good_name;
  logic [LineBits-1:0]       partial_sum, f_sum;
  logic                      good_groups, good_apart, good_partials, good, quiet;
  always_comb begin
    uses = '0;
    for (int unsigned l = 0; l < Total; l++) begin
      mapped[l]   = types[l*2 +: 2] == 2'b10;
      resident[l] = types[l*2 +: 2] == 2'b11;
      for (int unsigned r = 0; r < Total; r++) begin
        uses[r*Total + l] = (mapped[l] && maps[l*LineBits +: LineBits] == LineBits'(r)) || (resident[l] && l == r);
      end
    end
    for (int unsigned r = 0; r < Total; r++) begin
      users[r*LineBits +: LineBits] = '0;
      user_mask[r*4 +: 4]           = '0;
      user_same[r*4 +: 4]           = '1;
      others[r]                     = 1'b0;
      has_entry[r]                  = 1'b0;
      for (int unsigned l = 0; l < Total; l++) begin
        if (uses[r*Total + l]) begin
          users[r*LineBits +: LineBits] = users[r*LineBits +: LineBits] + 1'b1;
          user_mask[r*4 +: 4] = user_mask[r*4 +: 4] | masks[l*4 +: 4];
          user_same[r*4 +: 4] = user_same[r*4 +: 4] & masks[l*4 +: 4];
          if (mapped[l]) others[r] = 1'b1;
        end
      end
      for (int unsigned e = 0; e < 2; e++) begin
        if (entry_valid[e] && tags[e*(HashBits+LineBits) +: LineBits] == LineBits'(r)) has_entry[r] = 1'b1;
      end
    end
    partial_sum = '0;
    f_sum       = '0;
    for (int unsigned l = 0; l < Total; l++) begin
      lendable[l]   = (types[l*2 +: 2] == 2'b01 || mapped[l]) && masks[l*4 +: 4] == 4'hf && !lents[l];
      of_partial[l] = mapped[l] && masks[l*4 +: 4] != 4'hf;
      f_lines[l]    = of_partial[l] || (masks[l*4 +: 4] != 4'hf && others[l]);
      if (of_partial[l]) partial_sum = partial_sum + 1'b1;
      if (f_lines[l]) f_sum = f_sum + 1'b1;
    end
  end
  // A line: kind, mask and map fit; lent exactly if others use its home; the users of its home have equal masks, which
  // it has, too; more than one of them have an entry; and it reads as it was written last.
  for (genvar l = 0; l < Total; l++) begin : g_line
    logic [3:0]          content;
    logic [1:0]          kind;
    logic [3:0]          mask;
    logic [LineBits-1:0] map;
    assign kind = types[l*2 +: 2];
    assign mask = masks[l*4 +: 4];
    assign map  = maps[l*LineBits +: LineBits];
    always_comb begin
      content = dram_q[l*4 +: 4];
      for (int unsigned s = 0; s < 4; s++) begin
        if (mask[s] && kind == 2'b01) content[s] = map[0];
        for (int unsigned r = 0; r < Total; r++) begin
          if (mask[s] && kind == 2'b10 && map == LineBits'(r)) content[s] = dram_q[r*4 + s];
        end
      end
    end
    logic [3:0] wanted;
    if (l < Lines) begin : g_gold
      assign wanted = gold_q[l*4 +: 4];
    end else begin : g_spare
      assign wanted = content;
    end
    assign good_content[l] = content == wanted;
    always_comb if (f_started_q && rst_ni && f_age_q >= 8'd4) begin
      assert (!quiet || good_meta[l]);
      assert (!quiet || good_content[l]);
    end
    assign good_meta[l] = (kind == 2'b00 || mask != 4'd0) && (l < Lines || (kind == 2'b01 && mask == 4'hf)) &&
                          (kind != 2'b10 || 32'(map) < Total) &&
                          lents[l] == (!resident[l] && others[l]) && (kind != 2'b00 || !others[l]) &&
                          (users[l*LineBits +: LineBits] == '0 || user_mask[l*4 +: 4] == user_same[l*4 +: 4]) &&
                          (user_mask[l*4 +: 4] & ~mask) == '0 &&
                          (32'(users[l*LineBits +: LineBits]) <= 1 || has_entry[l]) &&
                          (partial_left || mask == 4'hf || !lents[l]);
  end
  // An entry: its reference has users, as many as it counts, and its fingerprint is that of their content. It is found
  // by its reference.
  for (genvar e = 0; e < 2; e++) begin : g_entry
    logic [HashBits-1:0]  hash;
    logic [LineBits-1:0]  ref_line;
    logic [CountBits-1:0] count;
    logic [3:0]           ref_mask, ref_data;
    logic [LineBits-1:0]  ref_users;
    logic [2:0]           named;
    assign {hash, ref_line} = tags[e*(HashBits+LineBits) +: HashBits + LineBits];
    assign count            = counts[e*CountBits +: CountBits];
    always_comb begin
      ref_mask  = '0;
      ref_data  = '0;
      ref_users = '0;
      for (int unsigned r = 0; r < Total; r++) begin
        if (ref_line == LineBits'(r)) begin
          ref_mask  = user_mask[r*4 +: 4];
          ref_data  = dram_q[r*4 +: 4];
          ref_users = users[r*LineBits +: LineBits];
        end
      end
      named = '0;
      for (int unsigned n = 0; n < 4; n++) begin
        if (names[n*NameBits + NameBits - 1] && names[n*NameBits] == (e == 1)) named = named + 1'b1;
      end
    end
    assign good_entry[e] = !entry_valid[e] ? named == '0 :
                           32'(ref_line) < Total && 32'(count) == 32'(ref_users) && count != '0 && named == 3'd1 &&
                           hash == (Weak != 0 ? HashBits'({ref_mask, ^(ref_data & ref_mask)}) : HashBits'({ref_mask, ref_data & ref_mask}));
  end
  for (genvar n = 0; n < 4; n++) begin : g_name  // two sets of two
    logic [LineBits-1:0] ref_line;
    assign ref_line     = tags[names[n*NameBits]*(HashBits+LineBits) +: LineBits];
    assign good_name[n] = !names[n*NameBits + NameBits - 1] ||
                          (names[n*NameBits + 1 +: LineBits - 1] == ref_line[LineBits-1:1] && ^ref_line == (n >= 2));
  end
  always_comb begin
    good_groups = 1'b1;
    for (int unsigned g = 0; g < Groups; g++) begin
      logic [CountOf-1:0] sum;
      sum = '0;
      for (int unsigned l = 0; l < Total; l++) if (l >> (LineBits / 2) == g && lendable[l]) sum = sum + 1'b1;
      if (lenders[g*CountOf +: CountOf] != sum) good_groups = 1'b0;
    end
  end
  assign good_apart = (entry_valid != 2'b11 || (tags[0 +: LineBits] != tags[HashBits+LineBits +: LineBits] &&
                                                tags[LineBits +: HashBits] != tags[HashBits+2*LineBits +: HashBits])) &&
                      \i_store.i_rows.words_q [0] != \i_store.i_rows.words_q [1];
  assign good_partials = 32'(partials) == 32'(partial_sum) && 32'(f_sum) <= Spare;
  assign good = good_content == '1 && good_meta == '1 && good_entry == '1 && good_name == '1 && good_groups && good_apart &&
                good_partials;
  assign quiet = !busy && !hashing_q && store_ready && !probing_q && !answer_q && due_q == '0 &&
                 !type_rsp_valid && !mask_rsp_valid && !addr_rsp_valid && !lent_rsp_valid;

  logic [1:0] wr_kind;
  always_comb begin
    wr_kind = '0;
    for (int unsigned l = 0; l < Lines; l++) if (wr_line_i == LineBits'(l)) wr_kind = types[l*2 +: 2];
  end

  // A run: no request in the first cycles, in which tables are cleared; then writes and reads.
  initial f_age_q = '0;
  always_ff @(posedge clk_i) begin
    if (f_age_q != '1) f_age_q <= f_age_q + 1'b1;
    f_ended_q  <= rst_ni && f_age_q > 8'd4 && quiet && Writes + Reads != 0;
    f_writes_q <= !rst_ni ? '0 : f_writes_q + 8'(wr_valid_i && wr_ready);
    f_reads_q  <= !rst_ni ? '0 : f_reads_q + 8'(rd_valid_i && rd_ready);
  end
  always_comb if (f_started_q) begin
    m_one_reset:   assume (rst_ni);
    m_wr_line:     assume (32'(wr_line_i) < Lines && wr_mask_i != '0);
    m_rd_line:     assume (32'(rd_line_i) < Lines && rd_mask_i != '0);
    m_one_tracked: assume (!(rd_valid_i && rd_tracked_i) || due_q == '0);
    m_wr_offered:  assume (!wr_valid_i || (f_age_q >= 8'd4 && 32'(f_age_q) < 4 + Offers && 32'(f_writes_q) < Writes));
    m_rd_offered:  assume (!rd_valid_i || (f_age_q >= 8'd4 && 32'(f_age_q) < 4 + Offers && 32'(f_reads_q) < Reads));
    // A run begins with its first request and ends when all is quiet: what follows is another run.
    m_begins:      assume (f_age_q != 8'd4 || Writes + Reads == 0 || (Writes != 0 ? wr_valid_i : rd_valid_i));
    m_ends:        assume (!f_ended_q);
    m_kind:        assume (!wr_valid_i || Kind == 4 || f_writes_q != '0 || wr_kind == 2'(Kind));
    m_line:        assume (!wr_valid_i || Line == Lines || f_writes_q != '0 || wr_line_i == LineBits'(Line));
`ifdef PROOF_ANY_METADATA
    m_good:        assume (f_age_q != 8'd4 || good);
`endif
  end
  always_comb if (f_started_q && rst_ni && f_age_q >= 8'd4) begin
    a_quiet:     assert (f_age_q != 8'd4 || quiet);
    a_ends:      assert (Writes + Reads == 0 || 32'(f_age_q) < 4 + Cycles);
    a_partials:  assert (!quiet || good_partials);
    a_groups:    assert (!quiet || good_groups);
    a_names:     assert (!quiet || good_name == '1);
    a_apart:     assert (!quiet || good_apart);
    a_entry_0:   assert (!quiet || good_entry[0]);
    a_entry_1:   assert (!quiet || good_entry[1]);
    a_from_l2:   assert ((from_l2 & (~due_q | (l2_data ^ expected_q))) == '0);
    a_from_dram: assert ((from_dram & (~due_q | (dram_read ^ expected_q))) == '0);
    a_once:      assert ((from_l2 & from_dram) == '0);
    a_in_dram:   assert (!dram_valid || 32'(dram_line) < Total);
  end
  // Of done: how a write ended.
  always_ff @(posedge clk_i) if (f_started_q && done_valid) begin
    c_intra:    cover (done_outcome == 3'd0);
    c_shared:   cover (done_outcome == 3'd1);
    c_home:     cover (done_outcome == 3'd2);
    c_in_place: cover (done_outcome == 3'd3);
    c_kept:     cover (done_outcome == 3'd4);
    c_borrowed: cover (done_outcome == 3'd5);
    c_evicts:   cover (done_flags[3]);
    c_searched: cover (done_flags[4]);
  end
