// affine_encode_core: finds base and stride of a masked vector, and whether it has any. Combinational.
//
//   mask ─▶ first pair (2i, 2i+1) ─▶ lane r, its value ──┬─▶ base = value - r * stride ─┐
//           with both lanes active    pair's xor ─▶ lowest set bit = stride ────────────┤
//   affine ◀── all active lanes equal, base aligned ◀── compare ◀── affine_expand ◀─────┘
//
// Rules (decisions A1 to A6)
//   - Only active lanes count. Strides are 1, 2, ... 2^(2^StrideBits-2), or 0 (uniform, the last code);
//     negative and larger strides are not affine. Arithmetic is modulo 2^Width.
//   - base is lane 0's value, extrapolated if lane 0 is inactive, and must be a multiple of the stride.
//   - The stride is guessed from the first pair (2i, 2i+1) with both lanes active: the lowest set bit of
//     the two values' xor (for x and x + 2^k that is always bit k; the xor itself is one-hot only when
//     x / 2^k is even), none: uniform.
//   - No such pair (one lane, alternating mask): uniform is tried with the first active lane.
//   - The guess is then expanded and compared. An all-zero mask is affine: uniform, base 0.
//   - base_o and stride_o mean nothing while affine_o is low.
//
// Source: AVC paper 2.3 and 5.2 (encoding unit).
`default_nettype none
module affine_encode_core #(
  parameter int unsigned Lanes      = 32,  // values per vector
  parameter int unsigned Width      = 32,  // bits per value
  parameter int unsigned StrideBits = 3    // bits of the stride code
) (
  input  wire logic [Lanes*Width-1:0] data_i,
  input  wire logic [Lanes-1:0]       mask_i,
  output logic                        affine_o,
  output logic [Width-1:0]            base_o,
  output logic [StrideBits-1:0]       stride_o  // code
);
  localparam int unsigned Strides  = (1 << StrideBits) - 1;
  localparam int unsigned Pairs    = (Lanes + 1) / 2;
  localparam int unsigned LaneBits = $clog2(Lanes);
  localparam int unsigned Wide     = Width + LaneBits + Strides;

  if (Lanes < 2) begin : g_bad_lanes
    $error("affine_encode_core: Lanes must be at least 2");
  end
  if (StrideBits == 0 || Strides > Width) begin : g_bad_stride_bits
    $error("affine_encode_core: StrideBits must be at least 1 and 2^StrideBits-1 at most Width");
  end

  // Which pair, which lane. An odd last lane is a pair whose second lane is never active.
  logic [Pairs-1:0]   even, odd, wanted, first;
  logic               any_pair;
  logic [2*Pairs-1:0] reference;  // one-hot lane number, 0 for an empty mask

  for (genvar i = 0; i < Pairs; i++) begin : g_pair
    assign even[i] = mask_i[2*i];
    if (2 * i + 1 < Lanes) begin : g_full
      assign odd[i] = mask_i[2*i+1];
    end else begin : g_half
      assign odd[i] = 1'b0;
    end
    if (i == 0) begin : g_first
      assign first[i] = wanted[i];
    end else begin : g_later
      assign first[i] = wanted[i] && !(|wanted[i-1:0]);
    end
    assign reference[2*i]   = first[i] && even[i];
    assign reference[2*i+1] = first[i] && !even[i];
  end
  assign any_pair = |(even & odd);
  assign wanted   = any_pair ? even & odd : even | odd;

  // The reference lane's value and number, and the other lane of its pair.
  logic [Width-1:0]    value;
  logic [Strides-1:0]  other;
  logic [LaneBits-1:0] number;
  always_comb begin
    value  = '0;
    other  = '0;
    number = '0;
    for (int unsigned i = 0; i < Lanes; i++) begin
      value  |= data_i[i*Width +: Width] & {Width{reference[i]}};
      number |= LaneBits'(i) & {LaneBits{reference[i]}};
      if (i % 2 == 1) other |= data_i[i*Width +: Strides] & {Strides{first[i/2]}};
    end
  end

  // The stride: lowest set bit of the pair's xor.
  logic [Strides-1:0] difference, stride, below;
  logic               uniform;
  assign difference = (value[Strides-1:0] ^ other) & {Strides{any_pair}};
  assign uniform    = difference == '0;
  for (genvar c = 0; c < Strides; c++) begin : g_lowest
`ifdef PLANT_HIGHEST_BIT
    if (c == Strides - 1) begin : g_first
      assign stride[c] = difference[c];
    end else begin : g_later
      assign stride[c] = difference[c] && !(|difference[Strides-1:c+1]);
    end
`elsif PLANT_ONE_HOT
    assign stride[c] = difference == Strides'(1) << c;
`else
    if (c == 0) begin : g_first
      assign stride[c] = difference[c];
    end else begin : g_later
      assign stride[c] = difference[c] && !(|difference[c-1:0]);
    end
`endif
    assign below[c] = !(|difference[c:0]) && !uniform;
  end
  always_comb begin
    stride_o = {StrideBits{uniform}};
    for (int unsigned c = 0; c < Strides; c++) stride_o |= StrideBits'(c) & {StrideBits{stride[c]}};
  end

  // Base: the reference value less its lane number times the stride.
  logic [Width-1:0] offset;
  always_comb begin
    offset = '0;
    for (int unsigned c = 0; c < Strides; c++) offset |= Width'((Wide'(number) & {Wide{stride[c]}}) << c);
  end
  assign base_o = value - offset;

  // Verify.
  logic [Lanes*Width-1:0] expected;
  logic [Lanes-1:0]       equal;
  affine_expand #(.Lanes(Lanes), .Width(Width), .Strides(Strides)) i_expand (
    .base_i(base_o), .stride_i(stride), .data_o(expected)
  );
  for (genvar i = 0; i < Lanes; i++) begin : g_equal
`ifdef PLANT_MASK_IGNORED
    assign equal[i] = data_i[i*Width +: Width] == expected[i*Width +: Width];
`else
    assign equal[i] = !mask_i[i] || data_i[i*Width +: Width] == expected[i*Width +: Width];
`endif
  end
`ifdef PLANT_NO_ALIGNMENT
  assign affine_o = &equal;
`else
  assign affine_o = &equal && (value[Strides-1:0] & below) == '0;
`endif

`ifdef FORMAL_AFFINE_ENCODE_CORE
  `include "affine_encode_core_props.svh"
`endif
endmodule
`default_nettype wire
