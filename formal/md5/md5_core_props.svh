// md5_core: every cycle against RFC 1321, for any S, by induction. README.md says how the pieces compose.
  `include "reset.svh"
  `include "md5_rfc.svh"

  // The cycle before: what was fetched, and the state it started from.
  logic                 f_past_q, f_work_q, f_closing_q;
  logic [GroupBits-1:0] f_fetch_q;
  logic [32*S-1:0]      f_word_q;
  logic [31:0]          f_a_q, f_a;  // a: held by the RTL only for S > 1
  assign f_a = S == 1 ? f_a_q : a_q;
  logic [127:0]         f_state_q;   // {a, b, c, d} one cycle ago
  logic [S*32-1:0]      f_pre_q;
  logic [1:0]           f_round_q;
  logic [S*4-1:0]       f_rotate_q;
  logic [31:0]          f_extra_q;
  logic                 f_work;      // steps are being done
  assign f_work = busy_q && !add_q;
  initial f_past_q = 1'b0;
  always_ff @(posedge clk_i) begin
    f_past_q    <= rst_ni;
    f_work_q    <= f_work;
    f_closing_q <= closing;
    f_fetch_q   <= fetch_q;
    f_word_q    <= msg_word_i;
    f_a_q       <= a_d;
    f_state_q   <= {f_a, b_q, c_q, d_q};
    f_pre_q     <= pre_q;
    f_round_q   <= round_q;
    f_rotate_q  <= rotate_q;
    f_extra_q   <= extra;
  end

  // S steps of RFC 1321 from the state one cycle ago.
  logic [31:0]  f_ra, f_rb, f_rc, f_rd, f_rt, f_new;
  always_comb begin
    {f_ra, f_rb, f_rc, f_rd} = f_state_q;
    f_rt  = '0;
    f_new = '0;
    for (int j = 0; j < S; j++) begin
      f_rt  = f_pre_q[32*j +: 32];
`ifdef PLANT_CORE_OPERAND
      if (S == 4) f_rt = f_rt + (j == 2 ? f_rd : f_ra);
`else
      if (S == 4) f_rt = f_rt + f_ra;
`endif
      f_new = f_rb + f_rotl(f_rt + f_rfc_function(f_round_q, f_rb, f_rc, f_rd),
                            f_large(f_rotate_q[4*j+2 +: 2]) + {3'd0, f_rotate_q[4*j +: 2]}) + f_extra_q;
      f_ra  = f_rd;
      f_rd  = f_rc;
      f_rc  = f_rb;
      f_rb  = f_new;
    end
  end

  logic [S-1:0] f_word_ok, f_prepared_ok, f_rotate_ok, f_round_ok;
  for (genvar j = 0; j < S; j++) begin : g_formal
    logic [5:0]  f_step, f_done;  // step being fetched, step at work
    logic [31:0] f_operand;       // its a, where the RTL adds it beforehand
    if (S == 1) begin : g_number
      assign f_step    = fetch_q;
      assign f_done    = f_fetch_q;
      assign f_operand = f_a_q;
    end else begin : g_number
      assign f_step    = {fetch_q, (6 - GroupBits)'(j)};
      assign f_done    = {f_fetch_q, (6 - GroupBits)'(j)};
      assign f_operand = S == 4 ? 32'd0 : j == 0 ? a_q : d_q;
    end
`ifdef PLANT_CORE_INDEX
    assign f_word_ok[j]     = msg_index_o[4*j +: 4] == f_rfc_word({f_step[5:2] == 4'd1, f_step[4:0]});
`else
    assign f_word_ok[j]     = msg_index_o[4*j +: 4] == f_rfc_word(f_step);
`endif
    assign f_prepared_ok[j] = pre_q[32*j +: 32] ==
                              md5_pkg::step_constant(f_done) + f_word_q[32*j +: 32] + f_operand;
    assign f_rotate_ok[j]   = f_large(rotate_q[4*j+2 +: 2]) + {3'd0, rotate_q[4*j +: 2]} ==
                              f_rfc_shift(f_done[5:4], f_done[1:0]);
    assign f_round_ok[j]    = round_q == f_done[5:4];
  end
  always_comb if (f_past_q) begin
    a_word_asked: assert (&f_word_ok);
    a_prepared:   assert (&f_prepared_ok);
    a_rotation:   assert (&f_rotate_ok);
    a_round:      assert (&f_round_ok);
  end

  always_comb if (f_past_q && f_work_q && !(S == 1 && f_closing_q)) begin
    a_steps: assert (f_a == f_ra && b_q == f_rb && c_q == f_rc && d_q == f_rd);
  end

  // Time: f_age_q counts the cycles of the block at work from 1.
  localparam int unsigned FPeriod = S == 1 ? 64 : 64 / S + 1;
  logic [6:0] f_age_q;
  initial f_age_q = '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                f_age_q <= '0;
    else if (start)             f_age_q <= 7'd1;
    else if (f_age_q != '0)     f_age_q <= f_age_q == 7'(FPeriod) ? '0 : f_age_q + 7'd1;
  end
  always_comb if (f_started_q) begin
    a_reset_state:        assert (f_past_q || (!busy_q && !add_q && more_q && at_zero));
    a_busy_while_at_work: assert (!rst_ni || !f_past_q || busy_q == (f_age_q != '0));
    a_ends_on_time:       assert (!f_past_q || closing == (f_age_q == 7'(FPeriod)));
    a_group_is_age:       assert (!f_past_q || fetch_q == ((f_age_q <= 7'(64 / S)) ? f_age_q[GroupBits-1:0] : '0));
    a_age_in_range:       assert (!f_past_q || f_age_q <= 7'(FPeriod));
  end

  // Chaining value: f_cv_q is the value the block at work started from, or the result while idle.
  logic [31:0] f_cva_q, f_cvb_q, f_cvc_q, f_cvd_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || take) begin
      {f_cva_q, f_cvb_q, f_cvc_q, f_cvd_q} <= {32'h67452301, 32'hefcdab89, 32'h98badcfe, 32'h10325476};
    end else if (closing && S == 1) begin  // step 63 is at work: a, d, c of its result are d, c, b now
      f_cva_q <= f_cva_q + d_q;
      f_cvd_q <= f_cvd_q + c_q;
      f_cvc_q <= f_cvc_q + b_q;
      f_cvb_q <= next_b[31:0];             // = result + f_cvb_q by a_last_step
    end else if (closing) begin  // cv_*_q is f_cv*_q by a_chain_*
      f_cva_q <= cv_a_q + a_q;
      f_cvb_q <= cv_b_q + b_q;
      f_cvc_q <= cv_c_q + c_q;
      f_cvd_q <= cv_d_q + d_q;
    end
  end
  always_comb if (f_past_q) begin
    a_chain_a: assert (cv_a_q == f_cva_q + (S != 1 ? 32'd0 : fetch_q == '1 ? c_q : closing ? d_q : 32'd0));
    a_chain_b: assert (cv_b_q == f_cvb_q);
    a_chain_c: assert (cv_c_q == f_cvc_q);
    a_chain_d: assert (cv_d_q == f_cvd_q + (S == 1 && closing ? c_q : 32'd0));
    a_first_state: assert (f_age_q != 7'd1 || {f_a, b_q, c_q, d_q} == {f_cva_q, f_cvb_q, f_cvc_q, f_cvd_q});
    a_last_step:   assert (extra == (S == 1 && at_zero ? f_cvb_q : 32'd0));
    a_digest:      assert (!out_valid_o || out_digest_o == {f_cvd_q, f_cvc_q, f_cvb_q, f_cva_q});
    a_offer:       assert (out_valid_o == (f_age_q == '0 && !more_q));
  end
