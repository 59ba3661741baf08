// axis_to_line: every legal packet gives its line, once, unchanged, in order; every illegal one is reported and gives
// none.
//
// The packets are counted and judged at the input by their bytes. One of them is chosen freely, and one bit of its
// line: what holds for it holds for all.
`ifdef FORMAL_AXIS_TO_LINE_LIVE
  `include "axis_to_line_live_props.svh"
`else
  `include "reset.svh"
  localparam int unsigned AtBits = $clog2(LineBits + 1);
  localparam int unsigned Most   = LineBytes + 1;  // bytes are counted up to here
  (* anyseq *)   logic              f_choose;
  (* anyconst *) logic [AtBits-1:0] f_at;  // the bit that is followed
  always_comb m_bit_of_the_line: assume (32'(f_at) < LineBits);

  // The beat at the input.
  logic        f_in, f_out, f_full_beat, f_starts_at_0, f_ends, f_good, f_here;
  logic [15:0] f_kept, f_sum;
  always_comb begin
    f_kept        = '0;
    f_starts_at_0 = s_axis_tkeep_i[0];
    for (int unsigned i = 0; i < DataBytes; i++) f_kept = f_kept + 16'(s_axis_tkeep_i[i]);
    for (int unsigned i = 1; i < DataBytes; i++) begin
      if (s_axis_tkeep_i[i] && !s_axis_tkeep_i[i-1]) f_starts_at_0 = 1'b0;
    end
  end
  assign f_in        = s_axis_tvalid_i && s_axis_tready_o;
  assign f_out       = out_valid_o && out_ready_i;
  assign f_full_beat = f_kept == 16'(DataBytes);

  // The packet at the input.
  logic [15:0] f_bytes_q;   // so far
  logic        f_broken_q, f_bit_q, f_chosen_q;
  logic        f_bit, f_chosen;
  logic [UserBits-1:0] f_user_q, f_user;
  assign f_sum    = f_bytes_q + f_kept;
  assign f_ends   = f_in && s_axis_tlast_i;
  assign f_good   = !f_broken_q && f_starts_at_0 && (Exact != 0 ? f_sum == 16'(LineBytes) : f_sum <= 16'(LineBytes));
  assign f_here   = 16'(f_at) >> 3 >= f_bytes_q && 16'(f_at) >> 3 < f_bytes_q + 16'(DataBytes);
  assign f_chosen = f_bytes_q == '0 && !f_broken_q ? f_choose && !f_tracked_q : f_chosen_q;
  assign f_user   = f_bytes_q == '0 && !f_broken_q ? s_axis_tuser_i : f_user_q;
  always_comb begin
    f_bit = f_bytes_q == '0 ? 1'b0 : f_bit_q;
    for (int unsigned i = 0; i < 8 * DataBytes; i++) begin
      if (f_here && 16'(i) == 16'(f_at) - (f_bytes_q << 3) && s_axis_tkeep_i[i/8]) f_bit = s_axis_tdata_i[i];
    end
  end

  // What is inside.
  logic                f_tracked_q, f_expect_q;
  logic [UserBits-1:0] f_expect_user_q;
  logic [1:0]          f_held_q, f_ahead_q;  // lines; lines before the chosen one
  logic [1:0]          f_bad_q;              // illegal packets not reported yet
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_bytes_q   <= '0;
      f_broken_q  <= 1'b0;
      f_tracked_q <= 1'b0;
      f_chosen_q  <= 1'b0;
      f_held_q    <= '0;
      f_bad_q     <= '0;
    end else begin
      if (f_in) begin
        f_bytes_q  <= s_axis_tlast_i ? '0 : f_sum > 16'(Most) ? 16'(Most) : f_sum;
        f_broken_q <= !s_axis_tlast_i && (f_broken_q || !f_full_beat);
        f_bit_q    <= f_bit;
        f_user_q   <= f_user;
        f_chosen_q <= !s_axis_tlast_i && f_chosen;
      end
      f_held_q <= f_held_q + 2'(f_ends && f_good) - 2'(f_out);
      f_bad_q  <= f_bad_q + 2'(f_ends && !f_good) - 2'(bad_packet_o);
      if (f_ends && f_good && f_chosen) begin
        f_tracked_q     <= 1'b1;
        f_ahead_q       <= f_held_q - 2'(f_out);
        f_expect_q      <= f_bit;
        f_expect_user_q <= f_user;
      end else if (f_tracked_q && f_out) begin
        f_tracked_q <= f_ahead_q != '0;
        f_ahead_q   <= f_ahead_q - 1'b1;
      end
    end
  end

  logic f_line_waited_q;
  always_ff @(posedge clk_i) f_line_waited_q <= rst_ni && out_valid_o && !out_ready_i;
  always_comb if (f_started_q) begin
    a_line_iff_packet:    assert (out_valid_o == (f_held_q != '0));
    a_in_order:           assert (!(f_tracked_q && f_ahead_q == '0) || (out_line_o[f_at] == f_expect_q && out_user_o == f_expect_user_q));
    a_not_lost:           assert (!f_tracked_q || f_ahead_q < f_held_q);
    a_two_lines_at_most:  assert (f_held_q <= 2'd2);
    a_bad_has_a_packet:   assert (!bad_packet_o || f_bad_q != '0);
    a_bad_is_reported:    assert (f_bad_q == '0 || bad_packet_o || spare_valid_q);
    a_bad_gives_no_line:  assert (!bad_packet_o || !out_valid_o);
    a_ready_unless_wait:  assert (s_axis_tready_o || f_line_waited_q);  // a beat per cycle
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_tracked_leaves:  cover (f_tracked_q && f_out && f_ahead_q == '0 && f_expect_q);
    c_second_follows:  cover (f_tracked_q && f_ahead_q == 2'd1);
    c_bad_from_spare:  cover (spare_valid_q && move && last && !done);
    c_too_long:        cover (f_ends && f_bytes_q == 16'(Most));
    c_spare_then_free: cover (f_line_waited_q && f_out && spare_valid_q);
  end
`endif
