// bpc_plane_code: the code of a plane, behind that of the zero planes above it. Combinational.
//
// A zero plane has no code of its own: it is counted, and the next other plane, or the last one, codes the run.
// Format and source: sim_cpp/blocks/bpc/bpc.h.
`default_nettype none
module bpc_plane_code #(
  parameter int unsigned Words     = 4,  // 32-bit words per line
  parameter int unsigned PlaceBits = $clog2(Words - 1),                                     // not to be set
  parameter int unsigned PlaneBits = Words > 5 + PlaceBits ? Words : 5 + PlaceBits  // not to be set
) (
  input  wire logic [Words-2:0] plane_i,
  input  wire logic [Words-2:0] dbx_i,   // xor with the plane above
  input  wire logic [5:0]       run_i,   // zero planes above that are not coded yet
  input  wire logic             last_i,  // of the line
  output logic [PlaneBits+6:0]  code_o,  // bit 0 first; 0 from bits_o on
  output logic [5:0]            bits_o,
  output logic                  zero_o   // dbx_i is 0
);
  localparam int unsigned Diffs = Words - 1;

  logic [Diffs-1:0]     lowest;
  logic [PlaceBits-1:0] place;
  assign lowest = dbx_i & (~dbx_i + 1'b1);
  assign zero_o = dbx_i == '0;
  always_comb begin
    place = '0;
    for (int unsigned i = 0; i < Diffs; i++) place |= PlaceBits'(i) & {PlaceBits{lowest[i]}};
  end

  logic [5:0]           run;
  logic [6:0]           run_code;
  logic [2:0]           run_bits;
  logic [PlaneBits-1:0] plane_code;
  logic [5:0]           plane_bits;
  assign run = zero_o ? run_i + 6'd1 : run_i;
  always_comb begin
    run_code = '0;
    run_bits = '0;
    if (run == 6'd1) begin
      run_code = 7'b100;
      run_bits = 3'd3;
    end else if (run != '0) begin
      run_code = {5'(run - 6'd2), 2'b10};
      run_bits = 3'd7;
    end
    plane_code = '0;
    if (zero_o) begin
      plane_bits = '0;
    end else if (&dbx_i) begin
      plane_code[4:0] = 5'b11000;
      plane_bits      = 6'd5;
    end else if (plane_i == '0) begin
      plane_code[4:0] = 5'b01000;
      plane_bits      = 6'd5;
    end else if (dbx_i == lowest) begin
      plane_code[5 +: PlaceBits] = place;
      plane_bits                 = 6'(5 + PlaceBits);
    end else if (dbx_i == (lowest | lowest << 1)) begin
      plane_code[4:0]            = 5'b10000;
      plane_code[5 +: PlaceBits] = place;
      plane_bits                 = 6'(5 + PlaceBits);
    end else begin
      plane_code[Diffs:0] = {dbx_i, 1'b1};
      plane_bits          = 6'(1 + Diffs);
    end
    code_o = '0;
    bits_o = '0;
    if (!zero_o || last_i) begin
      unique case (run_bits)
        3'd0:    code_o[PlaneBits-1:0] = plane_code;
        3'd3:    code_o[PlaneBits+2:0] = {plane_code, run_code[2:0]};
        default: code_o                = {plane_code, run_code};
      endcase
      bits_o = plane_bits + 6'(run_bits);
    end
  end
endmodule
`default_nettype wire
