// md5_stage: each of its steps is RFC 1321's on what the step before it gave, and its t is a + K + M of the step it
// is for. With md5_abstract.sv in place of adders and step.
  `include "md5_rfc.svh"
  logic [Steps-1:0] f_step_ok, f_prepared_ok;
  for (genvar j = 0; j < Steps; j++) begin : g_formal
    localparam logic [5:0] FStep = 6'(FirstStep + j);
    localparam int unsigned FNext = (FirstStep + j + 1) % 64;
    logic [31:0] f_b, f_c, f_d, f_next_m, f_next_k;
    assign {f_b, f_c, f_d} = {b[32*j +: 32], c[32*j +: 32], d[32*j +: 32]};
    assign f_step_ok[j] =
        {b[32*(j+1) +: 32], c[32*(j+1) +: 32], d[32*(j+1) +: 32]} ==
        {f_b + f_rotl(t[32*j +: 32] + f_rfc_function(FStep[5:4], f_b, f_c, f_d), f_rfc_shift(FStep[5:4], FStep[1:0])),
         f_b, f_c};
`ifdef PLANT_STAGE_WORD
    assign f_next_m = block_i[32*(f_rfc_word(FStep + 6'd1) ^ 4'd1) +: 32];
`else
    assign f_next_m = block_i[32*f_rfc_word(FStep + 6'd1) +: 32];
`endif
    assign f_next_k = md5_pkg::Constants[32*FNext +: 32];
    assign f_prepared_ok[j] = t[32*(j+1) +: 32] == (FStep == 6'd63 ? 32'd0 : f_next_k + f_next_m) + f_d;
  end
  always_comb begin
    a_steps:    assert (&f_step_ok);
    a_prepared: assert (&f_prepared_ok);
  end
