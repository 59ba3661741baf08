// affine_decoder: {base, stride code} to vectors, as a stream.
//
//   in ──▶ stream_skid ──▶ affine_decode_core ──▶ out      latency 1, one vector per cycle
//
// The registers hold the short form (35 bits at the paper's size instead of 1,024); the outputs are a
// function of them alone. in_ready_o depends on state only. Source: AVC paper 5.2; decision A1.
`default_nettype none
module affine_decoder #(
  parameter int unsigned Lanes      = 32,  // values per vector
  parameter int unsigned Width      = 32,  // bits per value
  parameter int unsigned StrideBits = 3    // bits of the stride code
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  in_valid_i,
  output logic                       in_ready_o,
  input  wire logic [Width-1:0]      in_base_i,  // value of lane 0
  input  wire logic [StrideBits-1:0] in_stride_i,  // code; all ones: uniform
  output logic                       out_valid_o,
  input  wire logic                  out_ready_i,
  output logic [Lanes*Width-1:0]     out_data_o    // lane 0 in the low bits
);
  logic [Width-1:0]      base;
  logic [StrideBits-1:0] stride;

  stream_skid #(.Width(Width + StrideBits), .FollowsInput(1'b1)) i_skid (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o,
    .in_data_i({in_base_i, in_stride_i}),
    .out_valid_o,
    .out_ready_i,
    .out_data_o({base, stride})
  );

  affine_decode_core #(.Lanes(Lanes), .Width(Width), .StrideBits(StrideBits)) i_core (
    .base_i(base),
    .stride_i(stride),
    .data_o(out_data_o)
  );

`ifdef FORMAL_AFFINE_DECODER
  `include "affine_decoder_props.svh"
`endif
endmodule
`default_nettype wire
