// Two halves are one SipRound, line by line as the reference code has it.
`default_nettype none
module siphash_round_proof (
  input wire logic [255:0] state_i  // {v3, v2, v1, v0}
);
  logic [255:0] middle, result;
  siphash_half i_first (.second_i(1'b0), .state_i(state_i), .state_o(middle));
  siphash_half i_second (.second_i(1'b1), .state_i(middle), .state_o(result));

  logic [63:0] v0, v1, v2, v3;
  always_comb begin
    {v3, v2, v1, v0} = state_i;
    v0 = v0 + v1;
    v1 = {v1[50:0], v1[63:51]};
    v1 = v1 ^ v0;
    v0 = {v0[31:0], v0[63:32]};
    v2 = v2 + v3;
    v3 = {v3[47:0], v3[63:48]};
    v3 = v3 ^ v2;
    v0 = v0 + v3;
    v3 = {v3[42:0], v3[63:43]};
    v3 = v3 ^ v0;
    v2 = v2 + v1;
    v1 = {v1[46:0], v1[63:47]};
    v1 = v1 ^ v2;
`ifdef PLANT_ROUND_NO_TURN
    v2 = v2 + 64'd0;
`else
    v2 = {v2[31:0], v2[63:32]};
`endif
    a_round: assert (result == {v3, v2, v1, v0});
  end
endmodule
`default_nettype wire
