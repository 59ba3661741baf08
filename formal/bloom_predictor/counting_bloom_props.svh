// counting_bloom: one freely chosen key f_key is followed; f_inside_q counts its inserts minus removes, by this
// key alone. Other keys come and go at will, but they too are removed only when they are inside: of them the
// proof needs only that a remove never takes a counter's last count away from f_key (each counter holds at least
// f_inside_q unless it sticks at its greatest value).
//
//   - a lookup of f_key while it is inside finds it, and the answer is the one that goes to the skid;
//   - counters saturate: one that has the greatest value keeps it until clear or reset; none wraps below 0.
  `include "reset.svh"
  (* anyconst *) logic [KeyBits-1:0] f_key;
  (* anyconst *) logic [$clog2(Counters)-1:0] f_counter;  // for the statement about single counters
  localparam int unsigned F = CounterBits + 1;
  localparam logic [F-1:0] Full = F'((1 << CounterBits) - 1);
  logic [F-1:0] f_inside_q;
  logic         f_in, f_out;
  (* anyconst *) logic [3:0]             f_use;    // the places of f_key
  (* anyconst *) logic [4*IndexBits-1:0] f_index;
  assign f_in  = insert_valid_i && insert_key_i == f_key;
  assign f_out = remove_valid_i && remove_key_i == f_key;
  always_comb begin  // all that is needed of the hash: it is a function (the proof holds for any, stub=bloom_hash)
    m_insert_hash: assume (insert_key_i != f_key || (insert_use == f_use && insert_index == f_index));
    m_remove_hash: assume (remove_key_i != f_key || (remove_use == f_use && remove_index == f_index));
    m_lookup_hash: assume (lookup_key_i != f_key || (lookup_use == f_use && lookup_index == f_index));
  end
  always_comb m_inside: assume (!f_out || f_inside_q != '0 || !rst_ni);
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) f_inside_q <= '0;
    else if (f_in && !f_out && f_inside_q != Full) f_inside_q <= f_inside_q + 1'b1;
    else if (f_out && !f_in && f_inside_q != Full) f_inside_q <= f_inside_q - 1'b1;  // stuck: stays inside for ever
  end
  logic [3:0] f_enough;
  for (genvar b = 0; b < 4; b++) begin : g_f
    logic [Bank*CounterBits-1:0] counts;
    logic [CounterBits-1:0]      count;
    assign counts = counts_q[b*Bank*CounterBits +: Bank*CounterBits];
    assign count  = counts[f_index[b*IndexBits +: IndexBits]*CounterBits +: CounterBits];
    assign f_enough[b] = !f_use[b] || {1'b0, count} >= f_inside_q;
    // Another key that is removed here is inside as well: the counter holds both, or it sticks.
    always_comb begin
      if (remove_valid_i && !f_out && f_use[b] && remove_use[b] &&
          remove_index[b*IndexBits +: IndexBits] == f_index[b*IndexBits +: IndexBits]) begin
        assume ({1'b0, count} > f_inside_q || &count);
      end
    end
  end
  logic [CounterBits-1:0] f_count, f_count_q;
  logic                   f_calm_q;  // no reset, no clear in the cycle before
  assign f_count = counts_q[f_counter*CounterBits +: CounterBits];
  always_ff @(posedge clk_i) begin
    f_count_q <= f_count;
    f_calm_q  <= rst_ni && !clear_i;
  end
  always_comb if (f_started_q) begin
    a_counted:     assert (&f_enough);
    a_found:       assert (!(lookup_key_i == f_key && f_inside_q != '0) || &present);
    a_sticks:      assert (!(f_calm_q && &f_count_q) || &f_count);
    a_no_wrap:     assert (!(f_calm_q && f_count_q == '0) || f_count <= 1);
    a_one_step:    assert (!f_calm_q || f_count == f_count_q || f_count == f_count_q + 1'b1 ||
                           f_count + 1'b1 == f_count_q);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_removed: cover (f_out && !f_in && f_inside_q == 1 && lookup_valid_i && lookup_key_i != f_key && &present);
    c_stuck:   cover (f_calm_q && &f_count_q && f_inside_q == '0);
    c_found:   cover (lookup_valid_i && lookup_ready_o && lookup_key_i == f_key && f_inside_q == 2);
  end
