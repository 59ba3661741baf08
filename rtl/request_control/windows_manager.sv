// windows_manager: measures how often recent lines were accessed inconsistently (ICA), by size, and how often they were
// needed in full (FDR).
//
//                        ┌▶ [ICA 64 B] ──▶ ica_over_o[0]
//   reply  {map, flag} ──┼▶ [ICA 96 B] ──▶ ica_over_o[1]      each window: the last Window events,
//   evict  {map, flag} ──┼▶ [ICA 128 B]──▶ ica_over_o[2]      "over" = strictly more than its percentage
//                        └▶ [FDR]      ──▶ fdr_over_o
//
//   latency     1 cycle from an event to the verdicts
//   throughput  one reply and one eviction per cycle
//
// An event goes to the ICA window of its size (sub-blocks in its map), with its inconsistent flag. It also goes to the
// FDR window, with "map is all ones". When both come in one cycle, the reply is the older event.
// One sub-block has no window. It can still be inconsistent, when its line was refetched with another sub-block. At
// least two were accessed then, so it counts in the 64-byte window (as decision D11 reads the thesis).
// The inputs are always taken: they have no ready. Verdicts depend on state only.
// Source: DPC thesis 4.1 and figure 4.4; decisions D11 (windows), D12 (strictly over), D13 (what is pushed).
`default_nettype none
module windows_manager #(
  parameter int unsigned Window     = 16,  // events per window
  parameter int unsigned IcaPercent = 50,  // limit of the ICA windows, exceeded strictly
  parameter int unsigned FdrPercent = 90  // limit of the FDR window, exceeded strictly
) (
  input  wire logic       clk_i,
  input  wire logic       rst_ni,
  input  wire logic       reply_valid_i,  // a fetch is complete
  input  wire logic [3:0] reply_map_i,  // sub-blocks requested for it
  input  wire logic       reply_inconsistent_i,  // the fetch was inconsistent
  input  wire logic       evict_valid_i,  // a line was evicted
  input  wire logic [3:0] evict_map_i,  // sub-blocks requested for its content
  input  wire logic       evict_inconsistent_i,  // its fetch was inconsistent
  output logic [2:0]      ica_over_o,  // 64, 96, 128 bytes
  output logic            fdr_over_o  // more than FdrPercent of recent lines were needed in full
);
  if (IcaPercent > 100 || FdrPercent > 100) begin : g_bad_percent
    $error("windows_manager: IcaPercent and FdrPercent must be 0 to 100");
  end

  // The ICA window of an event, one-hot, or none.
  function automatic logic [2:0] window_of(input logic [3:0] map, input logic inconsistent);
    logic two, three;  // at least so many
    two       = (map[0] & map[1]) | (map[2] & map[3]) | ((map[0] | map[1]) & (map[2] | map[3]));
    three     = (map[0] & map[1] & (map[2] | map[3])) | (map[2] & map[3] & (map[0] | map[1]));
    window_of = {&map, three & ~(&map), ~three & (two | inconsistent)};
  endfunction

  logic [2:0] reply_window, evict_window;
  assign reply_window = window_of(reply_map_i, reply_inconsistent_i) & {3{reply_valid_i}};
  assign evict_window = window_of(evict_map_i, evict_inconsistent_i) & {3{evict_valid_i}};

  for (genvar w = 0; w < 3; w++) begin : g_ica
    ratio_window #(.Window(Window), .Percent(IcaPercent)) i_window (
      .clk_i,
      .rst_ni,
      .a_valid_i(reply_window[w]),
      .a_bit_i(reply_inconsistent_i),
      .b_valid_i(evict_window[w]),
      .b_bit_i(evict_inconsistent_i),
      .over_o(ica_over_o[w])
    );
  end

  ratio_window #(.Window(Window), .Percent(FdrPercent)) i_fdr (
    .clk_i,
    .rst_ni,
    .a_valid_i(reply_valid_i),
    .a_bit_i(&reply_map_i),
    .b_valid_i(evict_valid_i),
    .b_bit_i(&evict_map_i),
    .over_o(fdr_over_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_reply_has_data: assert (!reply_valid_i || reply_map_i != '0);
    a_evict_has_data: assert (!evict_valid_i || evict_map_i != '0);
    c_both_one_size:  cover (reply_window != '0 && reply_window == evict_window);
    c_every_verdict:  cover (ica_over_o == '1 && fdr_over_o);
  end
`endif
`ifdef FORMAL_WINDOWS_MANAGER
  `include "windows_manager_props.svh"
`endif
endmodule
`default_nettype wire
