// Every line is answered after 36 cycles and taken in cycle 34, whatever its content. The accumulator hands on the bits
// of the codes in their order: bit f_at of the stream is followed from its code to the answer. (Included in
// bpc_encoder.) With BPC_PARTS planes and codes are any that keep the rules proved of bpc_planes and
// bpc_code_loop.
`ifdef FORMAL_BPC_ENCODER_LIVE
  `include "bpc_encoder_live_props.svh"
`else
  `include "reset.svh"
  logic [5:0] f_age_q;  // cycles since the line was first on offer
  always_ff @(posedge clk_i) begin
    if (!rst_ni) f_age_q <= '0;
    else if (f_age_q != '0 ? f_age_q < 6'd36 : start) f_age_q <= f_age_q + 6'd1;
    else if (out_ready_i) f_age_q <= 6'(start);
  end

  // The offer stands.
  `include "stream_rule.svh"
  `STREAM_RULE(in_rule, assume, 32 * Words, in_valid_i, in_ready_o, in_line_i)
  logic f_offered_q;
  assign f_offered_q = g_in_rule.f_waits_q;

  // The followed bit: of the codes, and of the raw line.
  localparam int unsigned AtBits = $clog2(32 * Words);
  (* anyconst *) logic [AtBits-1:0] f_at;
  logic [10:0] f_total_q;  // bits of all codes so far
  logic        f_bit_q, f_raw_bit_q;
  logic [CodeBits-1:0] f_code;
  logic [32:0]         f_base_code;
  logic [RestBits-1:0] f_rest;
  assign f_code      = code >> (11'(f_at) - f_total_q);
  assign f_base_code = base_code >> f_at;
  assign f_rest      = rest_q >> (11'(f_at) - 11'({word_q, 5'b0}));
  always_ff @(posedge clk_i) begin
    if (start) begin
      f_total_q   <= 11'(base_bits);
      f_bit_q     <= f_base_code[0];
      f_raw_bit_q <= in_line_i[f_at];
    end else if (!idle) begin
      f_total_q <= f_total_q + 11'(code_bits);
      if (11'(f_at) >= f_total_q && 11'(f_at) < f_total_q + 11'(code_bits)) f_bit_q <= f_code[0];
    end
  end
  always_comb m_at: assume (32'(f_at) < 32 * Words);

`ifdef BPC_PARTS
  always_comb begin
    m_base:   assume (base_bits >= 6'd3 && base_bits <= 6'd33 && (base_code >> base_bits) == '0);
    m_above:  assume ((code >> code_bits) == '0);
    m_length: assume (32'(code_bits) <= CodeBits && (run_q != '0 || 32'(code_bits) <= PlaneBits));
    m_silent: assume (!zero || step_q == StepLast || code_bits == '0);
    m_behind: assume (step_q < StepLast || plane == '0);
    m_zero:   assume (zero == (dbx_q == '0));
  end
`endif

  `include "line_length.svh"
  `LINE_LENGTH(out_length, assert, out_valid_o, out_length_o, 32 * Words + 1)
  logic f_written;  // word_q is past the followed bit
  assign f_written = 11'(f_at) < 11'({word_q, 5'b0});
  always_comb if (f_started_q) begin
    a_ready:   assert (in_ready_o == (f_age_q == 6'd34));
    a_valid:   assert (out_valid_o == (f_age_q == 6'd36));
    a_age:     assert (f_age_q == (valid_q ? 6'd36 : step_q) && (!valid_q || idle) && step_q <= StepRest);
    a_held:    assert (!f_offered_q || valid_q || idle || step_q <= StepRaw);
    a_offered: assert (idle || step_q > StepRaw || f_offered_q);
    a_run:     assert (idle || step_q > StepLast || (32'(run_q) < 32'(step_q) && (run_q == '0 || level_q < 6'd32)));
    a_nothing: assert (step_q < StepRaw || dbx_q == '0);
    a_level:   assert (idle || 32'(level_q) <= RestBits);
    // Bits above the level are zero: nothing is ever added on top of older bits.
    a_rest:    assert (idle || step_q > StepRaw || (rest_q >> level_q) == '0);
    a_total:   assert (idle || step_q == StepRest || 12'(f_total_q) == 12'({word_q, 5'b0}) + 12'(level_q));
    a_first:   assert (step_q != 6'd1 || word_q == '0);
    a_bound:   assert (idle || 32'(f_total_q) <= 33 + (step_q > StepRaw ? 33 : 32'(step_q) - 1) * CodeBits);
    a_raw_bit: assert (idle || step_q > StepRaw || f_raw_bit_q == in_line_i[f_at]);
    if (!idle && step_q <= StepRaw) begin
      a_in_rest:    assert (f_written || f_rest[0] == (11'(f_at) < f_total_q && f_bit_q));
      a_in_stream:  assert (!f_written || stream_q[f_at] == f_bit_q);
      a_not_yet:    assert (f_written || step_q == 6'd1 || !stream_q[f_at]);
    end
    if (step_q == StepRest) begin
      a_length_rest: assert (coded ? f_total_q == {word_q, level_q[4:0]} && !level_q[5] && 32'(f_total_q) < 32 * Words
                                   : level_q == '0 && 32'(f_total_q) >= 32 * Words);
      a_rest_now:    assert (!coded || f_written || f_rest[0] == (11'(f_at) < f_total_q && f_bit_q));
      a_stream_now:  assert (!coded || (f_written ? stream_q[f_at] == f_bit_q : !stream_q[f_at]));
      a_raw_now:     assert (coded || stream_q[f_at] == f_raw_bit_q);
    end
    if (valid_q) begin
      a_coded:  assert (out_bits_o[0] == (32'(f_total_q) < 32 * Words) && out_bits_o[0] == coded && !level_q[5]);
      a_length: assert (32'(out_length_o) == (coded ? 32'(f_total_q) + 1 : 32 * Words + 1));
      a_bit:    assert (out_bits_o[32'(f_at) + 1] == (coded ? 11'(f_at) < f_total_q && f_bit_q : f_raw_bit_q));
    end
    c_answer:  cover (out_valid_o && out_ready_i && coded);
    c_raw_out: cover (out_valid_o && !coded);
  end
`endif
