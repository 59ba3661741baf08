// dedup_safe: for any behaviour of dedup_unit (a stub). What must not pass does not. While it is open everything does.
//
// Assumed of the unit, which stream_check.sv asserts in it: what it offers to DRAM stays.
  `include "reset.svh"
  `include "stream_rule.svh"
  `STREAM_RULE(unit, assume, 3, unit_dram && awake_q, dram_ready_i || drop_read, unit_kind)
  `STREAM_RULE(dram, assert, 3, dram_valid_o, dram_ready_i, dram_kind_o)
  `STREAM_RULE(type_image, assert, LineBits - 7 + 256 + 1, !image_done && type_mem_req_valid_o, type_mem_req_ready_i,
               {type_mem_req_write_o, type_mem_req_sector_o, type_mem_req_data_o})

  (* anyconst *) logic [LineBits:0] f_total, f_spare;
  (* anyconst *) logic              f_sleep;
  always_comb begin
    m_static: assume (cfg_total_lines_i == f_total && cfg_spare_lines_i == f_spare && cfg_sleep_i == f_sleep);
    m_lines:  assume (f_spare != '0 && f_spare < f_total && f_total <= {1'b1, {LineBits{1'b0}}});
  end
  wire f_read = dram_valid && dram_kind_o < 3'd2;  // for the L2
  always_comb if (f_started_q) begin
    a_closed:       assert (open_o || !(rd_ready_o || wr_ready_o));
    a_open:         assert (!open_o || !awake_q || (rd_ready_o == rd_ready && wr_ready_o == wr_ready && image_done));
    a_open_asleep:  assert (!open_o || awake_q || (rd_ready_o == skid_in_ready && !wr_ready_o));
    a_open_l2:      assert (!open_o || !awake_q || (l2_valid_o == unit_l2 && probe_valid_o == unit_probe));
    a_open_dram:    assert (!open_o || dram_valid_o == (awake_q ? unit_dram : skid_valid));
    a_open_type:    assert (!open_o || type_mem_req_valid_o == (type_unit_valid && awake_q));
    a_open_mask:    assert (!open_o || mask_mem_req_valid_o == (mask_unit_valid && awake_q));
    a_open_lent:    assert (!open_o || lent_mem_req_valid_o == (lent_unit_valid && awake_q));
    a_dropped:      assert (!drop || !(l2_valid_o || probe_valid_o || probe_rsp_ready_o));
    a_dropped_read: assert (!drop || !f_read || !dram_valid_o || offered_q);
    a_others_pass:  assert (!dram_valid || f_read || dram_valid_o);
    a_no_fetch:     assert (image_done || !(type_mem_req_valid_o && !type_mem_req_write_o) ||
                            !(mask_mem_req_valid_o && !mask_mem_req_write_o));
    a_unit_closed:  assert (open_o || !(unit_rd_valid || unit_wr_valid));
    a_unit_probes:  assert (!drop || unit_probe_mask == '0);
  end
  // A lost word closes the unit, for as long as its table stands.
  logic f_fatal_q;
  always_ff @(posedge clk_i) f_fatal_q <= rst_ni && fatal_o;
  always_comb if (f_started_q) begin
    a_lost_closes: assert (!(f_fatal_q && fatal_o) || (!open_o && !unit_rd_valid && !unit_wr_valid));
    a_lost_awake:  assert (!fatal_o || awake_q);
  end
  // Sleep: nothing leaves a unit that is off. It wakes with supply, and with no read on its way by it.
  logic f_awake_q, f_good_q, f_skid_q, f_open_q;
  always_ff @(posedge clk_i) begin
    f_awake_q <= rst_ni && awake_q;
    f_good_q  <= power_good_i && power_o;
    f_skid_q  <= skid_valid;
    f_open_q  <= open_o;
  end
  always_comb if (f_started_q) begin
    a_off:          assert (awake_q || !(l2_valid_o || probe_valid_o || probe_rsp_ready_o || done_valid_o || wr_ready_o));
    a_off_memory:   assert (awake_q || !(addr_mem_req_valid_o || unit_rst_n));
    a_off_dram:     assert (awake_q || !dram_valid_o || dram_kind_o == 3'd0);
    a_off_image:    assert (awake_q || !image_done ||
                            !(type_mem_req_valid_o || mask_mem_req_valid_o || lent_mem_req_valid_o));
    a_wakes:        assert (!awake_q || f_awake_q || (f_good_q && !f_skid_q && !f_open_q));
    a_stays_awake:  assert (!f_awake_q || !rst_ni || awake_q);
    a_power:        assert (power_o || !awake_q);
    a_settled:      assert (!open_o || !awake_q || settled_q);
  end
  always_comb if (f_started_q) begin  // invariants
    a_open_image: assert (!(open_o || drained_o) || image_done);
    a_open_drop:  assert (!(open_o && drop));
    a_skid_done:  assert (!awake_q || !skid_valid);
    a_settled_on: assert (awake_q || !settled_q);
    a_waking:     assert (!drained_o || !waking);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_opens: cover (open_o);
    c_drops: cover (drop && drop_read);
    c_wakes: cover (awake_q && !f_awake_q && cfg_sleep_i);
  end
