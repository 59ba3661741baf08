// dpc_extent: bits that the planes of a step take in the stream. Combinational.
//
// A compressed plane takes 1 bit, another one W = k * SubWords bits. Source: decisions D2, D4.
`default_nettype none
module dpc_extent #(
  parameter int unsigned SubWords = 2,  // words per sub-block
  parameter int unsigned Rows     = 2,  // planes of a step
  parameter int unsigned LastRows = 2,  // planes of the last step
  parameter int unsigned Bits     = $clog2(4 * SubWords * Rows + 1)  // not to be set
) (
  input  wire logic [Rows-1:0] same_i,   // planes that are compressed; 0 where the last step has none
  input  wire logic [3:0]      count_i,  // bit k-1: k critical sub-blocks
  input  wire logic            last_i,   // the last step
  output logic [Bits-1:0]      bits_o
);
  localparam int unsigned RowBits = $clog2(Rows + 1);

  if (SubWords < 2 || SubWords > 8) begin : g_bad_sub_words
    $error("dpc_extent: SubWords must be 2 to 8");
  end
  if (Rows < 1 || Rows > 32) begin : g_bad_rows
    $error("dpc_extent: Rows must be 1 to 32");
  end
  if (LastRows < 1 || LastRows > Rows) begin : g_bad_last_rows
    $error("dpc_extent: LastRows must be 1 to Rows");
  end
  if (Bits != $clog2(4 * SubWords * Rows + 1)) begin : g_bad_bits
    $error("dpc_extent: Bits follows from SubWords and Rows and must not be overridden");
  end

  logic [RowBits-1:0] short_rows, long_rows;
  logic [Bits-1:0]    words;
  assign short_rows = RowBits'($countones(same_i));
  assign long_rows  = (last_i ? RowBits'(LastRows) : RowBits'(Rows)) - short_rows;
  always_comb begin
    words = '0;
    for (int unsigned k = 0; k < 4; k++) begin
      words |= (Bits'(long_rows) * Bits'(k + 1)) & {Bits{count_i[k]}};
    end
    bits_o = words * Bits'(SubWords) + (count_i != '0 ? Bits'(short_rows) : '0);
  end

`ifdef FORMAL_DPC_EXTENT
  `include "dpc_extent_props.svh"
`endif
endmodule
`default_nettype wire
