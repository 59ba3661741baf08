// affine_decode_core: {base, stride code} to Lanes values. Combinational.
//
//   stride code 0 .. 2^StrideBits-2: lane i = base + i * 2^code (modulo 2^Width)
//   stride code 2^StrideBits-1:      lane i = base (uniform)
//
// Source: AVC paper 4.2 and 5.2; decision A1.
`default_nettype none
module affine_decode_core #(
  parameter int unsigned Lanes      = 32,  // values per vector
  parameter int unsigned Width      = 32,  // bits per value
  parameter int unsigned StrideBits = 3    // bits of the stride code
) (
  input  wire logic [Width-1:0]      base_i,
  input  wire logic [StrideBits-1:0] stride_i,  // code
  output logic [Lanes*Width-1:0]     data_o
);
  localparam int unsigned Strides = (1 << StrideBits) - 1;

  if (StrideBits == 0 || Strides > Width) begin : g_bad_stride_bits
    $error("affine_decode_core: StrideBits must be at least 1 and 2^StrideBits-1 at most Width");
  end

  logic [Strides-1:0] stride;

  for (genvar c = 0; c < Strides; c++) begin : g_stride
    assign stride[c] = stride_i == StrideBits'(c);
  end

  affine_expand #(.Lanes(Lanes), .Width(Width), .Strides(Strides)) i_expand (
    .base_i,
    .stride_i(stride),
    .data_o
  );

`ifdef FORMAL_AFFINE_DECODE_CORE
  `include "affine_decode_core_props.svh"
`endif
endmodule
`default_nettype wire
