// md5_pipeline, with any function in place of a stage. Proved: a stage register takes the stage's result beside its own
// block and chaining value; blocks keep their order; none is lost, because the FIFO has room for each that was taken.
`ifdef FORMAL_MD5_PIPELINE_LIVE
  `include "md5_pipeline_live_props.svh"
`else
  `include "reset.svh"
  localparam int unsigned FCount = $clog2(Stages + Depth + 2);
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

  // Slot by slot: its registers hold the result of its stage, or what came in, beside block and chaining value of the
  // slot before, all of the cycle before.
  logic              f_moved_q, f_taken_q;
  logic [127:0]      f_chain_q;
  logic [511:0]      f_block_q;
  logic [Stages:0]   f_valid_q, f_state_ok, f_chain_ok, f_block_ok;
  initial f_moved_q = 1'b0;
  always_ff @(posedge clk_i) begin
    f_moved_q <= rst_ni;
    f_taken_q <= take;
    f_valid_q <= valid_q;
    f_chain_q <= in_chain_i;
    f_block_q <= in_block_i;
  end
  for (genvar k = 0; k <= Stages; k++) begin : g_formal
    logic [127:0] f_state_q, f_from_chain_q;
    logic [511:0] f_from_block_q;
    always_ff @(posedge clk_i) begin
      f_state_q      <= {g_slot[k].d_d, g_slot[k].c_d, g_slot[k].b_d, g_slot[k].t_d};
      f_from_chain_q <= g_slot[k].chain_q;
      f_from_block_q <= g_slot[k].block_q;
    end
    assign f_state_ok[k] = {g_slot[k].d_q, g_slot[k].c_q, g_slot[k].b_q, g_slot[k].t_q} == f_state_q;
    if (k == 0) begin : g_first
      assign f_chain_ok[k] = g_slot[k].chain_q == f_chain_q;
      assign f_block_ok[k] = g_slot[k].block_q == f_block_q;
    end else begin : g_next
      assign f_chain_ok[k] = g_slot[k].chain_q == g_formal[k-1].f_from_chain_q;
      assign f_block_ok[k] = g_slot[k].block_q == g_formal[k-1].f_from_block_q;
    end
  end
  always_comb if (f_moved_q) begin
    a_valid: assert (valid_q == {f_valid_q[Stages-1:0], f_taken_q});
    a_state: assert (&f_state_ok);
    a_chain: assert (&f_chain_ok);
    a_block: assert (&f_block_ok);
    a_sum:   assert (result == {chain[127:96] + last[127:96], chain[95:64] + last[95:64], chain[63:32] + last[63:32],
                                chain[31:0] + last[31:0]});
  end
  always_comb begin
    a_first:   assert ({g_slot[0].d_d, g_slot[0].c_d, g_slot[0].b_d} == in_chain_i[127:32]);
    a_prepare: assert (g_slot[0].t_d == md5_pkg::Constants[31:0] + in_block_i[31:0] + in_chain_i[31:0]);
  end
`endif
