// dedup_guard: it opens only when the unit is at rest and neither drain_i nor warm_i is high. From a warm reset
// until then it drops. Each probe gets one answer. One freely chosen probe id and one cache are followed.
//
// Assumed of the unit (busy_o of dedup_unit): while it is not busy it asks for nothing. Not busy, with no probe and no
// fetch to come, it stays so until a request is taken, which needs open_o.
  `include "reset.svh"

  (* anyconst *) logic [IdBits-1:0] f_id;
  logic [Ids-1:0]              f_asked_q;  // by what was sent and came back
  logic [Caches*FetchBits-1:0] f_fetches_q;
  logic                        f_rest, f_rested_q, f_was_open_q, f_image_q, f_warm_q, f_stay_q, f_drained_q, f_drop_q;
  assign f_rest = !busy_i && f_asked_q == '0 && f_fetches_q == '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_asked_q   <= '0;
      f_fetches_q <= '0;
    end else begin
      f_asked_q <= (f_asked_q | sent) & ~back;
      for (int unsigned c = 0; c < Caches; c++) begin
        f_fetches_q[c*FetchBits +: FetchBits] <=
          f_fetches_q[c*FetchBits +: FetchBits] + FetchBits'(fetch_i[c]) - FetchBits'(fill_i[c]);
      end
    end
    f_rested_q   <= rst_ni && f_rest && !open_o;
    f_was_open_q <= rst_ni && open_o;
    f_image_q    <= rst_ni && image_done_i;
    f_warm_q     <= rst_ni && warm_i;
    f_stay_q     <= rst_ni && (warm_i || drain_i);
    f_drained_q  <= rst_ni && drained_o;
    f_drop_q     <= rst_ni && drop_o;
  end
  always_comb begin
    m_id:        assume (32'(f_id) < Ids);
    m_known:     assume ((!sent_i || 32'(sent_id_i) < Ids) && (!back_i || 32'(back_id_i) < Ids));
    m_one:       assume ((sent & f_asked_q) == '0);
    m_asked_for: assume ((back & ~f_asked_q) == '0);
    m_own:       assume (!back_i || !drop_o || (answer_valid_o && back_id_i == answer_id_o));  // dedup_safe wires it so
    m_idle:      assume (busy_i || (!sent_i && fetch_i == '0));
    if (f_started_q) begin
      m_rests: assume (!f_rested_q || !busy_i);
      m_image: assume (!f_image_q || !rst_ni || image_done_i);
    end
  end
  for (genvar c = 0; c < Caches; c++) begin : g_f_cache
    always_comb begin
      assume (!fetch_i[c] || fill_i[c] || f_fetches_q[c*FetchBits +: FetchBits] != FetchBits'(Fetches));
      assume (!fill_i[c] || f_fetches_q[c*FetchBits +: FetchBits] != '0);
    end
  end

  always_comb if (f_started_q) begin
    a_opens_at_rest:    assert (!open_o || f_was_open_q || (f_rested_q && f_image_q && !f_stay_q && f_drained_q));
    a_closes_at_once:   assert (!f_stay_q || !open_o);
    a_stays_open:       assert (!f_was_open_q || !rst_ni || f_stay_q || open_o);
    a_drops_at_once:    assert (!f_warm_q || drop_o);
    a_drops_until_open: assert (!f_drop_q || drop_o || open_o);
    a_drops_closed:     assert (!drop_o || !open_o);
    a_drained:          assert (!drained_o || (f_rest && !open_o && f_image_q));
    a_drained_stays:    assert (!f_drained_q || drained_o || open_o);
    a_answer_asked:     assert (!answer_valid_o || (drop_o && 32'(answer_id_o) < Ids && f_asked_q[answer_id_o]));
    a_answer_comes:     assert (!(f_drop_q && drop_o && f_late_q && f_asked_q[f_id]) || answer_valid_o);
    // Invariants.
    a_asked:            assert (asked_q == f_asked_q);
    a_fetches:          assert (fetches_q == f_fetches_q);
  end
  // Probe f_id has been without an answer for a cycle at least, and the one on offer was not taken in it.
  logic f_late_q;
  always_ff @(posedge clk_i) f_late_q <= rst_ni && drop_o && f_asked_q[f_id] && !back_i;
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_opens:          cover (open_o && f_drained_q);
    c_drops_and_open: cover (open_o && f_drop_q);
    c_answers:        cover (back_i && drop_o && answer_id_o == f_id);
  end
