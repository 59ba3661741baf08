// request_analyzer_core: which sub-blocks of a line the active lanes of a warp touch; combinational.
//
//   map_o[s] = some active lane accesses a byte of sub-block s
//
// A lane accesses 2^size_i bytes from its offset. An access that is not aligned may run into the next
// sub-block, which then is needed too; bytes beyond the end of the line belong to another request.
// Units: offsets and sizes in bytes. Source: DPC thesis 3.1, decision D17.
`default_nettype none
module request_analyzer_core #(
  parameter int unsigned Lanes      = 2,
  parameter int unsigned LineBytes  = 128,  // power of two
  parameter int unsigned SubBlocks  = 4,    // power of two; at least 8 bytes each
  parameter int unsigned OffsetBits = $clog2(LineBytes)  // follows
) (
  input  wire logic [Lanes-1:0]            active_i,
  input  wire logic [1:0]                  size_i,     // log2 of the bytes per lane: 1, 2, 4, 8
  input  wire logic [Lanes*OffsetBits-1:0] offsets_i,  // lane 0 lowest
  output logic [SubBlocks-1:0]             map_o
);
  localparam int unsigned SubBits   = $clog2(SubBlocks);
  localparam int unsigned InnerBits = OffsetBits - SubBits;  // offset inside a sub-block

  if (Lanes == 0) begin : g_bad_lanes
    $error("request_analyzer: Lanes must be at least 1");
  end
  if (SubBlocks < 2 || (SubBlocks & (SubBlocks - 1)) != 0 || (LineBytes & (LineBytes - 1)) != 0 ||
      LineBytes < 8 * SubBlocks) begin : g_bad_shape
    $error("request_analyzer: LineBytes and SubBlocks must be powers of two, sub-blocks of at least 8 bytes, 2 or more");
  end

  logic [InnerBits-1:0] reach;  // last byte of an access, from its first one
  assign reach = InnerBits'({size_i == 2'd3, size_i[1], |size_i});  // 0, 1, 3, 7

  // Per lane: the sub-block of its first byte, one-hot, and the one behind it when the access runs over.
  logic [SubBlocks-1:0] first, touched;
  logic [InnerBits:0]   last;
  always_comb begin
    map_o   = '0;
    first   = '0;
    touched = '0;
    last    = '0;
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      first   = SubBlocks'(1) << offsets_i[lane*OffsetBits + InnerBits +: SubBits];
      last    = {1'b0, offsets_i[lane*OffsetBits +: InnerBits]} + {1'b0, reach};
      touched = first;
`ifdef PLANT_ANALYZER_ALIGNED_ONLY  // planted bug: an access never runs over
      if (1'b0) touched = '0;
`else
      if (last[InnerBits]) touched = first | first << 1;
`endif
      if (active_i[lane]) map_o = map_o | touched;
    end
  end

`ifdef FORMAL_REQUEST_ANALYZER_CORE
  `include "request_analyzer_core_props.svh"
`endif
endmodule
`default_nettype wire
