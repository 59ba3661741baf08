// dedup_read (contexts may do anything, but ask for one thing at a time): stream_check inside proves the l2 and probe
// streams; here: one context per accepted read, a probe answer or an intra reply is never lost, forwards wait their
// turn. The contexts get what their contract says. With DEDUP_READ_WHOLE they are inside, and keep their half.
  `include "reset.svh"
  always_comb m_read: assume (!rd_valid_i || rd_mask_i != '0);
  `include "dedup_read_contract.svh"
  `FORWARD_RULE(forward, assume, forward_i, rd_mask_i)
  `REGION_RULE(region, assert, region_read_o, region_busy_i)
  `LOAD_RULE(load, assert, load_ok_o, load_i)
  `include "dedup_banks_contract.svh"
  `HOLD_RULE(hold, assert, bank_re_o, load_hold_i)
  // The lookups of the contexts, at the ports of dedup.
  `include "port_rule.svh"
  logic [Contexts-1:0] f_type_rsp, f_mask_rsp, f_addr_rsp;
  always_comb begin
    for (int unsigned c = 0; c < Contexts; c++) begin
      f_type_rsp[c] = type_rsp_valid_i && 32'(type_rsp_id_i) == c;
      f_mask_rsp[c] = mask_rsp_valid_i && 32'(mask_rsp_id_i) == c;
      f_addr_rsp[c] = addr_rsp_valid_i && 32'(addr_rsp_id_i) == c;
    end
  end
  `PORT_RULE(type_port, assume, assert, Contexts, type_want_o, type_grant_i, {Contexts{type_deny_i}}, f_type_rsp)
  `PORT_RULE(mask_port, assume, assert, Contexts, mask_want_o, mask_grant_i, {Contexts{1'b0}}, f_mask_rsp)
  `PORT_RULE(addr_port, assume, assert, Contexts, addr_want_o, addr_grant_i, {Contexts{1'b0}}, f_addr_rsp)
  `DENY_RULE(deny, assume, type_grant_i, {Contexts{type_deny_i}}, type_of_ref_o)
  `GRANT_RULE(dram_port, assume, dram_want_o, dram_grant_i)
  // The L2 answers the probes that it took, by id: the contexts, and the commit behind them. f_asked: in the register.
  logic [Contexts:0] f_asked, f_taken_q, f_l2_rsp;
  always_comb begin
    for (int unsigned c = 0; c <= Contexts; c++) begin
      f_asked[c]  = probe_valid_o && 32'(probe_id_o) == c;
      f_l2_rsp[c] = probe_rsp_valid_i && 32'(probe_rsp_id_i) == c;
    end
  end
  always_ff @(posedge clk_i)
    f_taken_q <= rst_ni ? (f_taken_q & ~(f_l2_rsp & {Contexts + 1{probe_rsp_ready_o}})) |
                          (f_asked & {Contexts + 1{probe_ready_i}}) : '0;
  always_comb if (f_started_q) m_l2: assume ((f_l2_rsp & ~f_taken_q) == '0);
  // The probe of the commit.
  `PORT_RULE(seq_probe, assert, assume, 1, Verify && seq_probe_want_i, seq_probe_grant_o, 1'b0, seq_probe_rsp_o)
`ifdef DEDUP_READ_WHOLE
  `define PROMISE_CONTEXT assert
`else
  `define PROMISE_CONTEXT assume
`endif
  `define PROMISE_USER assert
  if (1) begin : g_contract
    localparam int unsigned CN = Contexts;
    logic [CN-1:0]   c_alloc, c_free, c_type, c_type_grant, c_of_ref, c_deny, c_mask, c_mask_grant, c_addr;
    logic [CN-1:0]   c_addr_grant, c_dram, c_dram_grant, c_intra, c_intra_grant, c_probe, c_probe_grant;
    logic [CN-1:0]   c_type_rsp, c_mask_rsp, c_addr_rsp, c_probe_rsp;
    logic [3:0]      c_alloc_mask, c_hit;
    logic [4*CN-1:0] c_left;
    assign {c_alloc, c_alloc_mask, c_free} = {alloc, rest, free};
    assign {c_type, c_type_grant, c_type_rsp} = {type_want_o, type_grant_i, f_type_rsp};
    assign {c_of_ref, c_deny} = {type_of_ref_o, {CN{type_deny_i}}};
    assign {c_mask, c_mask_grant, c_mask_rsp} = {mask_want_o, mask_grant_i, f_mask_rsp};
    assign {c_addr, c_addr_grant, c_addr_rsp} = {addr_want_o, addr_grant_i, f_addr_rsp};
    assign {c_dram, c_dram_grant, c_intra, c_intra_grant} = {dram_want_o, dram_grant_i, intra_want, intra_grant};
    assign {c_probe, c_probe_grant, c_probe_rsp, c_left} = {probe_want, probe_grant, probe_rsp, ctx_mask};
`ifdef PLANT_READ_COPIES_UNASKED
    assign c_hit = probed_in_buffer_i ? '0 : probe_rsp_mask_i;  // planted bug: all that the L2 has
`else
    assign c_hit = copied;
`endif
    `include "dedup_context_contract.svh"
  end
  `undef PROMISE_USER
  `undef PROMISE_CONTEXT
  always_comb if (f_started_q) begin
    // a probe that is open is in the register, or the L2 has it
    a_probes:     assert (g_contract.g_context_probe.f_out_q == (f_asked[Contexts-1:0] | f_taken_q[Contexts-1:0]));
    a_seq_probes: assert (g_seq_probe.f_out_q == (f_asked[Contexts] || f_taken_q[Contexts]) &&
                          (Verify || !g_seq_probe.f_out_q));
    a_one_place:  assert ((f_asked & f_taken_q) == '0);
    a_lookups:    assert (g_contract.g_context_type.f_out_q == g_type_port.f_out_q &&
                          g_contract.g_context_mask.f_out_q == g_mask_port.f_out_q &&
                          g_contract.g_context_addr.f_out_q == g_addr_port.f_out_q);
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
