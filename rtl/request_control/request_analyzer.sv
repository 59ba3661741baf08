// request_analyzer: request_analyzer_core as a ready/valid block, beside the memory coalescing unit.
//
//   in {active, size, offsets} ──▶ (core) ──▶ [2 maps] ──▶ out      latency 1, one request per cycle
//
// in_ready_o depends on state only. The addresses are not stored, only the maps are.
// Units: offsets in bytes within the line; in_size_i is log2 of the bytes per lane.
// Source: DPC thesis 3.1 and figure 3.2, decision D17.
`default_nettype none
module request_analyzer #(
  parameter int unsigned Lanes      = 2,    // of a warp
  parameter int unsigned LineBytes  = 128,  // bytes of a line
  parameter int unsigned SubBlocks  = 4,    // per line
  parameter int unsigned OffsetBits = $clog2(LineBytes)  // follows
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic                        in_valid_i,
  output logic                             in_ready_o,
  input  wire logic [Lanes-1:0]            in_active_i,  // active lanes
  input  wire logic [1:0]                  in_size_i,  // log2 of the bytes per lane
  input  wire logic [Lanes*OffsetBits-1:0] in_offsets_i,  // byte offset of each lane within the line
  output logic                             out_valid_o,
  input  wire logic                        out_ready_i,
  output logic [SubBlocks-1:0]             out_map_o  // sub-blocks that the active lanes access
);
  logic [SubBlocks-1:0] map;

  request_analyzer_core #(.Lanes(Lanes), .LineBytes(LineBytes), .SubBlocks(SubBlocks)) i_core (
    .active_i(in_active_i),
    .size_i(in_size_i),
    .offsets_i(in_offsets_i),
    .map_o(map)
  );

  fifo #(.Width(SubBlocks), .Depth(2)) i_maps (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o,
    .in_data_i(map),
    .out_valid_o,
    .out_ready_i,
    .out_data_o(out_map_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    c_partial: cover (out_valid_o && out_map_o != '0 && out_map_o != '1);
    c_full:    cover (out_valid_o && out_map_o == '1);
  end
`endif
`ifdef FORMAL_REQUEST_ANALYZER
  `include "request_analyzer_props.svh"
`endif
endmodule
`default_nettype wire
