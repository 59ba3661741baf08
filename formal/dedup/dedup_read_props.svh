// dedup_read (contexts may do anything): stream_check inside proves the l2 and probe streams; here: one
// context per accepted read, a probe answer or an intra reply is never lost, forwards wait their turn.
  `include "reset.svh"
  always_comb begin
    m_read: assume (!rd_valid_i || (rd_mask_i != '0 && (forward_i & ~rd_mask_i) == '0));
  end
  always_comb if (f_started_q && rst_ni) begin
    a_one_context:    assert ($onehot0(alloc) && (alloc & ~free) == '0);
    a_rest_has_one:   assert (!(accept && rest != '0) || alloc != '0);
    a_one_load:       assert ($onehot0({l2_load_probe, l2_load_intra, l2_load_fwd}));
    a_load_when_free: assert (!(l2_load_probe || l2_load_intra || l2_load_fwd) || !l2_valid_o);
    a_intra_loads:    assert ((intra_grant != '0) == l2_load_intra && $onehot0(intra_grant));
    a_forward_waits:  assert (!(forward && fwd_valid_q));
    a_banks_kept:     assert (!(fwd_valid_q && bank_re_o));
    a_region_alone:   assert (!(region_read_o && region_busy_i));
    a_some_is_held:   assert (!(alloc != '0 && some_i) || hold);
    a_open_closes:    assert (wr_close_o == (open != '0));
    a_banks_held:     assert (!(load_hold_i && bank_re_o));
  end
  logic f_want_q;
  always_ff @(posedge clk_i) f_want_q <= f_started_q && rst_ni && seq_probe_grant_o;
  logic [LineBits-1:0] f_line_q;
  logic [3:0]          f_mask_q;
  always_ff @(posedge clk_i) begin
    f_line_q <= seq_probe_line_i;
    f_mask_q <= seq_probe_mask_i;
  end
  always_comb if (f_started_q && Verify) begin
    a_seq_probe_comes: assert (!f_want_q || (probe_valid_o && probe_id_o == IdBits'(Contexts) &&
                                             probe_line_o == f_line_q && probe_mask_o == f_mask_q));
    a_seq_probe_hit:   assert (!(seq_probe_rsp_o && probed_in_buffer_i) || seq_probe_hit_o == '0);
    a_seq_probe_alone: assert (!seq_probe_rsp_o || !l2_load_probe);
  end
