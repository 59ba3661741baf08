// counting_bloom: counting Bloom filter in flip-flops with an insert, a remove and a lookup port.
//
//   insert ──▶ [hashes] ──▶ +1 ─┐
//   remove ──▶ [hashes] ──▶ -1 ─┴▶ counters ──▶ all nonzero? ──▶ skid ──▶ rsp
//   lookup ──▶ [hashes] ───────────────┘
//
//   latency     1 cycle; a lookup sees the inserts and removes of earlier cycles
//   throughput  one insert, one remove and one lookup per cycle
//
// A key adds 1 to (takes 1 from) three counters, one in each of three of the four banks (bloom_hash). A
// counter that one key increments and another decrements in one cycle stays. A counter that reached its greatest value
// stays there until clear_i or reset, and none goes below 0: no key that is inside is ever reported absent,
// if only keys that are inside are removed. insert and remove are always ready. clear_i empties the filter;
// inserts and removes of that cycle are lost.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module counting_bloom #(
  parameter int unsigned Counters = 16,    // power of two, 8 and up
  parameter int unsigned CounterBits = 2,  // 1 and up
  parameter int unsigned KeyBits = 8,  // bits of a key
  parameter int unsigned Seed = 1  // of the H3 hashes
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,
  input  wire logic               clear_i,  // removes all keys
  input  wire logic               insert_valid_i,  // inserts a key; always taken
  input  wire logic [KeyBits-1:0] insert_key_i,
  input  wire logic               remove_valid_i,  // removes a key; always taken
  input  wire logic [KeyBits-1:0] remove_key_i,
  input  wire logic               lookup_valid_i,
  output logic                    lookup_ready_o,
  input  wire logic [KeyBits-1:0] lookup_key_i,
  output logic                    rsp_valid_o,
  input  wire logic               rsp_ready_i,
  output logic                    rsp_found_o  // the key may be in the filter; false: it is not
);
  localparam int unsigned Bank = Counters / 4;
  localparam int unsigned IndexBits = $clog2(Counters) - 2;
  if (CounterBits == 0) begin : g_bad_bits
    $error("counting_bloom: CounterBits must be at least 1");
  end

  logic [4*IndexBits-1:0] insert_index, remove_index, lookup_index;
  logic [3:0]             insert_use, remove_use, lookup_use;
  bloom_hash #(.Counters(Counters), .KeyBits(KeyBits), .Seed(Seed)) i_insert (
    .key_i(insert_key_i),
    .index_o(insert_index),
    .use_o(insert_use)
  );
  bloom_hash #(.Counters(Counters), .KeyBits(KeyBits), .Seed(Seed)) i_remove (
    .key_i(remove_key_i),
    .index_o(remove_index),
    .use_o(remove_use)
  );
  bloom_hash #(.Counters(Counters), .KeyBits(KeyBits), .Seed(Seed)) i_lookup (
    .key_i(lookup_key_i),
    .index_o(lookup_index),
    .use_o(lookup_use)
  );

  logic [Counters-1:0] insert_set, remove_set, nonzero;
  for (genvar c = 0; c < Counters; c++) begin : g_set
    localparam int unsigned B = c / Bank;
    assign insert_set[c] = insert_valid_i && insert_use[B] && insert_index[B*IndexBits +: IndexBits] == IndexBits'(c % Bank);
    assign remove_set[c] = remove_valid_i && remove_use[B] && remove_index[B*IndexBits +: IndexBits] == IndexBits'(c % Bank);
  end

  logic [Counters*CounterBits-1:0] counts_q;
  for (genvar c = 0; c < Counters; c++) begin : g_counter
    logic [CounterBits-1:0] count, toggle;
    logic                   change;
    assign count = counts_q[c*CounterBits +: CounterBits];
    always_comb begin  // up or down by one: bit b changes when all bits below it are 1 (up) or 0 (down)
`ifdef PLANT_BLOOM_WRAP
      change = insert_set[c] != remove_set[c] && (insert_set[c] || nonzero[c]);  // planted bug: no saturation
`else
      change = insert_set[c] != remove_set[c] && !(&count) && (insert_set[c] || nonzero[c]);
`endif
      toggle = '0;
      for (int unsigned b = 0; b < CounterBits; b++) begin
        toggle[b] = change;
        change    = change && count[b] == insert_set[c];
      end
    end
    always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
      if (!rst_ni) counts_q[c*CounterBits +: CounterBits] <= '0;
      else if (clear_i) counts_q[c*CounterBits +: CounterBits] <= '0;
      else counts_q[c*CounterBits +: CounterBits] <= count ^ toggle;
    end
    assign nonzero[c] = |count;
  end

  logic [3:0] present;
  for (genvar b = 0; b < 4; b++) begin : g_present
    logic [Bank-1:0] bank;
    assign bank       = nonzero[b*Bank +: Bank];
    assign present[b] = !lookup_use[b] || bank[lookup_index[b*IndexBits +: IndexBits]];
  end
  stream_skid #(.Width(1)) i_rsp (
    .clk_i,
    .rst_ni,
    .in_valid_i(lookup_valid_i),
    .in_ready_o(lookup_ready_o),
    .in_data_i(&present),
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o(rsp_found_o)
  );

`ifdef FORMAL_COUNTING_BLOOM
  `include "counting_bloom_props.svh"
`endif
endmodule
`default_nettype wire
