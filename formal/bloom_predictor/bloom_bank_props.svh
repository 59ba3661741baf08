// bloom_bank: one freely chosen counter {f_word, f_lane} is followed: count_o is the number of its additions
// since its word was cleared, up to the greatest count, whatever is added to its neighbours, before, between or
// in the cycle before. f_count_q is that number.
//
// The memory is free (stub=ram_1r1w) but for what formal/common proves of it: a read returns the word written
// last, before a write of the same cycle.
  logic f_started_q;
  initial f_started_q = 1'b0;
  always_ff @(posedge clk_i) f_started_q <= 1'b1;

  (* anyconst *) logic [WordBits-1:0]  f_word;
  (* anyconst *) logic [LaneWidth-1:0] f_lane;
  logic                         f_known_q;      // the word was cleared once
  logic [Lanes*CounterBits-1:0] f_stored_q, f_rdata_q;
  logic                         f_read_q;       // word is a read of f_word, known
  logic                         f_reading_q;    // there was a read in the cycle before
  logic                         f_was_clear_q;  // the cycle before cleared
  logic [CounterBits-1:0]       f_count_q;
  initial f_known_q   = 1'b0;
  initial f_read_q    = 1'b0;
  initial f_reading_q = 1'b0;
  initial f_was_clear_q = 1'b0;

  always_comb begin
    if (!f_started_q) m_no_add: assume (!add_i);
    m_add_after_read: assume (!add_i || f_reading_q);
    m_clear_alone:    assume (!clear_i || !add_i);
    // The controller lets a cycle pass between the last clear and the first addition's read.
    m_drained:        assume (!add_i || !f_was_clear_q);
    m_memory:                assume (!f_read_q || word == f_rdata_q);
  end

  logic f_mine;
  assign f_mine = word_q == f_word && lane_q == f_lane;
  always_ff @(posedge clk_i) begin
    f_reading_q   <= re_i;
    f_was_clear_q <= clear_i;
    if (clear_i && clear_word_i == f_word) begin
      f_known_q  <= 1'b1;
      f_stored_q <= '0;
      f_count_q  <= '0;
    end else if (add_i && word_q == f_word) begin
      f_stored_q <= word_new;
      if (lane_q == f_lane && !(&f_count_q)) f_count_q <= f_count_q + 1'b1;
    end
    if (re_i) begin
      f_read_q  <= f_known_q && word_index == f_word;
      f_rdata_q <= f_stored_q;
    end
  end

  logic [CounterBits-1:0] f_in_word, f_in_read;
  assign f_in_word = f_stored_q[f_lane*CounterBits +: CounterBits];
  assign f_in_read = f_rdata_q[f_lane*CounterBits +: CounterBits];
  always_comb if (f_started_q) begin
    a_stored_is_count: assert (!f_known_q || f_in_word == f_count_q);
    a_read_or_forward: assert (!(f_read_q && f_reading_q && word_q == f_word && !f_was_clear_q) ||
                               (same_q && last_lane_q == f_lane ? last_count_q : f_in_read) == f_count_q);
    a_count:           assert (!(f_read_q && f_reading_q && f_mine && !f_was_clear_q) || count_o == f_count_q);
  end
  always_ff @(posedge clk_i) begin
    c_saturated:  cover (f_mine && add_i && f_known_q && &f_count_q);
    c_forwarded:  cover (f_mine && add_i && f_known_q && same_q && last_lane_q == lane_q && f_count_q == 2);
    c_neighbour:  cover (f_mine && add_i && f_known_q && same_q && last_lane_q != lane_q && f_count_q == 1);
  end
