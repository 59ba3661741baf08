// request_controller against the thesis's flowchart (figure 4.5), for all inputs with something needed.
  logic [2:0] f_size;
  logic       f_whole;
  always_comb begin
    m_need: assume (need_i != '0);
    f_size  = 3'(need_i[0]) + 3'(need_i[1]) + 3'(need_i[2]) + 3'(need_i[3]);
    f_whole = f_size == 3'd4;
    if (enable_i && fdr_over_i) f_whole = 1'b1;
    if (enable_i && again_i) f_whole = 1'b1;
    if (enable_i && f_size <= 3'd2 && ica_over_i[0]) f_whole = 1'b1;
    if (enable_i && f_size == 3'd3 && ica_over_i[1]) f_whole = 1'b1;
  end
  always_comb begin
    a_want:        assert (want_o == (f_whole ? 4'hf : need_i));
    a_covers_need: assert ((need_i & ~(send_o | asked_i)) == '0);
    a_never_twice: assert ((send_o & asked_i) == '0);
    a_send:        assert ((send_o | (want_o & asked_i)) == want_o);
    a_reason:      assert ((reason_o == Partial) == !f_whole && reason_o <= Ica);
    a_first_rule:  assert ((reason_o == Demanded) == (f_size == 3'd4));
    a_fdr_first:   assert (!(enable_i && fdr_over_i) || reason_o == Demanded || reason_o == Fdr);
    a_again_next:  assert (!(enable_i && again_i) || reason_o == Demanded || reason_o == Fdr || reason_o == Again);
    c_partial:     cover (reason_o == Partial && enable_i);
    c_fdr:         cover (reason_o == Fdr);
    c_again:       cover (reason_o == Again && send_o != '1);
    c_ica_64:      cover (reason_o == Ica && f_size == 3'd1);
    c_ica_96:      cover (reason_o == Ica && f_size == 3'd3 && !ica_over_i[0]);
  end
