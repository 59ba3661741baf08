// packet_filter with any table (its outputs are free: stub=pdr_table). The proof follows one freely chosen mask from
// the cycle in which the encoders take it to its packet. It leaves once, unchanged, after exactly those ahead of it.
`ifdef FORMAL_PACKET_FILTER_LIVE
  `include "packet_filter_live_props.svh"
`else
  `include "reset.svh"
  (* anyseq *) logic f_choose;
  logic        f_sent, f_sized, f_gone, f_tracked_q, f_full_q, f_formed_q, f_part_q;
  logic [3:0]  f_asked_q;
  logic [15:0] f_waiting_q, f_formed_count_q, f_ahead_q;  // masks without size; packets formed; ahead of the chosen one
  assign f_sent  = mask_valid_o && mask_ready_i;
  assign f_sized = size_fire;
  assign f_gone  = out_valid_o && out_ready_i;
  always_comb begin
    // The table keeps its promise: what is asked of a reply in full or not is more than nothing.
    m_sizes: assume (size_whole_bits_i >= 11'd1 && size_whole_bits_i <= 11'd1024 && size_part_bits_i >= 11'd1 &&
                            size_part_bits_i <= 11'd1024);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_tracked_q      <= 1'b0;
      f_waiting_q      <= '0;
      f_formed_count_q <= '0;
    end else begin
      f_waiting_q      <= f_waiting_q + 16'(f_sent) - 16'(f_sized);
      f_formed_count_q <= f_formed_count_q + 16'(f_sized) - 16'(f_gone);
      if (f_tracked_q && f_gone) begin
        f_tracked_q <= f_ahead_q != '0;
        f_ahead_q   <= f_ahead_q - 1'b1;
      end else if (!f_tracked_q && f_sent && f_choose) begin
        f_tracked_q <= 1'b1;
        f_ahead_q   <= f_waiting_q + f_formed_count_q - 16'(f_gone);
        f_asked_q   <= mask_asked_o;
        f_full_q    <= mask_full_o;
      end
    end
  end
  always_comb if (f_started_q && rst_ni) begin
    a_size_needs_mask: assert (!size_ready_o || f_waiting_q != '0);
    a_in_flight:       assert (32'(f_waiting_q) <= InFlight);
    a_offers_iff:      assert (mask_valid_o == (mask_valid && 32'(f_waiting_q) != InFlight));
    a_out_iff_formed:  assert (out_valid_o == (f_formed_count_q != '0));
    a_answers_its_own: assert (!(f_tracked_q && f_ahead_q == '0 && out_valid_o) || out_asked_o == f_asked_q);
    a_full_is_whole:   assert (!(f_tracked_q && f_ahead_q == '0 && out_valid_o && f_full_q) || out_map_o == '1);
    a_map_is_asked:    assert (!out_valid_o || out_map_o == '1 || out_map_o == out_asked_o);
    a_not_lost:        assert (!f_tracked_q || f_ahead_q < f_waiting_q + f_formed_count_q);
  end
`endif
