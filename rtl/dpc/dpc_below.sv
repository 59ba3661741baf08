// dpc_below: marks the bits of a word below a place, or all. Combinational.
//
// The place is split into halves: a bit is below if its upper half is, or if its upper half is not above and its lower
// half is below. So each bit is one gate behind two short lists.
`default_nettype none
module dpc_below #(
  parameter int unsigned Width  = 8,
  parameter int unsigned AtBits = $clog2(Width)  // not to be set
) (
  input  wire logic              all_i,
  input  wire logic [AtBits-1:0] at_i,
  output logic [Width-1:0]       below_o  // bit i: i < at_i, or all_i
);
  if (Width < 2) begin : g_bad_width
    $error("dpc_below: Width must be at least 2");
  end
  if (AtBits != $clog2(Width)) begin : g_bad_at_bits
    $error("dpc_below: AtBits follows from Width and must not be overridden");
  end

  localparam int unsigned LowBits = (AtBits + 1) / 2;
  localparam int unsigned Lows    = 1 << LowBits;
  localparam int unsigned Highs   = (Width + Lows - 1) / Lows;

  logic [AtBits:0]  high;  // of the place; a bit more, so that a place of one bit has an upper half as well
  logic [Lows-1:0]  low_below;
  logic [Highs-1:0] high_below, high_not_above;
  assign high = {1'b0, at_i} >> LowBits;
  for (genvar i = 0; i < Lows; i++) begin : g_low
    if (i == Lows - 1) begin : g_never
      assign low_below[i] = 1'b0;
    end else begin : g_compare
      assign low_below[i] = at_i[LowBits-1:0] > LowBits'(i);
    end
  end
  for (genvar i = 0; i < Highs; i++) begin : g_high
    assign high_below[i] = all_i || high > (AtBits+1)'(i);
    if (i == 0) begin : g_always
      assign high_not_above[i] = 1'b1;
    end else begin : g_compare
      assign high_not_above[i] = high >= (AtBits+1)'(i);
    end
  end
  for (genvar i = 0; i < Width; i++) begin : g_bit
    assign below_o[i] = high_below[i/Lows] || (high_not_above[i/Lows] && low_below[i%Lows]);
  end

`ifdef FORMAL_DPC_BELOW
  `include "dpc_below_props.svh"
`endif
endmodule
`default_nettype wire
