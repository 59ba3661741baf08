// md5_core: every cycle against RFC 1321, for any S, by induction. README.md says how the pieces compose.
`ifdef FORMAL_MD5_CORE_LIVE
  `include "md5_core_live_props.svh"
`else
  `include "reset.svh"
  `include "md5_rfc.svh"

  // The cycle before: what was fetched, and the state it started from.
  logic                 f_past_q, f_work_q, f_closing_q;
  logic [GroupBits-1:0] f_fetch_q;
  logic [32*S-1:0]      f_word_q;
  logic [31:0]          f_a_q, f_a;  // a: held by the RTL only for S > 1
  assign f_a = S == 1 ? f_a_q : a_q;
  logic [31:0]          f_before_b_q, f_before_c_q, f_before_d_q;
  logic [S*32-1:0]      f_next_q;
  logic                 f_work;      // steps are being done
  assign f_work = busy_q && !add_q;
  initial f_past_q = 1'b0;
  always_ff @(posedge clk_i) begin
    f_past_q     <= rst_ni;
    f_work_q     <= f_work;
    f_closing_q  <= closing;
    f_fetch_q    <= fetch_q;
    f_word_q     <= msg_word_i;
    f_a_q        <= a_d;
    f_next_q     <= next_b;
    f_before_b_q <= b_q;
    f_before_c_q <= c_q;
    f_before_d_q <= d_q;
  end

  // Link by link: step j of this cycle is RFC 1321's step on what the links before it gave; then the registers take
  // the last four results. Together: the state after a cycle is S steps of the RFC from the state before it.
  logic [S-1:0] f_link_ok;
  for (genvar j = 0; j < S; j++) begin : g_link
    logic [31:0] f_la, f_lb, f_lc, f_ld, f_lt;
    if (j == 0) begin : g_operands
      assign {f_la, f_lb, f_lc, f_ld} = {f_a, b_q, c_q, d_q};
    end else if (j == 1) begin : g_operands
      assign {f_la, f_lb, f_lc, f_ld} = {d_q, next_b[31:0], b_q, c_q};
    end else if (j == 2) begin : g_operands
      assign {f_la, f_lb, f_lc, f_ld} = {c_q, next_b[63:32], next_b[31:0], b_q};
    end else begin : g_operands
      assign {f_la, f_lb, f_lc, f_ld} = {b_q, next_b[95:64], next_b[63:32], next_b[31:0]};
    end
`ifdef PLANT_CORE_OPERAND
    assign f_lt = pre_q[32*j +: 32] + (S != 4 ? 32'd0 : j == 2 ? f_ld : f_la);
`else
    assign f_lt = pre_q[32*j +: 32] + (S != 4 ? 32'd0 : f_la);  // S < 4: a is in pre_q already, see a_prepared
`endif
    assign f_link_ok[j] = next_b[32*j +: 32] ==
        f_lb + f_rotl(f_lt + f_rfc_function(round_q, f_lb, f_lc, f_ld),
                      f_large(position_q[2*j +: 2]) + {3'd0, fine[2*j +: 2]}) + (FoldInSteps != 0 ? extra : 32'd0);
  end
`ifdef MD5_LINKS
  always_comb a_links: assert (&f_link_ok);
`else
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
    assign f_rotate_ok[j]   = f_large(position_q[2*j +: 2]) + {3'd0, fine[2*j +: 2]} ==
                              f_rfc_shift(f_done[5:4], f_done[1:0]);
    assign f_round_ok[j]    = round_q == f_done[5:4];
  end
`ifdef MD5_FETCH
  always_comb if (f_past_q) begin
    a_word_asked: assert (&f_word_ok);
    a_prepared:   assert (&f_prepared_ok);
    a_rotation:   assert (&f_rotate_ok);
    a_round:      assert (&f_round_ok);
  end
`else

  always_comb if (f_past_q && f_work_q && !(FoldInSteps != 0 && f_closing_q)) begin
    a_step_b: assert (b_q == f_next_q[32*S-1 -: 32]);
    a_step_c: assert (c_q == (S == 1 ? f_before_b_q : f_next_q[(S == 1 ? 0 : 32*(S-2)) +: 32]));
    a_step_d: assert (d_q == (S == 1 ? f_before_c_q : S == 2 ? f_before_b_q : f_next_q[(S == 4 ? 32 : 0) +: 32]));
    a_step_a: assert (f_a == (S == 1 ? f_before_d_q : S == 2 ? f_before_c_q : f_next_q[31:0]));
  end

  // Time: f_age_q counts the cycles of the block at work from 1.
  localparam int unsigned FPeriod = 64 / S + (FoldInSteps != 0 ? 0 : 1);
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

  // Chaining value: f_cv*_q is the value the block at work started from, or the result while idle.
  logic [31:0] f_cva_q, f_cvb_q, f_cvc_q, f_cvd_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || take) begin
      {f_cva_q, f_cvb_q, f_cvc_q, f_cvd_q} <= {32'h67452301, 32'hefcdab89, 32'h98badcfe, 32'h10325476};
    end else if (closing && FoldInSteps != 0) begin  // step 63 is at work: a, d, c of its result are d, c, b now
      f_cva_q <= f_cva_q + d_q;
      f_cvd_q <= f_cvd_q + c_q;
      f_cvc_q <= f_cvc_q + b_q;
      f_cvb_q <= next_b[31:0];             // = result + f_cvb_q by a_last_step
    end else if (closing) begin
      f_cva_q <= f_cva_q + f_a;
      f_cvb_q <= f_cvb_q + b_q;
      f_cvc_q <= f_cvc_q + c_q;
      f_cvd_q <= f_cvd_q + d_q;
    end
  end
  if (S == 1) begin : g_ring
    // Which word is where, by the age of the block; results join as they pass.
    localparam logic [6:0] Last = FoldInSteps != 0 ? 7'd63 : 7'd64;
    always_comb if (f_past_q) begin
      a_turn: assert (g_fold.turn_q == (f_age_q >= 7'd61 && f_age_q <= Last));
      a_pass: assert (g_fold.pass_q == (f_age_q >= 7'd62));
      if (f_age_q == 7'd62) begin
        if (FoldInSteps != 0) a_ring62f: assert ({cv_c_q, cv_a_q, cv_d_q} == {f_cva_q, f_cvd_q, f_cvc_q});
        else a_ring62: assert ({cv_b_q, cv_a_q, cv_d_q, cv_c_q} == {f_cva_q, f_cvd_q, f_cvc_q, f_cvb_q});
      end else if (f_age_q == 7'd63) begin
        if (FoldInSteps != 0) a_ring63f: assert ({cv_c_q, cv_a_q, cv_d_q} == {f_cvd_q, f_cvc_q, f_cva_q + c_q});
        else a_ring63: assert ({cv_b_q, cv_a_q, cv_d_q, cv_c_q} == {f_cvd_q, f_cvc_q, f_cvb_q, f_cva_q + c_q});
      end else if (f_age_q == 7'd64) begin
        if (FoldInSteps != 0) a_ring64f: assert ({cv_c_q, cv_a_q, cv_d_q} == {f_cvc_q, f_cva_q + d_q, f_cvd_q + c_q});
        else a_ring64: assert ({cv_b_q, cv_a_q, cv_d_q, cv_c_q} == {f_cvc_q, f_cvb_q, f_cva_q + d_q, f_cvd_q + c_q});
      end else if (f_age_q == 7'd65) begin
        a_ring65: assert ({cv_b_q, cv_a_q, cv_d_q, cv_c_q} == {f_cvb_q, f_cva_q + f_a, f_cvd_q + d_q, f_cvc_q + c_q});
      end else begin
        a_ring: assert ({cv_b_q, cv_a_q, cv_d_q, cv_c_q} == {f_cvb_q, f_cva_q, f_cvd_q, f_cvc_q});
      end
      a_chain_b: assert (FoldInSteps == 0 || cv_b_q == f_cvb_q);
    end
  end else begin : g_ring
    always_comb if (f_past_q) begin
      a_chain: assert ({cv_a_q, cv_b_q, cv_c_q, cv_d_q} == {f_cva_q, f_cvb_q, f_cvc_q, f_cvd_q});
    end
  end
  logic f_adding;  // the digest is on offer while its last addition is made
  assign f_adding = FoldInSteps == 0 && f_age_q == 7'(FPeriod);
  always_comb if (f_past_q) begin
    a_first_state: assert (f_age_q != 7'd1 || {f_a, b_q, c_q, d_q} == {f_cva_q, f_cvb_q, f_cvc_q, f_cvd_q});
    a_last_step:   assert (extra == (FoldInSteps != 0 && at_zero ? f_cvb_q : 32'd0));
    a_digest:      assert (!out_valid_o || f_adding || out_digest_o == {f_cvd_q, f_cvc_q, f_cvb_q, f_cva_q});
    a_digest_now:  assert (!out_valid_o || !f_adding ||
                           out_digest_o == {f_cvd_q + d_q, f_cvc_q + c_q, f_cvb_q + b_q, f_cva_q + f_a});
    a_offer:       assert (out_valid_o == ((f_age_q == '0 || f_adding) && !more_q));
  end
`endif
`endif
`endif
