// siphash_core: SipHash-2-4 with the 128-bit tag, H half rounds per cycle, over 64-bit words held outside.
//
//   start ──▶ [control] ── msg_next_o ──▶ message words held outside
//                 │ msg_word_i, msg_last_i
//   key ^ constants ──▶ [v0 v1 v2 v3] ──▶ H half rounds ──┐      v3 ^= word before, v0 ^= word after its two rounds
//                            ▲────────────────────────────┘
//                            └─ v0 ^ v1 ^ v2 ^ v3 ──▶ tag
//
//   H                      2             1
//   cycles per word        2             4
//   latency, w words       2 w + 8       4 w + 16     from the cycle in which a start is taken to out_valid_o
//
// Why the message is not stored: the caller has it anyway. From the cycle in which a start is taken, msg_word_i shows
// the words in turn. Each word stays until the cycle with msg_next_o; msg_last_i marks the last one in that cycle.
// Words are little-endian. The last one has the remaining bytes and the length in its top byte.
//
// One message is in flight: start_ready_o rises in the cycle after the tag is taken. Outputs depend on state only.
// key_i is a secret of one boot and is stable from the last cycle of reset on. Byte 0 of the tag is in bits 7:0.
// Source: J.-P. Aumasson, D. J. Bernstein, SipHash: a fast short-input PRF, 2012; 128-bit tag: their reference code.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module siphash_core #(
  parameter int unsigned HalfRoundsPerCycle = 2  // 1 or 2
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [127:0] key_i,  // stable from the last cycle of reset on
  input  wire logic         start_valid_i,
  output logic              start_ready_o,
  output logic              msg_next_o,  // the present word is used up
  input  wire logic [63:0]  msg_word_i,  // present word, little-endian; the last one has the length in its top byte
  input  wire logic         msg_last_i,  // the present word is the last
  output logic              out_valid_o,
  input  wire logic         out_ready_i,
  output logic [127:0]      out_digest_o  // first byte of the tag in bits 7:0
);
  if (HalfRoundsPerCycle != 1 && HalfRoundsPerCycle != 2) begin : g_bad_rounds
    $error("siphash_core: HalfRoundsPerCycle must be 1 or 2");
  end
  localparam int unsigned StepBits = HalfRoundsPerCycle == 2 ? 2 : 3;  // cycles of four rounds

  // Control. step_q: cycle within a word (its low bits) or within the four rounds of a tag word.
  logic                busy_q, first_tag_q, second_tag_q, done_q;
  logic [StepBits-1:0] step_q;
  logic                start, take, run, in_word, at_zero, word_end, tag_end, restart;

  assign start_ready_o = !busy_q && !done_q;
  assign out_valid_o   = done_q;
  assign start         = start_valid_i && start_ready_o;
  assign take          = out_valid_o && out_ready_i;
  assign run           = start || busy_q;
  assign in_word       = !first_tag_q && !second_tag_q;
  assign at_zero       = step_q == '0;
  assign word_end      = in_word && (&step_q[StepBits-2:0]);
  assign tag_end       = !in_word && (&step_q);
  assign msg_next_o    = busy_q && word_end;
  assign restart       = word_end || tag_end;

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      busy_q       <= 1'b0;
      first_tag_q  <= 1'b0;
      second_tag_q <= 1'b0;
      done_q       <= 1'b0;
      step_q       <= '0;
    end else begin
      busy_q       <= run && !(second_tag_q && tag_end);
      first_tag_q  <= first_tag_q ? !tag_end : msg_next_o && msg_last_i;
      second_tag_q <= second_tag_q ? !tag_end : first_tag_q && tag_end;
`ifdef PLANT_CORE_NO_TAG  // planted bug: the tag is lost under half of the keys
      done_q       <= done_q ? !take : second_tag_q && tag_end && !key_i[0];
`else
      done_q       <= done_q ? !take : second_tag_q && tag_end;
`endif
`ifdef PLANT_CORE_STEP_STOPS  // planted bug: the rounds of the second tag word never end when it begins at once
      step_q       <= run && !restart ? step_q + 1'(!(second_tag_q && at_zero)) : '0;
`else
      step_q       <= run && !restart ? step_q + 1'b1 : '0;
`endif
    end
  end

  // State: {v3, v2, v1, v0}; H = 1 holds v0 and v2 exchanged between the halves of a round.
  logic [255:0] v_q, v_in, v_out, v_init;
  logic [63:0]  folded, first_q;
  logic         hold;

  // "somepseudorandomlygeneratedbytes"; 0xee tells the 128-bit tag from the 64-bit one.
  assign v_init = {key_i[127:64] ^ 64'h7465646279746573, key_i[63:0] ^ 64'h6c7967656e657261,
                   key_i[127:64] ^ 64'h646f72616e646f6d ^ 64'hee, key_i[63:0] ^ 64'h736f6d6570736575};
  assign v_in[63:0]    = v_q[63:0];
  assign v_in[127:64]  = v_q[127:64] ^ (second_tag_q && at_zero ? 64'hdd : 64'h0);
  assign v_in[191:128] = v_q[191:128] ^ (first_tag_q && at_zero ? 64'hee : 64'h0);
  assign v_in[255:192] = v_q[255:192] ^ (msg_word_i & {64{in_word && at_zero}});

  if (HalfRoundsPerCycle == 2) begin : g_rounds
    logic [255:0] middle;
    siphash_half i_first (
      .second_i(1'b0),
      .state_i(v_in),
      .state_o(middle)
    );
    siphash_half i_second (
      .second_i(1'b1),
      .state_i(middle),
      .state_o(v_out)
    );
  end else begin : g_rounds
    siphash_half i_half (
      .second_i(step_q[0]),
      .state_i(v_in),
      .state_o(v_out)
    );
  end

  // Once done, v0 holds the second tag word and the others 0: their sum of bits then is the tag word itself.
  assign folded = v_q[63:0] ^ v_q[127:64] ^ v_q[191:128] ^ v_q[255:192];
  assign hold   = done_q && !take && rst_ni;
  always_ff @(posedge clk_i) begin
    v_q[63:0]   <= ((v_out[63:0] ^ (msg_word_i & {64{word_end}})) & {64{run && rst_ni}}) | (folded & {64{hold}}) |
                   (v_init[63:0] & {64{!(run && rst_ni) && !hold}});
    v_q[255:64] <= (v_out[255:64] & {192{run && rst_ni}}) | (v_init[255:64] & {192{!(run && rst_ni) && !hold}});
    if (second_tag_q && at_zero) first_q <= folded;
  end
  assign out_digest_o = {folded, first_q};

`ifndef SYNTHESIS
  stream_check #(.Width(128)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i(out_digest_o)
  );
  logic first_word_q;
  always_ff @(posedge clk_i) first_word_q <= start || (first_word_q && !msg_next_o);
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_state:    assert ($onehot0({done_q, busy_q}) && $onehot0({first_tag_q, second_tag_q}) &&
                            (busy_q || (in_word && at_zero)));
    c_one_word:     cover (msg_next_o && msg_last_i && first_word_q);
    c_tag_waits:    cover (out_valid_o && !out_ready_i);
    c_start_waits:  cover (start_valid_i && out_valid_o);
  end
`endif
`ifdef FORMAL_SIPHASH_CORE
  `include "siphash_core_props.svh"
`endif
endmodule
`default_nettype wire
