// siphash_half against the equations of the SipHash paper, for all inputs.
  logic [63:0] f_s0, f_s1, f_b, f_d;
  logic [4:0]  f_turn_b, f_turn_d;
  assign f_s0     = state_i[63:0] + state_i[127:64];
  assign f_s1     = state_i[191:128] + state_i[255:192];
  assign f_turn_b = second_i ? 5'd17 : 5'd13;
`ifdef PLANT_HALF_TURN
  assign f_turn_d = second_i ? 5'd20 : 5'd16;
`else
  assign f_turn_d = second_i ? 5'd21 : 5'd16;
`endif
  assign f_b = (state_i[127:64] << f_turn_b) | (state_i[127:64] >> (7'd64 - {2'd0, f_turn_b}));
  assign f_d = (state_i[255:192] << f_turn_d) | (state_i[255:192] >> (7'd64 - {2'd0, f_turn_d}));
  always_comb begin
    a_a: assert (state_o[63:0] == f_s1);
    a_b: assert (state_o[127:64] == (f_b ^ f_s0));
    a_c: assert (state_o[191:128] == {f_s0[31:0], f_s0[63:32]});
    a_d: assert (state_o[255:192] == (f_d ^ f_s1));
  end
