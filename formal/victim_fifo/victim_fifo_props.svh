// victim_fifo: one freely chosen sector, f_sector of line f_addr, is followed through one freely chosen slot f_slot.
// As all are free, what holds for them holds for every sector and slot.
//
//   - a copy of the sector is present exactly from its insertion until it is taken, invalidated or lost to the
//     Entries-th advance of the ring after it (an advance is an insertion of a sector not present);
//   - a lookup of the line that wants the sector is answered with its bit set exactly if the copy is present; one that
//     does not want it, with the bit clear; in order;
//   - a lookup takes the copy if its answer has no lower bit set, and then carries the data inserted last;
//   - no two slots hold one sector.
// victim_fifo_live.svh: within how many cycles.
//
// With RAM_CONTRACT the memory's outputs are free (stub=ram_1r1w) but for the one promise of its header that
// formal/common proves for the memory itself: a word read is the word written last, and it is held. Without
// it, the real memory is there and the promise is asserted.
  `include "reset.svh"
`ifdef RAM_CONTRACT
  `define RAM_PROMISE assume
`else
  `define RAM_PROMISE assert
`endif

  always_comb begin
    m_op:      assume (!req_valid_i || req_op_i != 2'd3);
    m_sectors: assume (!req_valid_i || |req_sectors_i);
    m_one:     assume (!req_valid_i || req_op_i != Insert || (req_sectors_i & (req_sectors_i - 1'b1)) == '0);
  end

  // The memory, at address f_slot.
  (* anyconst *) logic [SlotBits-1:0] f_slot;
  always_comb m_slot: assume (32'(f_slot) < Entries);
  logic                f_word_known_q, f_rdata_known_q, f_read_q;
  logic [DataBits-1:0] f_word_q, f_rdata_q, f_held_rdata_q;
  initial f_word_known_q  = 1'b0;
  initial f_rdata_known_q = 1'b0;
  always_ff @(posedge clk_i) begin
    if (insert && slot_used == f_slot) begin
      f_word_known_q <= 1'b1;
      f_word_q       <= req_data_i;
    end
    if (read) begin
      f_rdata_known_q <= f_word_known_q && slot_used == f_slot;
      f_rdata_q       <= f_word_q;
    end
    f_read_q       <= read;
    f_held_rdata_q <= rsp_data_o;
  end
  always_comb begin
    a_ram_read: `RAM_PROMISE (!f_rdata_known_q || rsp_data_o == f_rdata_q);
    if (f_started_q) a_ram_hold: `RAM_PROMISE (f_read_q || rsp_data_o == f_held_rdata_q);
  end

  // The copy of the sector, as specified.
  (* anyconst *) logic [TagBits-1:0] f_addr;
  (* anyconst *) logic [Sectors-1:0] f_sector;  // one bit
  always_comb m_sector: assume (f_sector != '0 && (f_sector & (f_sector - 1'b1)) == '0);
  logic                f_present_q;  // a copy is present
  logic [31:0]         f_age_q;      // advances of the ring since its insertion
  logic [DataBits-1:0] f_data_q;     // data inserted last
  logic                f_followed_q; // the copy was put into slot f_slot (else this trace says nothing of its data)
  logic                f_line, f_mine, f_advance;
  logic                f_first;  // the answer at hand has no lower sector
  assign f_line    = fire && req_addr_i == f_addr;
  assign f_mine    = f_line && |(req_sectors_i & f_sector);
  assign f_advance = insert && !hit;
  assign f_first   = (present & (f_sector - 1'b1)) == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_present_q <= 1'b0;
    end else if (f_mine) begin
      f_present_q <= insert || (lookup && !f_first && f_present_q);
      if (insert && !f_present_q) begin
        f_age_q      <= '0;
        f_followed_q <= next_q == f_slot;
      end
      if (insert) f_data_q <= req_data_i;
    end else if (f_advance) begin
      f_age_q <= f_age_q + 1'b1;
      if (f_age_q == Entries - 1) f_present_q <= 1'b0;
    end
  end

  // One freely chosen lookup of the line, and the responses ahead of it.
  (* anyseq *) logic   f_choose;
  logic                f_waiting_q, f_behind_q, f_want_hit_q, f_want_data_follows_q;
  logic [DataBits-1:0] f_want_data_q;
  logic [1:0]          f_held_q;  // lookups accepted and not yet answered
  logic                f_rsp;
  assign f_rsp = rsp_valid_o && rsp_ready_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_waiting_q <= 1'b0;
      f_held_q    <= '0;
    end else begin
      f_held_q <= f_held_q + 2'(lookup) - 2'(f_rsp);
      if (f_waiting_q && f_rsp) begin
        f_waiting_q <= f_behind_q;
        f_behind_q  <= 1'b0;
      end else if (!f_waiting_q && lookup && f_line && f_choose) begin
        f_waiting_q       <= 1'b1;
        f_behind_q        <= rsp_valid_o && !rsp_ready_i;
        f_want_hit_q          <= f_mine && f_present_q;
        f_want_data_follows_q <= f_mine && f_present_q && f_first && f_followed_q;
        f_want_data_q         <= f_data_q;
      end
    end
  end

  logic [Entries-1:0] f_copies;  // slots that hold the sector
  logic [31:0]        f_place;   // where the ring says its copy must be
  for (genvar slot = 0; slot < Entries; slot++) begin : g_copies
    assign f_copies[slot] = |(held_q[slot*Sectors +: Sectors] & f_sector) &&
                            tags_q[slot*TagBits +: TagBits] == f_addr;
  end
  // The main statement about tags, and what makes every match one-hot.
  for (genvar a = 0; a < Entries; a++) begin : g_pair
    for (genvar b = 0; b < a; b++) begin : g_other
      always_comb if (f_started_q) begin  // never two slots with one sector
        assert (!(|(held_q[a*Sectors +: Sectors] & held_q[b*Sectors +: Sectors]) &&
                  tags_q[a*TagBits +: TagBits] == tags_q[b*TagBits +: TagBits]));
      end
    end
    always_comb if (f_started_q) begin  // one sector per slot
      assert ((held_q[a*Sectors +: Sectors] & (held_q[a*Sectors +: Sectors] - 1'b1)) == '0);
    end
  end
  assign f_place = 32'(next_q) + Entries - 1 - f_age_q >= Entries ? 32'(next_q) - 1 - f_age_q
                                                                  : 32'(next_q) + Entries - 1 - f_age_q;

  always_comb if (f_started_q) begin
    a_one_copy_at_most:   assert ($onehot0(f_copies));
    a_present_iff_copy:   assert (f_present_q == (f_copies != '0));
    a_lookup_finds_it:    assert (!f_line || |(present & f_sector) == (f_mine && f_present_q));
    a_age_in_range:       assert (!f_present_q || f_age_q < Entries);
    a_copy_in_its_place:  assert (!f_present_q || f_copies[f_place[SlotBits-1:0]]);
    a_followed_in_slot:   assert (!(f_present_q && f_followed_q) || f_place == 32'(f_slot));
    a_data_in_memory:     assert (!(f_present_q && f_followed_q) || (f_word_known_q && f_word_q == f_data_q));

    a_answer_waits:       assert (!f_waiting_q || (f_behind_q ? spare_valid_q : rsp_valid_o));
    a_answer_hit:         assert (!(f_waiting_q && !f_behind_q) || |(rsp_sectors_o & f_sector) == f_want_hit_q);
    a_answer_data:        assert (!(f_waiting_q && !f_behind_q && f_want_data_follows_q) ||
                                  (f_rdata_known_q && rsp_data_o == f_want_data_q));
    a_behind_hit:         assert (!(f_waiting_q && f_behind_q) || |(spare_sectors_q & f_sector) == f_want_hit_q);
    a_behind_data:        assert (!(f_waiting_q && f_behind_q && f_want_data_follows_q) ||
                                  (spare_hit && spare_slot_q == f_slot && f_word_known_q && f_word_q == f_want_data_q));
    a_one_answer_each:    assert (f_held_q == 2'(head_valid_q) + 2'(spare_valid_q));
    a_spare_waits_behind: assert (!spare_valid_q || head_valid_q);
    a_spare_slot_legal:   assert (!(spare_valid_q && spare_hit) || 32'(spare_slot_q) < Entries);
    a_ready_iff_room:     assert (req_ready_o == (f_held_q < 2'd2));
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_hit_at_greatest_age: cover (f_mine && lookup && f_present_q && f_first && f_followed_q && f_age_q == Entries - 1);
    c_lost_to_the_ring:    cover (f_advance && !f_mine && f_present_q && f_age_q == Entries - 1);
    c_answer_from_behind:  cover (f_waiting_q && f_behind_q && f_want_data_follows_q && f_rsp);
    c_invalidated:         cover (f_mine && f_present_q && !insert && !lookup);
    c_stays_behind_lower:  cover (f_mine && f_present_q && lookup && !f_first);
  end
`undef RAM_PROMISE
`include "victim_fifo_live.svh"
