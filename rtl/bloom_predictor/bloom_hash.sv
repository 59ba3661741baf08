// bloom_hash: which three counters of a Bloom filter a key names; combinational.
//
//   key ──┬──▶ h0 h1 h2 h3 ──▶ index_o   one H3 hash per bank of Counters/4
//         └──▶ skip (2 bits) ──▶ use_o   the bank that this key leaves out
//
// Why four banks: three hashes over one shared array need three reads per cycle. Here a key names one counter in each
// of three banks. No bank is read twice, so a memory with one read port per bank takes one key per cycle.
// All Counters are used, Counters stays a power of two, and the three counters are always distinct.
// Over many keys each counter is hit with probability 3/Counters per key, as with three hashes over one array.
// So the false-positive rate is that of the textbook: (1 - (1 - 3/m)^n)^3.
// Source: JUSTIT paper, section 2 (Figure 3); decision J4.
`default_nettype none
module bloom_hash #(
  parameter int unsigned Counters = 16,  // power of two, 8 and up
  parameter int unsigned KeyBits = 8,
  parameter int unsigned Seed = 1,
  parameter int unsigned IndexBits = $clog2(Counters) - 2  // follows from Counters
) (
  input  wire logic [KeyBits-1:0]     key_i,
  output logic [4*IndexBits-1:0]      index_o,
  output logic [3:0]                  use_o
);
  if (Counters < 8 || (Counters & (Counters - 1)) != 0 || IndexBits != $clog2(Counters) - 2) begin : g_bad_counters
    $error("bloom_hash: Counters must be a power of two from 8; IndexBits follows from it");
  end

  for (genvar b = 0; b < 4; b++) begin : g_bank
    h3_hash #(.KeyBits(KeyBits), .HashBits(IndexBits), .Seed(8 * Seed + b)) i_index (
      .key_i,
      .hash_o(index_o[b*IndexBits +: IndexBits])
    );
  end
  logic [1:0] skip;
  h3_hash #(.KeyBits(KeyBits), .HashBits(2), .Seed(8 * Seed + 4)) i_skip (
    .key_i,
    .hash_o(skip)
  );
  for (genvar b = 0; b < 4; b++) begin : g_use
    assign use_o[b] = skip != 2'(b);
  end
endmodule
`default_nettype wire
