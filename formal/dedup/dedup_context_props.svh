// dedup_context: a chosen sector of an accepted read is served exactly once, from the place its type and
// mask name; a port request stays unchanged until granted; the context ends when nothing is left. Its answers come as
// dedup_read promises.
  `include "reset.svh"
  (* anyconst *) logic [1:0] f_sector;
  logic f_todo_q;     // the sector of the current read is still to be served
  logic f_served, f_home, f_slot, f_intra, f_copy;
  logic f_type_q, f_mask_q, f_addr_q, f_dram_q, f_probe_q, f_intra_q;  // asked in the last cycle, not granted
  logic [LineBits-1:0] f_type_line_q, f_dram_line_q;
  logic [3:0] f_dram_mask_q, f_mask_o_q;
`ifdef DEDUP_READ_WHOLE  // inside dedup_read, which keeps its half
  `define PROMISE_USER assert
`else
  `define PROMISE_USER assume
`endif
  `define PROMISE_CONTEXT assert
  if (1) begin : g_contract
    localparam int unsigned CN = 1;
    logic       c_alloc, c_free, c_type, c_type_grant, c_of_ref, c_deny, c_mask, c_mask_grant, c_addr, c_addr_grant;
    logic       c_dram, c_dram_grant, c_intra, c_intra_grant, c_probe, c_probe_grant;
    logic       c_type_rsp, c_mask_rsp, c_addr_rsp, c_probe_rsp;
    logic [3:0] c_alloc_mask, c_hit, c_left;
    assign {c_alloc, c_alloc_mask, c_free} = {alloc_i, alloc_mask_i, free_o};
    assign {c_type, c_type_grant, c_type_rsp} = {type_want_o, type_grant_i, type_rsp_i};
    assign {c_of_ref, c_deny} = {type_of_ref_o, type_deny_i};
    assign {c_mask, c_mask_grant, c_mask_rsp} = {mask_want_o, mask_grant_i, mask_rsp_i};
    assign {c_addr, c_addr_grant, c_addr_rsp} = {addr_want_o, addr_grant_i, addr_rsp_i};
    assign {c_dram, c_dram_grant, c_intra, c_intra_grant} = {dram_want_o, dram_grant_i, intra_want_o, intra_grant_i};
    assign {c_probe, c_probe_grant, c_probe_rsp} = {probe_want_o, probe_grant_i, probe_rsp_i};
    assign {c_hit, c_left} = {probe_hit_i, mask_o};
    `include "dedup_context_contract.svh"
  end
  `undef PROMISE_USER
  `undef PROMISE_CONTEXT
  always_comb if (f_started_q) begin  // what is open follows from the state
    a_type_open:  assert (g_contract.g_context_type.f_out_q ==
                          ((state_q == Look && type_sent_q && !type_got_q) || state_q == RefType));
    a_mask_open:  assert (g_contract.g_context_mask.f_out_q == (state_q == Look && mask_sent_q && !mask_got_q));
    a_addr_open:  assert (g_contract.g_context_addr.f_out_q == (state_q == MapWait));
    a_probe_open: assert (g_contract.g_context_probe.f_out_q == (state_q == ProbeWait));
  end
  assign f_home   = dram_grant_i && !dram_slot_o && dram_mask_o[f_sector];
  assign f_slot   = dram_grant_i && dram_slot_o && dram_mask_o[f_sector];
  assign f_intra  = intra_grant_i && mask_o[f_sector];
  assign f_copy   = probe_rsp_i && probe_hit_i[f_sector];
  assign f_served = f_home || f_slot || f_intra || f_copy;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_todo_q <= 1'b0;
    else if (alloc_i) f_todo_q <= alloc_mask_i[f_sector];
    else if (f_served) f_todo_q <= 1'b0;
    f_type_q  <= rst_ni && type_want_o && !type_grant_i;
    f_mask_q  <= rst_ni && mask_want_o && !mask_grant_i;
    f_addr_q  <= rst_ni && addr_want_o && !addr_grant_i;
    f_dram_q  <= rst_ni && dram_want_o && !dram_grant_i;
    f_probe_q <= rst_ni && probe_want_o && !probe_grant_i;
    f_intra_q <= rst_ni && intra_want_o && !intra_grant_i;
    f_type_line_q <= type_line_o;
    f_dram_line_q <= dram_line_o;
    f_dram_mask_q <= dram_mask_o;
    f_mask_o_q    <= mask_o;
  end
  logic f_mapped;
  assign f_mapped = mapped && block_mask_q[f_sector];  // masked sector of type 01 or 10
  always_comb if (f_started_q) begin
    a_legal_state:    assert (state_q <= Slot);
    a_todo_is_mask:   assert (free_o || f_todo_q == mask_q[f_sector]);
    a_free_is_done:   assert (!free_o || !f_todo_q);
    a_served_once:    assert (!f_served || f_todo_q);
    a_home_is_home:   assert (!f_home || (!f_mapped && dram_line_o == line_q));
    a_slot_is_mapped: assert (!f_slot || (f_mapped && type_q == 2'b10 && dram_line_o == map_q[LineBits-1:0]));
    a_intra_is_intra: assert (!f_intra || (f_mapped && type_q == 2'b01));
    a_copy_is_mapped: assert (!f_copy || (f_mapped && type_q == 2'b10 && ref_lock_o && cfg_car_i));
    // what remains after the home sectors is mapped
    a_rest_is_mapped: assert (state_q <= Home || !mask_q[f_sector] || f_mapped);
    a_map_not_empty:  assert (free_o || mask_q != '0);
    a_mapped_states:  assert (state_q <= Home || mapped);
    a_home_mask:      assert (state_q != Home || home != '0);
    a_intra_state:    assert (state_q != Intra || type_q == 2'b01);
    a_slot_states:    assert (state_q < RefCheck || type_q == 2'b10);
    a_car_states:     assert (!(state_q == RefCheck || ref_lock_o) || cfg_car_i);
    a_filter_home:    assert (!(state_q == Home && type_q == 2'b00) || home == mask_q);
    a_nothing_sent:   assert (!(state_q == Hold || state_q == Filter) || !(type_sent_q || mask_sent_q || type_got_q || mask_got_q));
    a_sent_before_got: assert (state_q != Look || ((!type_got_q || type_sent_q) && (!mask_got_q || mask_sent_q)));
    a_type_stays:     assert (!f_type_q || (type_want_o && type_line_o == f_type_line_q));
    a_mask_stays:     assert (!f_mask_q || mask_want_o);
    a_addr_stays:     assert (!f_addr_q || addr_want_o);
    a_dram_stays:     assert (!f_dram_q || (dram_want_o && dram_line_o == f_dram_line_q && dram_mask_o == f_dram_mask_q));
    a_probe_stays:    assert (!f_probe_q || (probe_want_o && mask_o == f_mask_o_q));
    a_intra_stays:    assert (!f_intra_q || (intra_want_o && mask_o == f_mask_o_q));
  end
  // C14: a copy comes only from a reference whose type was seen to be resident.
  logic f_resident_q;
  always_ff @(posedge clk_i) if (type_rsp_i && state_q == RefType) f_resident_q <= type_data_i == 2'b11;
  always_comb if (f_started_q) a_copy_of_resident: assert (!(state_q == Probe || state_q == ProbeWait) || f_resident_q);
  logic f_car_q;
  always_ff @(posedge clk_i) f_car_q <= cfg_car_i;
  always_comb if (f_started_q) m_static: assume (cfg_car_i == f_car_q);
  // A held read goes on when the writes that it was told of are done, and says while the last one is pending.
  logic [1:0] f_wait_q;
  logic       f_open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_wait_q <= '0;
    else if (alloc_i) f_wait_q <= !alloc_hold_i ? 2'd0 : alloc_more_i ? 2'd2 : 2'd1;
    else if (release_i && f_wait_q != '0) f_wait_q <= f_wait_q - 1'b1;
    if (!rst_ni) f_open_q <= 1'b0;
    else if (alloc_i) f_open_q <= alloc_hold_i && alloc_open_i;
    else if (take_i) f_open_q <= 1'b0;
  end
  always_comb if (f_started_q) begin
    a_holds_for_all: assert (f_wait_q != 2'd3 && (f_wait_q != '0) == (state_q == Hold));
    a_more_is_two:   assert (state_q != Hold || more_q == (f_wait_q == 2'd2));
    a_open_is_told:  assert (state_q != Hold || open_o == f_open_q);
    a_open_holds:    assert (!open_o || state_q == Hold);
  end
