// md5_pipeline: folds one 64-byte block into an MD5 chaining value in every cycle (RFC 1321), StepsPerStage = S.
//
//   in ──▶ [t0] ──▶ md5_stage ──▶ [ ] ──▶ md5_stage ... md5_stage ──▶ [ ] ──▶ + chain ──▶ fifo ──▶ out
//           block and old chaining value travel along          64 / S stages          ▲ room for all in flight
//
//   S            1    2    4    8    16 ...
//   latency     66   34   18   10     6   cycles from the cycle in which a block is taken to out_valid_o: 64 / S + 2
//   throughput   one block per cycle while the results are taken
//
// Why the stages never stop: an enable would cost a multiplexer for each flip-flop. Instead, a block is taken only
// when the output FIFO has room for it and for all blocks in flight (credits). So in_ready_o depends on state only.
// The FIFO has 64 / S + 3 entries, because the credit of a block comes back that many cycles after it was taken.
//
// The caller brings the chaining value: the initial one for the first block of a message, else the previous result.
// The caller also pads. Blocks of different messages may come in any order.
// Byte 0 of a block and of a chaining value is in bits 7:0. A stage drops a message word behind the last step that
// reads it. README.md compares this module with the iterative core of CMD IV.E.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module md5_pipeline #(
  parameter int unsigned StepsPerStage = 16  // divides 64
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         in_valid_i,
  output logic              in_ready_o,
  input  wire logic [511:0] in_block_i,  // byte 0 in bits 7:0
  input  wire logic [127:0] in_chain_i,  // chaining value before this block
  output logic              out_valid_o,
  input  wire logic         out_ready_i,
  output logic [127:0]      out_chain_o  // chaining value after it
);
  if (StepsPerStage == 0 || 64 % StepsPerStage != 0) begin : g_bad_steps
    $error("md5_pipeline: StepsPerStage must divide 64");
  end

  localparam int unsigned Stages     = StepsPerStage > 0 ? 64 / StepsPerStage : 1;  // 0: see above
  localparam int unsigned Depth      = Stages + 3;
  localparam int unsigned CreditBits = $clog2(Depth + 1);

  logic [CreditBits-1:0] credits_q;
  logic                  take, give;
  assign in_ready_o = credits_q != '0;
  assign take       = in_valid_i && in_ready_o;
  assign give       = out_valid_o && out_ready_i;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni)           credits_q <= CreditBits'(Depth);
`ifdef PLANT_PIPELINE_LOSES_CREDIT
    // planted bug: a credit is not given back while a block waits for one
    else if (take != give && (in_ready_o || !in_valid_i)) credits_q <= give ? credits_q + 1'b1 : credits_q - 1'b1;
`else
    else if (take != give) credits_q <= give ? credits_q + 1'b1 : credits_q - 1'b1;
`endif
  end

  // Slot k: what stage k starts from; slot Stages: the result of all steps.
  logic [Stages:0] valid_q;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) valid_q <= '0;
    else         valid_q <= {valid_q[Stages-1:0], take};
  end

  for (genvar k = 0; k <= Stages; k++) begin : g_slot
    logic [31:0]  t_d, b_d, c_d, d_d, t_q, b_q, c_q, d_q;
    logic [127:0] chain_d, chain_q;
    logic [511:0] block_d, block_q;  // words that no later step reads have no flip-flops after synthesis
    if (k == 0) begin : g_first
      assign {chain_d, block_d} = {in_chain_i, in_block_i};
      assign {d_d, c_d, b_d}    = in_chain_i[127:32];
      md5_add3 i_prepare (
        .x_i(md5_pkg::Constants[31:0]),
        .y_i(in_block_i[31:0]),
        .z_i(in_chain_i[31:0]),
        .sum_o(t_d)
      );
    end else begin : g_next
      assign {chain_d, block_d} = {g_slot[k-1].chain_q, g_slot[k-1].block_q};
      md5_stage #(.FirstStep((k - 1) * StepsPerStage), .Steps(StepsPerStage)) i_stage (
        .t_i(g_slot[k-1].t_q),
        .b_i(g_slot[k-1].b_q),
        .c_i(g_slot[k-1].c_q),
        .d_i(g_slot[k-1].d_q),
        .block_i(g_slot[k-1].block_q),
        .t_o(t_d),
        .b_o(b_d),
        .c_o(c_d),
        .d_o(d_d)
      );
    end
    always_ff @(posedge clk_i) begin
      {t_q, b_q, c_q, d_q} <= {t_d, b_d, c_d, d_d};
      {chain_q, block_q}   <= {chain_d, block_d};
    end
  end
  wire unused_words = ^g_slot[Stages].block_q;

  logic [127:0] last, chain, result;
  assign last  = {g_slot[Stages].d_q, g_slot[Stages].c_q, g_slot[Stages].b_q, g_slot[Stages].t_q};
  assign chain = g_slot[Stages].chain_q;
  for (genvar i = 0; i < 4; i++) begin : g_sum
    md5_add i_add (
      .x_i(chain[32*i +: 32]),
      .y_i(last[32*i +: 32]),
      .sum_o(result[32*i +: 32])
    );
  end

  logic fifo_ready;  // always: that is what the credits are for
  fifo #(.Width(128), .Depth(Depth)) i_fifo (
    .clk_i,
    .rst_ni,
    .in_valid_i(valid_q[Stages]),
    .in_ready_o(fifo_ready),
    .in_data_i(result),
    .out_valid_o,
    .out_ready_i,
    .out_data_o(out_chain_o)
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_room:           assert (!valid_q[Stages] || fifo_ready);
    c_no_credit:      cover (in_valid_i && !in_ready_o);
    c_take_and_give:  cover (take && give);
    c_all_stages:     cover (&valid_q);
  end
`else
  wire unused_ready = fifo_ready;
`endif
`ifdef FORMAL_MD5_PIPELINE
  `include "md5_pipeline_props.svh"
`endif
endmodule
`default_nettype wire
