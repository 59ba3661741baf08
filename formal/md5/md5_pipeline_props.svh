// md5_pipeline, with any function in each stage's place: what enters a stage register is the stage's result beside its
// own block and chaining value, blocks keep their order, and none is lost: the FIFO has room for every one that was taken.
  `include "reset.svh"
  localparam int unsigned FCount = $clog2(Stages + Depth + 2);
  logic [Stages:0]      f_valid_q;
  logic [FCount-1:0]    f_flying;

  always_comb begin
    f_flying = '0;
    for (int k = 0; k <= Stages; k++) f_flying = f_flying + FCount'(valid_q[k]);
  end
  // Blocks in the FIFO: what md5_pipeline_fifo.sv gives as data.
  logic [FCount-1:0] f_held;
  assign f_held = out_chain_o[FCount-1:0];
  always_comb if (f_started_q) begin
`ifdef PLANT_PIPELINE_CREDIT
    a_credits: assert (FCount'(credits_q) + f_flying + f_held == FCount'(Depth + 1));
`else
    a_credits: assert (FCount'(credits_q) + f_flying + f_held == FCount'(Depth));
`endif
    a_range:   assert (credits_q <= CreditBits'(Depth) && out_chain_o <= 128'(Depth));
    a_no_loss: assert (!valid_q[Stages] || fifo_ready);
  end

  // One stage after another: the registers behind stage k hold what was at its outputs in the cycle before.
  logic                      f_moved_q, f_taken_q;
  logic [128*Stages-1:0]     f_result_q;   // t, b, c, d
  logic [128*(Stages+1)-1:0] f_chain_q;
  logic [512*(Stages+1)-1:0] f_block_q;
  logic [639:0]              f_input_q;
  logic [31:0]               f_first_q;
  logic [Stages-1:0]         f_state_ok, f_chain_ok, f_block_ok;
  initial f_moved_q = 1'b0;
  always_ff @(posedge clk_i) begin
    f_moved_q <= rst_ni;
    f_taken_q <= take;
    f_valid_q <= valid_q;
    f_chain_q <= chain_q;
    f_block_q <= block_q;
    f_input_q <= {in_chain_i, in_block_i};
    f_first_q <= first_t;
  end
  for (genvar k = 0; k < Stages; k++) begin : g_formal
    always_ff @(posedge clk_i)
      f_result_q[128*k +: 128] <= {g_stage[k].d_d, g_stage[k].c_d, g_stage[k].b_d, g_stage[k].t_d};
    assign f_state_ok[k] = {d_q[32*(k+1) +: 32], c_q[32*(k+1) +: 32], b_q[32*(k+1) +: 32], t_q[32*(k+1) +: 32]} ==
                           f_result_q[128*k +: 128];
    assign f_chain_ok[k] = chain_q[128*(k+1) +: 128] == f_chain_q[128*k +: 128];
    assign f_block_ok[k] = block_q[512*(k+1) +: 512] == f_block_q[512*k +: 512];
  end
  always_comb if (f_moved_q) begin
    a_valid: assert (valid_q == {f_valid_q[Stages-1:0], f_taken_q});
    a_first: assert ({chain_q[127:0], block_q[511:0]} == f_input_q &&
                     {d_q[31:0], c_q[31:0], b_q[31:0], t_q[31:0]} == {f_input_q[639:544], f_first_q});
    a_state: assert (&f_state_ok);
    a_chain: assert (&f_chain_ok);
    a_block: assert (&f_block_ok);
    a_sum:   assert (result == {chain_q[128*Stages+96 +: 32] + d_q[32*Stages +: 32],
                                chain_q[128*Stages+64 +: 32] + c_q[32*Stages +: 32],
                                chain_q[128*Stages+32 +: 32] + b_q[32*Stages +: 32],
                                chain_q[128*Stages +: 32] + t_q[32*Stages +: 32]});
    a_prepare_first: assert (first_t == md5_pkg::step_constant(6'd0) + in_block_i[31:0] + in_chain_i[31:0]);
  end
