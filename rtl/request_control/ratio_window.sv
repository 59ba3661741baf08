// ratio_window: the last Window events of one kind, a bit each, and whether more than Percent of them are 1.
//
//   a, b ──▶ [ shift register, Window bits ] ──▶ running count ──▶ over_o
//
// Up to two events per cycle; a is the older one. After reset the window is all 0. "More" is strict, and the
// ratio is of the window's length from the start (decision D12). over_o depends on state only; an event
// shows one cycle later.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module ratio_window #(
  parameter int unsigned Window  = 16,  // events
  parameter int unsigned Percent = 50   // 0..100
) (
  input  wire logic clk_i,
  input  wire logic rst_ni,
  input  wire logic a_valid_i,
  input  wire logic a_bit_i,
  input  wire logic b_valid_i,
  input  wire logic b_bit_i,
  output logic      over_o
);
  if (Window == 0) begin : g_bad_window
    $error("ratio_window: Window must be at least 1");
  end
  if (Percent > 100) begin : g_bad_percent
    $error("ratio_window: Percent must be 0 to 100");
  end

  localparam int unsigned CountBits = $clog2(Window + 1);
  // A whole number exceeds Window * Percent / 100 exactly when it exceeds the whole part.
  localparam int unsigned Limit = Window * Percent / 100;

  logic [Window-1:0]    bits_q;  // newest lowest
  logic [Window:0]      after_a, after_b;
  logic [CountBits-1:0] count_q, count_a, count_b;

  always_comb begin
    after_a = {1'b0, bits_q};
    count_a = count_q;
    if (a_valid_i) begin
      after_a = {bits_q, a_bit_i};
      count_a = count_q + CountBits'(a_bit_i) - CountBits'(after_a[Window]);
    end
    after_b = {1'b0, after_a[Window-1:0]};
    count_b = count_a;
    if (b_valid_i) begin
      after_b = {after_a[Window-1:0], b_bit_i};
`ifdef PLANT_WINDOW_FORGETS  // planted bug: the bit that a second event pushes out stays counted
      count_b = count_a + CountBits'(b_bit_i);
`else
      count_b = count_a + CountBits'(b_bit_i) - CountBits'(after_b[Window]);
`endif
    end
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      bits_q  <= '0;
      count_q <= '0;
    end else begin
      bits_q  <= after_b[Window-1:0];
      count_q <= count_b;
    end
  end

`ifdef PLANT_WINDOW_NOT_STRICT  // planted bug: the limit itself counts as more
  assign over_o = 32'(count_q) >= Limit;
`else
  assign over_o = 32'(count_q) > Limit;
`endif
`ifdef FORMAL_RATIO_WINDOW
  `include "ratio_window_props.svh"
`endif
endmodule
`default_nettype wire
