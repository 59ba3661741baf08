// A raw line is answered after 1 cycle, any other after 34 + Words, whatever the bits are. Each code is read where the
// last one ended. The words are the base and the sums of the differences whose planes were read: difference f_at is
// followed. (Included in bpc_decoder.) With BPC_PARTS the codes are any that keep what bpc_code_loop proves.
`ifdef FORMAL_BPC_DECODER_LIVE
  `include "bpc_decoder_live_props.svh"
`else
  `include "reset.svh"
  logic [6:0] f_age_q;  // cycles since the stream was first on offer
  logic       f_coded_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (out_valid_o && out_ready_i)) f_age_q <= '0;
    else if (f_age_q != '0 ? !out_valid_o : in_valid_i) f_age_q <= f_age_q + 7'd1;
    if (idle) f_coded_q <= in_bits_i[0];
  end

  // The offer stands.
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, 32 * Words + 1, in_valid_i, in_ready_o, in_bits_i)
  logic              f_offered_q;
  logic [32*Words:0] f_bits_q;
  assign f_offered_q = g_in_rule.f_waits_q;
  assign f_bits_q    = g_in_rule.f_data_q;

  // Where the next code starts, and the word that is read.
  logic [10:0]      f_total_q;
  logic [31:0]      f_read;
  logic [1055:0]    f_stream;
  logic [5:0]       f_place;
  (* anyconst *) logic [5:0] f_bit;  // of the window
  logic [11:0]      f_where;
  assign f_stream = 1056'(in_bits_i[32*Words:1]);
  assign f_place  = next_q - 6'd1;
  assign f_read   = f_place > 6'd32 ? '0 : f_stream[32*f_place +: 32];
  assign f_where  = 12'(f_total_q) + 12'(f_bit);
  always_ff @(posedge clk_i) begin
    if (idle) f_total_q <= '0;
    else      f_total_q <= f_total_q + 11'(bits);
  end
  always_comb m_bit: assume (f_bit <= 6'd32);

  // Difference f_at, from its planes; word f_at and the one behind it at the end.
  (* anyconst *) logic [4:0] f_at;
  logic [31:0] f_diff_q, f_base_q;
  logic [Diffs-1:0] f_dbx;
  logic [6:0]  f_sums;
  logic [4:0]  f_from, f_low;
  assign f_dbx  = dbx >> f_at;
  assign f_sums = step_q - 7'd35;  // words added up so far
  assign f_from = f_at - 5'(f_sums);
  assign f_low  = 5'(Diffs) - 5'(f_sums) + f_at;
  always_ff @(posedge clk_i) begin
    if (step_q == StepBase) begin
      f_base_q <= base;
      f_diff_q <= '0;
    end else if (is_plane) begin
      f_diff_q <= {f_diff_q[30:0], f_diff_q[0] ^ f_dbx[0]};
    end
  end
  always_comb m_at: assume (32'(f_at) < Diffs);

`ifdef BPC_PARTS
  always_comb begin
    m_any:   assume (bits <= 6'd33 && (step_q == StepBase || bits <= 6'd32) && run <= 6'd32 &&
                     (step_q == StepBase || is_plane || bits == '0) && (is_plane || run == '0));
    m_under: assume (!is_plane || run_q == '0 || (dbx == '0 && run == run_q - 6'd1 && bits == '0));
  end
`endif

  always_comb if (f_started_q) begin
    a_age:     assert (f_age_q == (done && !f_coded_q ? 7'd1 : step_q) && step_q <= StepDone);
    a_ready:   assert (in_ready_o == (f_coded_q ? f_age_q == 7'd34 : f_age_q == 7'd1 && raw_q));
    a_raw:     assert (idle || f_coded_q || done);
    a_once:    assert (!raw_q || (idle || (done && f_offered_q && !f_coded_q)));
    a_offered: assert (idle || step_q > StepLast || f_offered_q);
    a_run:     assert (idle || run_q <= 6'd32);
    if (f_coded_q && !idle && step_q <= StepLast) begin
      a_flag:   assert (in_bits_i[0]);
      a_total:  assert (f_total_q == {f_place[5:0], offset_q});
      a_bound:  assert (32'(f_total_q) <= (step_q == StepBase ? 0 : 33 + (32'(step_q) - 2) * 32));
      a_read:   assert (read_q == f_read);
      a_window: assert (wide[f_bit] == (32'(f_where) < 32 * Words && f_stream[f_where]));
    end
    if (f_coded_q && is_plane) begin
      a_diff:  assert (words_q[32*f_at +: 32] == f_diff_q);
      a_base:  assert (words_q[32*Diffs +: 32] == f_base_q);
    end
    if (f_coded_q && step_q > StepLast) begin
      a_word_0:  assert (words_q[32*(32'(Diffs) - 32'(f_sums)) +: 32] == f_base_q);
      a_waiting: assert (7'(f_at) < f_sums || words_q[32*f_from +: 32] == f_diff_q);
      a_added:   assert (7'(f_at) >= f_sums ||
                         words_q[32*(32'(f_low) + 1) +: 32] - words_q[32*f_low +: 32] == f_diff_q);
    end
    a_raw_line: assert (!done || f_coded_q || !raw_q || out_line_o == f_bits_q[32*Words:1]);
    c_answer:  cover (out_valid_o && out_ready_i && f_coded_q);
    c_raw_out: cover (out_valid_o && !f_coded_q && !raw_q);
  end
  wire unused_formal = ^f_dbx;
`endif
