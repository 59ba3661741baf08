// siphash_unit: one of the hashers that share a memory of lines (siphash_line_hashers). It holds one word of its line.
//
//   first_i ─────────────────────┐
//   words_i ── chosen word ──────┴▶ [word] ──▶ siphash_core ──▶ out tag
//   read_o ◀── next word, if any
//
// The message is that of siphash_line_hasher: the words of the masked sectors, then one with the mask and the length.
// Word w of the line is read one cycle before the word before it is used up, so it is at words_i in the cycle in which
// that is.
//
//   cycles from start_i, H = 2     word w is read in 2 w - 1, at words_i in 2 w, at work in 2 w + 1 and 2 w + 2
//   cycles from start_i, H = 1     word w is read in 4 w - 1, at words_i in 4 w, at work in 4 w + 1 to 4 w + 4
//
// Latency and throughput are those of siphash_line_hasher. start_i may come while busy_o is low only.
// Source: decision C7.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module siphash_unit #(
  parameter int unsigned HalfRoundsPerCycle = 2  // 1 or 2
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic [127:0] key_i,  // stable from the last cycle of reset on
  input  wire logic         start_i,  // a line is taken
  input  wire logic [3:0]   mask_i,  // with start_i: its sectors
  input  wire logic [63:0]  first_i,  // with start_i: its first word; anything without a sector
  output logic              busy_o,  // from the cycle after start_i until the tag is taken
  output logic [15:1]       read_o,  // number of the word to read
  input  wire logic [959:0] words_i,  // words 1 to 15 in the cycle after they are read
  output logic              out_valid_o,
  input  wire logic         out_ready_i,
  output logic [127:0]      out_digest_o  // first byte of the tag in bits 7:0
);
  localparam int unsigned StepBits = HalfRoundsPerCycle == 2 ? 1 : 2;  // cycles of a word

  logic                busy_q, last_q, start_ready, next, ends, read;
  logic [StepBits-1:0] step_q;   // cycle of the word
  logic [3:0]          mask_q;
  logic [4:0]          place_q;  // number of the next word
  logic [2:0]          sectors;
  logic [63:0]         word_q, word;

  assign busy_o  = busy_q;
  assign sectors = {2'b0, mask_q[0]} + {2'b0, mask_q[1]} + {2'b0, mask_q[2]} + {2'b0, mask_q[3]};
`ifdef PLANT_UNIT_SHORT_LINE  // planted bug: the last word of one sector is left out
  assign ends    = place_q == (mask_q == 4'b0001 ? 5'd3 : {sectors, 2'b00});
`else
  assign ends    = place_q == {sectors, 2'b00};
`endif
  assign read    = busy_q && !last_q && !ends && step_q == StepBits'(2**StepBits - 2);
  for (genvar w = 1; w < 16; w++) begin : g_read
    assign read_o[w] = read && place_q == 5'(w);
  end

  always_comb begin
    word = first_i & {64{!busy_q && mask_i != '0}};
    for (int unsigned w = 1; w < 16; w++) begin
      word = word | (words_i[64*(w-1) +: 64] & {64{busy_q && !ends && place_q == 5'(w)}});
    end
    // The last word: the length is 32 for each sector and one for the byte of the mask.
    if (busy_q ? ends : mask_i == '0) word = word | {sectors & {3{busy_q}}, 5'd1, 52'd0, mask_q & {4{busy_q}}};
  end

  // One gate for every register. While its clock stands, the block is as it was after its last cycle of work.
  logic clk, clk_enable;
`ifdef PLANT_GATE_MISSES_START  // planted bug: the clock stands while a line is taken
  assign clk_enable = !rst_ni || busy_q;
`else
  assign clk_enable = !rst_ni || busy_q || start_i;
`endif
  clock_gate i_clock_gate (
    .clk_i,
    .enable_i(clk_enable),
    .test_i(1'b0),
    .clk_o(clk)
  );
  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni)                         busy_q <= 1'b0;
    else if (start_i)                    busy_q <= 1'b1;
    else if (out_valid_o && out_ready_i) busy_q <= 1'b0;
  end
  always_ff @(posedge clk) begin
    step_q <= busy_q ? step_q + 1'b1 : '0;
    if (!busy_q || next) begin
      word_q <= word;
`ifdef PLANT_UNIT_NO_END  // planted bug: the last word of one sector is not marked
      last_q <= busy_q ? last_q || (ends && sectors != 3'd1) : mask_i == '0;
`else
      last_q <= busy_q ? last_q || ends : mask_i == '0;
`endif
    end
    if (!busy_q) begin
      mask_q  <= mask_i;
      place_q <= 5'd1;
    end else if (next) begin
      place_q <= place_q + 5'd1;
    end
  end

  siphash_core #(.HalfRoundsPerCycle(HalfRoundsPerCycle)) i_core (
    .clk_i(clk),
    .rst_ni,
    .key_i,
    .start_valid_i(busy_q),
    .start_ready_o(start_ready),
    .msg_next_o(next),
    .msg_word_i(word_q),
    .msg_last_i(last_q),
    .out_valid_o,
    .out_ready_i,
    .out_digest_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_start_when_idle:     assert (!start_i || !busy_q);
    a_free_core_when_idle: assert (busy_q || (start_ready && !out_valid_o));
    c_whole_line:          cover (out_valid_o && mask_q == 4'b1111);
    c_no_sector:           cover (out_valid_o && mask_q == 4'b0000);
    c_gap_in_mask:         cover (out_valid_o && mask_q == 4'b1010);
  end
`else
  wire unused_start_ready = start_ready;
`endif
`ifdef FORMAL_SIPHASH_UNIT
  `include "siphash_unit_props.svh"
`endif
endmodule
`default_nettype wire
