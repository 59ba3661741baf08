// axis_from_line: the bytes of every line leave once, in order, with keep, user and last as they must be.
//
// One line is chosen freely, and one bit of it. The beats are counted at the output, from one tlast to the next.
`ifdef FORMAL_AXIS_FROM_LINE_LIVE
  `include "axis_from_line_live_props.svh"
`else
  `include "reset.svh"
  localparam int unsigned AtBits = $clog2(LineBits + 1);
  (* anyseq *)   logic              f_choose;
  (* anyconst *) logic [AtBits-1:0] f_at;  // the bit that is followed
  always_comb m_bit_of_the_line: assume (32'(f_at) < LineBits);
  `include "line_length.svh"
  `LINE_LENGTH(in_length, assume, in_valid_i, in_length_i, LineBits)

  logic        f_in, f_out, f_ends, f_tracked_q, f_bit_q, f_here;
  logic [1:0]  f_held_q, f_ahead_q;  // lines inside; lines before the chosen one
  logic [15:0] f_sent_q;             // bytes of the packet on its way before the beat on offer
  logic [15:0] f_bytes_q;            // of the chosen line
  logic [UserBits-1:0] f_user_q;
  logic        f_out_bit;
  assign f_in   = in_valid_i && in_ready_o;
  assign f_out  = m_axis_tvalid_o && m_axis_tready_i;
  assign f_ends = f_out && m_axis_tlast_o;
  assign f_here = 16'(f_at) >> 3 >= f_sent_q && 16'(f_at) >> 3 < f_sent_q + 16'(DataBytes);
  always_comb begin
    f_out_bit = 1'b0;
    for (int unsigned i = 0; i < 8 * DataBytes; i++) begin
      if (16'(i) == 16'(f_at) - (f_sent_q << 3)) f_out_bit = m_axis_tdata_o[i];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_tracked_q <= 1'b0;
      f_held_q    <= '0;
      f_sent_q    <= '0;
    end else begin
      f_held_q <= f_held_q + 2'(f_in) - 2'(f_ends);
      if (f_out) f_sent_q <= m_axis_tlast_o ? '0 : f_sent_q + 16'(DataBytes);
      if (f_tracked_q && f_ends) begin
        f_tracked_q <= f_ahead_q != '0;
        f_ahead_q   <= f_ahead_q - 1'b1;
      end else if (!f_tracked_q && f_in && f_choose) begin
        f_tracked_q <= 1'b1;
        f_ahead_q   <= f_held_q - 2'(f_ends);
        f_bit_q     <= in_line_i[f_at];
        f_user_q    <= in_user_i;
        f_bytes_q   <= (16'(in_length_i) + 16'd7) >> 3;
      end
    end
  end

  logic                 f_mine;
  logic [DataBytes-1:0] f_keep;
  for (genvar i = 0; i < DataBytes; i++) begin : g_f_keep
    assign f_keep[i] = f_sent_q + 16'(i) < f_bytes_q;
  end
  assign f_mine = f_tracked_q && f_ahead_q == '0 && m_axis_tvalid_o;
  always_comb if (f_started_q) begin
    a_beat_has_a_line:   assert (!m_axis_tvalid_o || f_held_q != '0);
    a_not_lost:          assert (!f_tracked_q || f_ahead_q < f_held_q);
    a_sent_or_held:      assert (f_held_q == '0 || m_axis_tvalid_o || busy);
    a_bit:               assert (!(f_mine && f_here) || f_out_bit == f_bit_q);
    a_user:              assert (!f_mine || m_axis_tuser_o == f_user_q);
    a_last:              assert (!f_mine || m_axis_tlast_o == (f_sent_q + 16'(DataBytes) >= f_bytes_q));
    a_keep:              assert (!f_mine || m_axis_tkeep_o == f_keep);
    a_three_at_most:     assert (f_held_q <= 2'd3);
  end

  // A beat per cycle: a line that waits for no beat is not kept waiting, and nothing else is.
  logic f_busy_before_q, f_stalled_q;
  always_ff @(posedge clk_i) begin
    f_busy_before_q <= rst_ni && busy;
    f_stalled_q     <= rst_ni && m_axis_tvalid_o && !m_axis_tready_i;
  end
  always_comb if (f_started_q) begin
    a_beat_after_line: assert (!f_busy_before_q || m_axis_tvalid_o);
    a_ready_at_end:    assert (in_ready_o || !last || f_stalled_q);
  end
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_tracked_leaves: cover (f_mine && f_ends && f_bit_q);
    c_three_lines:    cover (f_held_q == 2'd3);
    c_end_and_begin:  cover (f_in && f_ends);
  end
`endif
