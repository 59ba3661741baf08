// dpc_loop: select, encode, decode, back to back, for the proof that nothing is lost. Not part of any design.
`default_nettype none
module dpc_loop #(
  parameter int unsigned SubWords = 2,
  parameter int unsigned Planes   = 4
) (
  input  wire logic [4*SubWords*Planes-1:0] line_i,
  input  wire logic [3:0]                   mask_i,
  output logic [4*SubWords*Planes-1:0]      line_o
);
  localparam int unsigned Cells      = 4 * SubWords * Planes;
  localparam int unsigned LengthBits = $clog2(Cells + 2);
  logic [Cells-1:0]      joined;
  logic [3:0]            count;
  logic [Planes-1:0]     same;
  logic [$clog2(Planes):0] total;
  logic [Cells:0]        bits;
  logic [LengthBits-1:0] length;
  dpc_select #(.SubWords(SubWords), .Planes(Planes)) i_select (
    .line_i, .mask_i, .joined_o(joined), .count_o(count), .same_o(same), .total_o(total)
  );
  dpc_encode_core #(.SubWords(SubWords), .Planes(Planes)) i_encode (
    .joined_i(joined), .count_i(count), .same_i(same), .total_i(total), .bits_o(bits), .length_o(length)
  );
  dpc_decode_core #(.SubWords(SubWords), .Planes(Planes)) i_decode (
    .bits_i(bits), .mask_i, .line_o
  );
`ifdef FORMAL_DPC_LOOP
  logic [Cells-1:0] p_want;
  always_comb begin
    for (int unsigned i = 0; i < 4; i++) begin
      p_want[i*SubWords*Planes +: SubWords*Planes] =
          line_i[i*SubWords*Planes +: SubWords*Planes] & {(SubWords*Planes){mask_i[i]}};
    end
    a_lossless: assert (line_o == p_want);
    a_length:   assert (32'(length) <= Cells + 1 && (bits >> length) == '0);
    c_packed:   cover (bits[0] && mask_i == 4'b1111 && line_i != '0 && line_i != '1);
  end
`endif
endmodule
`default_nettype wire
