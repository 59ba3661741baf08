// dedup_pick: round-robin choice among N requesters.
//
// Combinational choice; one register holds the last one served, which goes to the back. A requester that stays active
// is served after at most N-1 others, so no port of the dedup unit can starve a context.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_pick #(
  parameter int unsigned N = 4,
  parameter int unsigned IndexBits = N > 1 ? $clog2(N) : 1
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic [N-1:0]     want_i,
  input  wire logic             take_i,   // the choice is served in this cycle
  output logic                  any_o,
  output logic [IndexBits-1:0]  index_o,
  output logic [N-1:0]          grant_o   // one-hot of index_o while take_i and any_o
);
  if (IndexBits != (N > 1 ? $clog2(N) : 1)) begin : g_bad_index_bits
    $error("dedup_pick: IndexBits follows from N and must not be overridden");
  end

  logic [IndexBits-1:0] last_q;

  always_comb begin
    index_o = '0;
    for (int unsigned k = 0; k < N; k++) begin
      if (want_i[N-1-k]) index_o = IndexBits'(N - 1 - k);
    end
    for (int unsigned k = 0; k < N; k++) begin
      if (want_i[N-1-k] && IndexBits'(N - 1 - k) > last_q) index_o = IndexBits'(N - 1 - k);
    end
  end
  assign any_o = |want_i;
  always_comb begin
    for (int unsigned k = 0; k < N; k++) begin
      grant_o[k] = take_i && any_o && index_o == IndexBits'(k);
    end
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) last_q <= '0;
`ifdef PLANT_PICK_FIXED_PRIORITY
    else last_q <= '0;  // planted bug: see formal/dedup/proofs.txt
`else
    else if (take_i && any_o) last_q <= index_o;
`endif
  end

`ifdef FORMAL_DEDUP_PICK
  `include "dedup_pick_props.svh"
`endif
endmodule
`default_nettype wire
