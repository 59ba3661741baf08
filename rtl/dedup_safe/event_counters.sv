// event_counters: counts events, one counter each, and is read over APB.
//
//   events ──▶ counters ──┐
//   status ──────────────▶├─▶ prdata
//                          └── paddr
//
// Words, at byte address 4 * number:
//   0               status_i. A write with bit 0 set clears all counters; of the events of that cycle none is lost
//   1 to Counters   counter of events_i[number - 1]. It stops at all ones
// APB3, 32 bits. Another address, a write to a counter and an address that is not a multiple of 4 give pslverr_o.
// penable_i follows psel_i by one cycle, as APB has it (asserted). What was read stays until the next setup.
//
//   latency     an event is in its counter the cycle after; a word is that of the setup cycle
//   throughput  every event of every cycle; a word every second cycle
//
// One clock gate: the counters are clocked when an event or a clear comes.
// Source: this project; AMBA APB, IHI 0024.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module event_counters #(
  parameter int unsigned Counters   = 3,  // 1 to 63
  parameter int unsigned EventBits  = 4,  // 1 to 32
  parameter int unsigned StatusBits = 2   // 1 to 32
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic [Counters-1:0]   events_i,   // that happen in this cycle
  input  wire logic [StatusBits-1:0] status_i,
  input  wire logic                  psel_i,
  input  wire logic                  penable_i,
  input  wire logic                  pwrite_i,
  input  wire logic [7:0]            paddr_i,    // byte address
  input  wire logic [31:0]           pwdata_i,
  output logic                       pready_o,   // always
  output logic [31:0]                prdata_o,   // from the access cycle on
  output logic                       pslverr_o   // from the access cycle on
);
  if (Counters == 0 || Counters > 63) begin : g_bad_counters
    $error("event_counters: Counters must be 1 to 63");
  end
  if (EventBits == 0 || EventBits > 32 || StatusBits == 0 || StatusBits > 32) begin : g_bad_bits
    $error("event_counters: EventBits and StatusBits must be 1 to 32");
  end

  logic [Counters*EventBits-1:0] counts_q;
  logic [Counters-1:0]           full;
  logic                          setup, clear, legal, clk_counts;
  logic [5:0]                    word;
  logic [31:0]                   picked;
  assign word  = paddr_i[7:2];
  assign legal = paddr_i[1:0] == 2'd0 && word <= 6'(Counters) && !(pwrite_i && word != '0);
  assign setup = psel_i && !penable_i;
`ifdef PLANT_COUNTERS_CLEAR_ANY  // planted bug: a write to a counter clears, too
  assign clear = psel_i && penable_i && pwrite_i && pwdata_i[0];
`else
  assign clear = psel_i && penable_i && pwrite_i && pwdata_i[0] && legal;
`endif
  wire unused_data = &pwdata_i[31:1];

  always_comb begin
    picked = word == '0 ? 32'(status_i) : '0;
    for (int unsigned c = 0; c < Counters; c++) begin
      if (word == 6'(c + 1)) picked = picked | 32'(counts_q[c*EventBits +: EventBits]);
    end
  end
  for (genvar c = 0; c < Counters; c++) begin : g_full
`ifdef PLANT_COUNTERS_WRAP  // planted bug: a counter begins again
    assign full[c] = 1'b0;
`else
    assign full[c] = &counts_q[c*EventBits +: EventBits];
`endif
  end

  logic enable;
`ifdef PLANT_GATE_FORGETS_CLEAR  // planted bug: the clock stands when a clear comes without an event
  assign enable = !rst_ni || events_i != '0;
`else
  assign enable = !rst_ni || clear || events_i != '0;
`endif
  clock_gate i_clock_gate (.clk_i, .enable_i(enable), .test_i(1'b0), .clk_o(clk_counts));
  always_ff @(posedge clk_counts `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      counts_q <= '0;
    end else begin
      for (int unsigned c = 0; c < Counters; c++) begin
`ifdef PLANT_COUNTERS_LOSE_EVENT  // planted bug: an event beside a clear is lost
        if (clear) counts_q[c*EventBits +: EventBits] <= '0;
`else
        if (clear) counts_q[c*EventBits +: EventBits] <= EventBits'(events_i[c]);
`endif
        else if (events_i[c] && !full[c]) begin
          counts_q[c*EventBits +: EventBits] <= counts_q[c*EventBits +: EventBits] + 1'b1;
        end
      end
    end
  end
  assign pready_o = 1'b1;
  always_ff @(posedge clk_i) begin
    if (setup) begin
      prdata_o  <= pwrite_i || !legal ? '0 : picked;
      pslverr_o <= !legal;
    end
  end

`ifndef SYNTHESIS
  logic setup_q;
  always_ff @(posedge clk_i) begin
    setup_q <= rst_ni && setup;
    if (rst_ni) begin
      a_access_follows_setup: assert (setup_q == (psel_i && penable_i));
      c_clear_with_event:     cover (clear && events_i != '0);
      c_full:                 cover ((full & events_i) != '0);
    end
  end
`endif
`ifdef FORMAL_EVENT_COUNTERS
  `include "event_counters_props.svh"
`endif
endmodule
`default_nettype wire
