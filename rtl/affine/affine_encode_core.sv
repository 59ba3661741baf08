// affine_encode_core: finds base and stride of a masked vector, and whether it has any. Combinational.
//
//   mask ─▶ first pair (2i, 2i+1) ─▶ lane r, its value ──┬─▶ base = value - r * stride ─┐
//           with both lanes active    pair's xor ─▶ lowest set bit = stride ────────────┤ Low bits
//   affine ◀── all active lanes equal, base aligned ◀── compare ◀── affine_expand ◀─────┤ only
//       ▲                                                                               │
//       └── Upper bits: each group all alike, group B = group A + carry ◀─ base[Low-1] ─┘
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
// Why the upper bits need no expansion: the lanes of an affine vector span less than 2^(Low-1).
//   - If bit Low-1 of base is clear, no lane carries out of the low bits.
//   - If it is set, the lanes that carry have this bit clear, and the others have it set.
// So the active lanes fall into two groups by their own bit Low-1: A (set) and B (clear). Within a group all upper
// parts are equal. B's upper part is A's plus bit Low-1 of base.
// Equality is checked column by column: is there a 1 and a 0? This takes fewer gates than a comparison with an
// expected value in every lane, and it does not wait for the stride.
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
  localparam int unsigned Low      = LaneBits + Strides < Width ? LaneBits + Strides : Width;

  if (Lanes < 2) begin : g_bad_lanes
    $error("affine_encode_core: Lanes must be at least 2");
  end
  if (StrideBits == 0 || Strides > Width) begin : g_bad_stride_bits
    $error("affine_encode_core: StrideBits must be at least 1 and 2^StrideBits-1 at most Width");
  end

  // Which pair, and which lane of it. An odd last lane is a pair whose second lane is never active.
  logic [Pairs-1:0]         even, odd, full, some, first_full, first_some, first;
  logic [2*Pairs*Width-1:0] data;
  logic                     any_pair, use_even;

  assign data = (2*Pairs*Width)'(data_i);
  for (genvar i = 0; i < Pairs; i++) begin : g_pair
    assign even[i] = mask_i[2*i];
    if (2 * i + 1 < Lanes) begin : g_full
      assign odd[i] = mask_i[2*i+1];
    end else begin : g_half
      assign odd[i] = 1'b0;
    end
    if (i == 0) begin : g_first
      assign first_full[i] = full[i];
      assign first_some[i] = some[i];
    end else if (i < 4) begin : g_early
      assign first_full[i] = full[i] && !(|full[i-1:0]);
      assign first_some[i] = some[i] && !(|some[i-1:0]);
    end else begin : g_later  // in fours: the fours before, then those before in this four
      logic [i/4-1:0] full_before, some_before;
      logic full_here, some_here;
      for (genvar g = 0; g < i / 4; g++) begin : g_four
        assign full_before[g] = |full[4*g +: 4];
        assign some_before[g] = |some[4*g +: 4];
      end
      if (i % 4 == 0) begin : g_none
        assign full_here = 1'b0;
        assign some_here = 1'b0;
      end else begin : g_some
        assign full_here = |full[i-1:i/4*4];
        assign some_here = |some[i-1:i/4*4];
      end
      assign first_full[i] = full[i] && !full_here && !(|full_before);
      assign first_some[i] = some[i] && !some_here && !(|some_before);
    end
  end
  assign full     = even & odd;
  assign some     = even | odd;
  assign any_pair = |full;
  assign first    = any_pair ? first_full : first_some;
  assign use_even = any_pair || |(first_some & even);

  // The reference lane's value and number. value_even and value_odd: both lanes of its pair.
  logic [Low-1:0]      value, value_even, value_odd;
  logic [LaneBits-1:0] number;
  always_comb begin
    value_even = '0;
    value_odd  = '0;
    number     = LaneBits'(!use_even && |some);
    for (int unsigned i = 0; i < Pairs; i++) begin
      value_even |= data[2*i*Width +: Low] & {Low{first[i]}};
      value_odd  |= data[(2*i+1)*Width +: Low] & {Low{first[i]}};
      number     |= LaneBits'(2 * i) & {LaneBits{first[i]}};
    end
    value = use_even ? value_even : value_odd;
  end

  // The stride: lowest set bit of the pair's xor.
  logic [Strides-1:0] difference, stride, below;
  logic               uniform;
  assign difference = (value_even[Strides-1:0] ^ value_odd[Strides-1:0]) & {Strides{any_pair}};
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

  // Low bits of base: the reference value less its lane number times the stride.
  logic [Low-1:0] offset, base;
  always_comb begin
    offset = '0;
    for (int unsigned c = 0; c < Strides; c++) offset |= Low'((Wide'(number) & {Wide{stride[c]}}) << c);
  end
  assign base = value - offset;

  // Verify the low bits.
  logic [Lanes*Low-1:0] expected;
  logic [Lanes-1:0]     equal;
  affine_expand #(.Lanes(Lanes), .Width(Low), .Strides(Strides)) i_expand (
    .base_i(base),
    .stride_i(stride),
    .data_o(expected)
  );
  for (genvar i = 0; i < Lanes; i++) begin : g_equal
`ifdef PLANT_MASK_IGNORED
    assign equal[i] = data_i[i*Width +: Low] == expected[i*Low +: Low];
`else
    assign equal[i] = !mask_i[i] || data_i[i*Width +: Low] == expected[i*Low +: Low];
`endif
  end

  // Verify the upper bits.
  logic upper_ok;
  if (Low < Width) begin : g_upper
    localparam int unsigned Upper = Width - Low;
    logic [Lanes-1:0] in_a, in_b;
    logic [Upper-1:0] one_a, zero_a, one_b, zero_b;  // an active lane of the group has a 1 (a 0) there
    logic [Upper-1:0] carry, borrow;                 // of A + 1 = B; of B - 1. Neither waits for base
    logic             any_a, any_b, same, next, take_b, take_b1, up, down;
    always_comb begin
      one_a  = '0;
      zero_a = '0;
      one_b  = '0;
      zero_b = '0;
      for (int unsigned i = 0; i < Lanes; i++) begin
        in_a[i] = mask_i[i] && data_i[i*Width + Low - 1];
        in_b[i] = mask_i[i] && !data_i[i*Width + Low - 1];
        one_a  |= data_i[i*Width + Low +: Upper] & {Upper{in_a[i]}};
        zero_a |= ~data_i[i*Width + Low +: Upper] & {Upper{in_a[i]}};
        one_b  |= data_i[i*Width + Low +: Upper] & {Upper{in_b[i]}};
        zero_b |= ~data_i[i*Width + Low +: Upper] & {Upper{in_b[i]}};
      end
      // B = A + 1 without a carry chain: a bit carries if A has it and B has not.
      up   = 1'b1;
      down = 1'b1;
      for (int unsigned p = 0; p < Upper; p++) begin
        carry[p]  = up;
        borrow[p] = down;
        up        = one_a[p] && !one_b[p];
        down      = down && !one_b[p];
      end
    end
    assign any_a    = |in_a;
    assign any_b    = |in_b;
    assign same     = one_a == one_b;
    assign next     = (one_a ^ one_b) == carry;
    assign upper_ok = (one_a & zero_a) == '0 && (one_b & zero_b) == '0 &&
                      (!any_a || !any_b || (base[Low-1] ? next : same));
    assign take_b   = !any_a && !base[Low-1];
    assign take_b1  = !any_a && base[Low-1];
    assign base_o   = {(one_a & {Upper{any_a}}) | (one_b & {Upper{take_b}}) |
                       ((one_b ^ borrow) & {Upper{take_b1}}), base};
  end else begin : g_all_low
    assign upper_ok = 1'b1;
    assign base_o   = base;
  end

`ifdef PLANT_NO_ALIGNMENT
  assign affine_o = &equal && upper_ok;
`else
  assign affine_o = &equal && upper_ok && (value[Strides-1:0] & below) == '0;
`endif

`ifdef FORMAL_AFFINE_ENCODE_CORE
  `include "affine_encode_core_props.svh"
`endif
endmodule
`default_nettype wire
