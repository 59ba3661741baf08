// bpc_code_loop: what bpc_plane_code and bpc_base_code write is what bpc_read_code reads, whatever bits follow.
// For proofs only.
`default_nettype none
module bpc_code_loop #(
  parameter int unsigned Words     = 4,
  parameter int unsigned PlaceBits = $clog2(Words - 1),                             // not to be set
  parameter int unsigned PlaneBits = Words > 5 + PlaceBits ? Words : 5 + PlaceBits  // not to be set
) (
  input wire logic [Words-2:0] plane_i,
  input wire logic [Words-2:0] above_i,  // the plane above
  input wire logic [5:0]       run_i,    // zero planes above, not coded yet
  input wire logic             last_i,
  input wire logic [31:0]      base_i,
  input wire logic [32:0]      behind_i,   // the bits behind the code
  input wire logic [32:0]      any_i,      // any bits at all
  input wire logic             is_base_i,
  input wire logic             is_plane_i
);
  localparam int unsigned Diffs    = Words - 1;
  localparam int unsigned CodeBits = PlaneBits + 7;

  // Plane: behind the code may stand anything.
  logic [Diffs-1:0]       dbx;
  logic [CodeBits-1:0]    code;
  logic [5:0]             bits;
  logic                   zero;
  logic [CodeBits+32:0]   stream;
  assign dbx    = plane_i ^ above_i;
  assign stream = (CodeBits+33)'(code) | ((CodeBits+33)'(behind_i) << bits);
  bpc_plane_code #(.Words(Words)) i_code (
    .plane_i(plane_i), .dbx_i(dbx), .run_i(run_i), .last_i(last_i), .code_o(code), .bits_o(bits), .zero_o(zero)
  );

  // First code, and the one behind it.
  logic [31:0]      unused_base_1, unused_base_2;
  logic [Diffs-1:0] dbx_1, dbx_2;
  logic [5:0]       run_1, run_2, bits_1, bits_2;
  logic [CodeBits+32:0] stream_2;
  assign stream_2 = stream >> bits_1;
  bpc_read_code #(.Words(Words)) i_read_1 (
    .window_i(stream[32:0]), .is_base_i(1'b0), .is_plane_i(1'b1), .run_i(6'd0), .above_i(above_i),
    .base_o(unused_base_1), .dbx_o(dbx_1), .run_o(run_1), .bits_o(bits_1)
  );
  bpc_read_code #(.Words(Words)) i_read_2 (
    .window_i(stream_2[32:0]), .is_base_i(1'b0), .is_plane_i(1'b1), .run_i(6'd0), .above_i(above_i),
    .base_o(unused_base_2), .dbx_o(dbx_2), .run_o(run_2), .bits_o(bits_2)
  );

  // Base.
  logic [32:0]      base_code;
  logic [5:0]       base_bits, read_bits, unused_run;
  logic [31:0]      read_base;
  logic [Diffs-1:0] unused_dbx;
  bpc_base_code i_base (.base_i(base_i), .code_o(base_code), .bits_o(base_bits));
  bpc_read_code #(.Words(Words)) i_read_base (
    .window_i(base_code | 33'(66'(behind_i) << base_bits)), .is_base_i(1'b1), .is_plane_i(1'b0), .run_i(6'd0),
    .above_i(above_i), .base_o(read_base), .dbx_o(unused_dbx), .run_o(unused_run), .bits_o(read_bits)
  );

  // Any bits.
  logic [31:0]      any_base;
  logic [Diffs-1:0] any_dbx;
  logic [5:0]       any_run, any_bits;
  bpc_read_code #(.Words(Words)) i_read_any (
    .window_i(any_i), .is_base_i(is_base_i), .is_plane_i(is_plane_i), .run_i(run_i), .above_i(above_i),
    .base_o(any_base), .dbx_o(any_dbx), .run_o(any_run), .bits_o(any_bits)
  );

  always_comb begin
    m_run: assume (run_i <= 6'd32);
    a_zero:   assert (zero == (plane_i == above_i));
    a_above:  assert ((code >> bits) == '0);
    a_length: assert (bits <= 6'(CodeBits) && (run_i != '0 || 32'(bits) <= PlaneBits));
    a_silent: assert (!(zero && !last_i) || bits == '0);
    // The plane alone; a run and the plane; a run that ends with the line.
    a_plane: assert (zero || run_i != '0 || (dbx_1 == dbx && run_1 == '0 && bits_1 == bits));
    a_run:   assert (zero || run_i == '0 ||
                     (dbx_1 == '0 && run_1 == run_i - 6'd1 && dbx_2 == dbx && run_2 == '0 &&
                      7'(bits_1) + 7'(bits_2) == 7'(bits)));
    a_end:   assert (!zero || !last_i || (dbx_1 == '0 && run_1 == run_i && bits_1 == bits));
    a_base:  assert (read_base == base_i && read_bits == base_bits && base_bits >= 6'd3 && base_bits <= 6'd33 &&
                     (base_code >> base_bits) == '0);
    // Reading goes on under a run without taking bits.
    a_under: assert (is_base_i || !is_plane_i || run_i == '0 ||
                     (any_dbx == '0 && any_run == run_i - 6'd1 && any_bits == '0));
    a_any:   assert (any_bits <= 6'd33 && (is_base_i || any_bits <= 6'd32) && any_run <= 6'd32 &&
                     (is_base_i || is_plane_i || any_bits == '0) && (is_plane_i || any_run == '0));
    c_whole: cover (bits == 6'(CodeBits) && run_i == 6'd32);
    c_end:   cover (zero && last_i && run_i == 6'd32);
    c_pair:  cover (!zero && run_i == 6'd1 && 32'(bits) == 8 + PlaceBits && stream[7:3] == 5'b10000);
  end
  wire unused = ^{any_base, stream_2[CodeBits+32:33], any_i};
endmodule
`default_nettype wire
