// Top of the proof of md5_stage: all 64 steps, in stages of Steps steps, each from registers of its own (free inputs).
`default_nettype none
module md5_stage_proof #(
  parameter int unsigned Steps = 1
) (
  input  wire logic [64/Steps*128-1:0] state_i,
  input  wire logic [511:0]            block_i,
  output logic [64/Steps*128-1:0]      state_o
);
  for (genvar k = 0; k < 64 / Steps; k++) begin : g_stage
    md5_stage #(.FirstStep(k * Steps), .Steps(Steps)) i_stage (
      .t_i(state_i[128*k +: 32]), .b_i(state_i[128*k+32 +: 32]), .c_i(state_i[128*k+64 +: 32]),
      .d_i(state_i[128*k+96 +: 32]), .block_i, .t_o(state_o[128*k +: 32]), .b_o(state_o[128*k+32 +: 32]),
      .c_o(state_o[128*k+64 +: 32]), .d_o(state_o[128*k+96 +: 32])
    );
  end
endmodule
`default_nettype wire
