// affine_encoder: masked vectors to {affine, base, stride code}, as a stream.
//
//   in ──▶ affine_encode_core ──▶ stream_skid ──▶ out      latency 1, one vector per cycle
//
// What affine, base and stride mean: affine_encode_core.sv. Base and stride mean nothing when affine is
// low. in_ready_o depends on state only. Source: AVC paper 5.2; decisions A1 to A6.
`default_nettype none
module affine_encoder #(
  parameter int unsigned Lanes      = 32,  // values per vector
  parameter int unsigned Width      = 32,  // bits per value
  parameter int unsigned StrideBits = 3    // bits of the stride code
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic                   in_valid_i,
  output logic                        in_ready_o,
  input  wire logic [Lanes*Width-1:0] in_data_i,  // lane 0 in the low bits
  input  wire logic [Lanes-1:0]       in_mask_i,  // active lanes
  output logic                        out_valid_o,
  input  wire logic                   out_ready_i,
  output logic                        out_affine_o,  // all active lanes fit base and stride
  output logic [Width-1:0]            out_base_o,  // value of lane 0; undefined unless affine
  output logic [StrideBits-1:0]       out_stride_o  // code; all ones: uniform
);
  logic                  affine;
  logic [Width-1:0]      base;
  logic [StrideBits-1:0] stride;

  affine_encode_core #(.Lanes(Lanes), .Width(Width), .StrideBits(StrideBits)) i_core (
    .data_i(in_data_i),
    .mask_i(in_mask_i),
    .affine_o(affine),
    .base_o(base),
    .stride_o(stride)
  );

  stream_skid #(.Width(1 + Width + StrideBits)) i_skid (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_ready_o,
    .in_data_i({affine, base, stride}),
    .out_valid_o,
    .out_ready_i,
    .out_data_o({out_affine_o, out_base_o, out_stride_o})
  );

`ifdef FORMAL_AFFINE_ENCODER
  `include "affine_encoder_props.svh"
`endif
endmodule
`default_nettype wire
