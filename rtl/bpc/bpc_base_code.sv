// bpc_base_code: the code of a line's first word. Combinational. Format and source: sim_cpp/blocks/bpc/bpc.h.
`default_nettype none
module bpc_base_code (
  input  wire logic [31:0] base_i,
  output logic [32:0]      code_o,  // bit 0 first; 0 from bits_o on
  output logic [5:0]       bits_o   // 3 to 33
);
  always_comb begin
    code_o = '0;
    if (base_i == '0) begin
      bits_o = 6'd3;
    end else if (base_i[31:3] == '0 || (&base_i[31:3])) begin
      code_o[6:0] = {base_i[3:0], 3'b100};
      bits_o      = 6'd7;
    end else if (base_i[31:7] == '0 || (&base_i[31:7])) begin
      code_o[10:0] = {base_i[7:0], 3'b010};
      bits_o       = 6'd11;
    end else if (base_i[31:15] == '0 || (&base_i[31:15])) begin
      code_o[18:0] = {base_i[15:0], 3'b110};
      bits_o       = 6'd19;
    end else begin
      code_o = {base_i, 1'b1};
      bits_o = 6'd33;
    end
  end
endmodule
`default_nettype wire
