// bloom_array: dual counting Bloom filter over the recent past of a key stream.
//
//   key ──▶ bloom_hash ──▶ 2 arrays x 4 banks (3 in use per key) ──▶ +1 in both; test in the active one
//
//   latency     1 cycle: seen_o in the cycle after the insert
//   throughput  one key per cycle, also during a clear
//
// A key is inserted, then tested. seen_o says that all its counters in the active array are above Threshold after the
// insertion; with Threshold 1, that it was inserted before. The other array takes the same inserts.
//
// Why two arrays: the filter must forget old keys without a pause. When the other array has taken Period inserts, the
// two change roles. The array that was active is then cleared in the background, one word per cycle in all banks.
// The clear owns the write ports for ClearCycles = Words + 1 cycles. Keys of these cycles do not enter the array being
// cleared, and the count to the next change starts after them.
// So the active array holds at least the last Period keys, and none of these is a false negative. It holds at most the
// last 2 x Period + ClearCycles. No key ever waits, and a clear is always complete before the next change.
//
// ready_o is low for ClearCycles after reset and after flush_i, which empties both arrays; an insert of the
// flush_i cycle is tested against the old contents, and lost.
// Source: JUSTIT paper, section 2 (Figure 3); decisions J4 to J6, J13. Storage: 2 x Counters x CounterBits.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module bloom_array #(
  parameter int unsigned Counters = 16,    // per array; power of two
  parameter int unsigned CounterBits = 2,
  parameter int unsigned Lanes = 2,        // counters per memory word; Words = Counters / 4 / Lanes, 2 and up
  parameter int unsigned KeyBits = 4,
  parameter int unsigned Threshold = 1,
  parameter int unsigned Period = 4,       // inserts between two changes of roles
  parameter int unsigned Seed = 1
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic               flush_i,
  output logic                    ready_o,
  input  wire logic               insert_i,  // only while ready_o
  input  wire logic [KeyBits-1:0] key_i,
  output logic                    seen_o,
  output logic                    busy_o     // clearing
);
  localparam int unsigned Words = Counters / 4 / Lanes;
  localparam int unsigned WordBits = $clog2(Words);
  localparam int unsigned IndexBits = $clog2(Counters) - 2;
  localparam int unsigned PeriodBits = Period > 1 ? $clog2(Period) : 1;
  if (Threshold + 1 >= (1 << CounterBits) || Period == 0) begin : g_bad
    $error("bloom_array: Threshold must be below the greatest count, Period at least 1");
  end

  logic [4*IndexBits-1:0] index;
  logic [3:0]             use_bank, use_q;
  bloom_hash #(.Counters(Counters), .KeyBits(KeyBits), .Seed(Seed)) i_hash (
    .key_i,
    .index_o(index),
    .use_o(use_bank)
  );

  logic                  valid_q;     // a key is being tested and added
  logic                  active_q;    // the array that is tested
  logic                  both_q;      // both arrays are being cleared
  logic                  clearing_q;  // the array that is not tested (or both) is being cleared
  logic [WordBits:0]     word_q;      // next word to clear; Words: one cycle until no stale word is on its way
  logic [PeriodBits-1:0] taken_q;     // inserts that the other array holds
  logic                  change;
  assign ready_o = !both_q;
  assign busy_o  = clearing_q;
  assign change  = valid_q && !clearing_q && taken_q == PeriodBits'(Period - 1);

  logic [8*CounterBits-1:0] counts;   // {array, bank}
  for (genvar a = 0; a < 2; a++) begin : g_array
    logic takes, clears;
`ifdef PLANT_BLOOM_ONE_ARRAY
    assign takes  = valid_q && !both_q && active_q == 1'(a);  // planted bug: only the tested array takes inserts
`else
    assign takes  = valid_q && !both_q && (active_q == 1'(a) || !clearing_q);
`endif
    assign clears = clearing_q && !word_q[WordBits] && (both_q || active_q != 1'(a));
    for (genvar b = 0; b < 4; b++) begin : g_bank
      bloom_bank #(.Counters(Counters / 4), .CounterBits(CounterBits), .Lanes(Lanes)) i_bank (
        .clk_i,
        .re_i(insert_i),
        .index_i(index[b*IndexBits +: IndexBits]),
        .count_o(counts[(a*4 + b)*CounterBits +: CounterBits]),
        .add_i(takes && use_q[b]),
        .clear_i(clears),
        .clear_word_i(word_q[WordBits-1:0])
      );
    end
  end

  logic [3:0] above;
  for (genvar b = 0; b < 4; b++) begin : g_above
    logic [CounterBits-1:0] count;
    assign count    = active_q ? counts[(4 + b)*CounterBits +: CounterBits] : counts[b*CounterBits +: CounterBits];
    // verilator lint_off UNSIGNED
    assign above[b] = !use_q[b] || {1'b0, count} >= (CounterBits + 1)'(Threshold);  // count + 1 > Threshold; 0: always
  end  // verilator lint_on UNSIGNED
  assign seen_o = &above;

  always_ff @(posedge clk_i) use_q <= use_bank;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      valid_q  <= 1'b0;
      active_q <= 1'b0;
    end else begin
      valid_q  <= insert_i;
      if (change) active_q <= !active_q;  // a flush leaves it: the insert of its cycle is still tested
    end
  end
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      both_q     <= 1'b1;
      clearing_q <= 1'b1;
      word_q     <= '0;
      taken_q    <= '0;
    end else if (flush_i) begin
      {both_q, clearing_q} <= 2'b11;
      {word_q, taken_q}    <= '0;
    end else begin
      if (clearing_q) word_q <= word_q + 1'b1;
      if (clearing_q && word_q[WordBits]) begin
`ifdef PLANT_BLOOM_STAYS_CLEARING
        both_q     <= both_q && active_q;  // planted bug: ready again only if the first array is the tested one
`else
        both_q     <= 1'b0;
`endif
        clearing_q <= 1'b0;
        word_q     <= '0;
      end
      if (valid_q && !clearing_q) taken_q <= taken_q + 1'b1;
      if (change) begin
        taken_q    <= '0;
        clearing_q <= 1'b1;
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
`ifndef FORMAL_BLOOM_ARRAY  // an assumption there
    a_only_when_ready:     assert (!insert_i || ready_o);
`endif
    a_clear_before_change: assert (!change || (!clearing_q && word_q == '0));
    c_change:              cover (change);
    c_insert_in_clear:     cover (valid_q && clearing_q && !both_q);
  end
`endif
`ifdef FORMAL_BLOOM_ARRAY
  `include "bloom_array_props.svh"
`endif
endmodule
`default_nettype wire
