// bloom_bank: one bank of a counting Bloom array in a memory: read a counter, add one, write it back.
//
//   read ──▶ [RAM] ──▶ [counter] ──▶ [+1] ──▶ write      count_o is valid in the cycle after re_i
//
//   one counter per cycle, any order: a word on its way back to the RAM is forwarded
//
// A word holds Lanes counters; the counter's index is {word, lane}. add_i in the cycle after re_i writes the
// counter back, one higher unless it has its greatest value. clear_i writes 0 to word clear_word_i and takes
// the write port: add_i must be 0. A read in the cycle of a clear returns the word from before it.
`default_nettype none
module bloom_bank #(
  parameter int unsigned Counters = 4,  // power of two
  parameter int unsigned CounterBits = 2,
  parameter int unsigned Lanes = 2,     // power of two, at most Counters/2
  parameter int unsigned IndexBits = $clog2(Counters),         // follows
  parameter int unsigned WordBits = $clog2(Counters / Lanes)   // follows
) (
  input  wire logic                   clk_i,
  input  wire logic                   re_i,
  input  wire logic [IndexBits-1:0]   index_i,
  output logic [CounterBits-1:0]      count_o,      // before the addition
  input  wire logic                   add_i,
  input  wire logic                   clear_i,
  input  wire logic [WordBits-1:0]    clear_word_i
);
  if (Lanes == 0 || (Lanes & (Lanes - 1)) != 0 || Counters < 2 * Lanes || (Counters & (Counters - 1)) != 0) begin : g_bad
    $error("bloom_bank: Counters and Lanes must be powers of two, at least two words");
  end
  localparam int unsigned LaneBits = $clog2(Lanes);  // may be 0
  localparam int unsigned LaneWidth = Lanes > 1 ? LaneBits : 1;

  logic [WordBits-1:0]          word_index, word_q;
  logic [LaneWidth-1:0]         lane, lane_q, last_lane_q;
  logic                         same_q;        // the word read is the one that was being written
  logic [CounterBits-1:0]       last_count_q;  // what was written into last_lane_q
  logic [Lanes*CounterBits-1:0] word, word_new;
  logic [CounterBits-1:0]       count_new;

  assign word_index = index_i[IndexBits-1:LaneBits];
  if (Lanes > 1) begin : g_lane
    assign lane = index_i[LaneBits-1:0];
  end else begin : g_one_lane
    assign lane = '0;
  end
  ram_1r1w #(.Width(Lanes * CounterBits), .Depth(Counters / Lanes), .OldData(1)) i_words (
    .clk_i,
    .we_i(add_i || clear_i),
    .waddr_i(clear_i ? clear_word_i : word_q),
    .wdata_i(clear_i ? '0 : word_new),
    .re_i,
    .raddr_i(word_index),
    .rdata_o(word)
  );

  always_comb begin
    count_o = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (lane_q == LaneWidth'(l)) count_o = count_o | word[l*CounterBits +: CounterBits];
    end
    if (same_q && last_lane_q == lane_q) count_o = last_count_q;
  end
`ifdef PLANT_BANK_WRAP
  assign count_new = count_o + 1'b1;  // planted bug: no saturation
`else
  assign count_new = (&count_o) ? count_o : count_o + 1'b1;
`endif
  always_comb begin
    word_new = word;
    for (int unsigned l = 0; l < Lanes; l++) begin
`ifndef PLANT_BANK_NO_FORWARD  // planted bug: the neighbour's addition of the cycle before is undone
      if (same_q && last_lane_q == LaneWidth'(l)) word_new[l*CounterBits +: CounterBits] = last_count_q;
`endif
      if (lane_q == LaneWidth'(l)) word_new[l*CounterBits +: CounterBits] = count_new;
    end
  end

  always_ff @(posedge clk_i) begin
    same_q       <= add_i && word_index == word_q;
    word_q       <= word_index;
    lane_q       <= lane;
    last_lane_q  <= lane_q;
    last_count_q <= count_new;
  end
`ifdef FORMAL_BLOOM_BANK
  `include "bloom_bank_props.svh"
`endif
endmodule
`default_nettype wire
