// md5_stage: Steps consecutive steps of RFC 1321 from FirstStep on. Combinational.
//
//   (t, b, c, d) ──▶ step ──▶ ... ──▶ step ──▶ (t', b', c', d')        t = a + K + M of the next step
//
// The t of a step is computed beside the step before it, because its a is that step's d. Behind step 63 there is no
// next step, and t' is a itself. All step numbers are parameters, so rotations are wires and constants fold into the
// adders. block_i has message word 0 in the low bits.
`default_nettype none
module md5_stage #(
  parameter int unsigned FirstStep = 0,
  parameter int unsigned Steps = 1
) (
  input  wire logic [31:0]  t_i,
  input  wire logic [31:0]  b_i,
  input  wire logic [31:0]  c_i,
  input  wire logic [31:0]  d_i,
  input  wire logic [511:0] block_i,
  output logic [31:0]       t_o,
  output logic [31:0]       b_o,
  output logic [31:0]       c_o,
  output logic [31:0]       d_o
);
  if (Steps == 0 || FirstStep + Steps > 64) begin : g_bad_steps
    $error("md5_stage: steps FirstStep to FirstStep + Steps - 1 must be among 0 to 63");
  end

  wire unused_words = ^block_i;  // a stage reads the words of its own steps only

  // Slice j: the registers before step j.
  logic [32*Steps+31:0] t, b, c, d;
  assign {t[31:0], b[31:0], c[31:0], d[31:0]} = {t_i, b_i, c_i, d_i};
  assign t_o = t[32*Steps +: 32];
  assign b_o = b[32*Steps +: 32];
  assign c_o = c[32*Steps +: 32];
  assign d_o = d[32*Steps +: 32];

  for (genvar j = 0; j < Steps; j++) begin : g_step
    localparam int unsigned Step     = FirstStep + j;
    localparam int unsigned Round    = Step / 16;
    localparam int unsigned Next     = Step + 1;
    localparam int unsigned NextWord = Next < 16 ? Next : Next < 32 ? (5 * Next + 1) % 16
                                                        : Next < 48 ? (3 * Next + 5) % 16 : (7 * Next) % 16;
    md5_step i_step (
      .b_i(b[32*j +: 32]),
      .c_i(c[32*j +: 32]),
      .d_i(d[32*j +: 32]),
      .t_i(t[32*j +: 32]),
      .round_i(2'(Round)),
      .position_i(2'(Step)),
      .small_i(md5_pkg::rotate_small(2'(Round), 2'(Step))),
      .extra_i(32'd0),
      .b_o(b[32*(j+1) +: 32])
    );
    assign c[32*(j+1) +: 32] = b[32*j +: 32];
    assign d[32*(j+1) +: 32] = c[32*j +: 32];
    if (Next == 64) begin : g_last
      assign t[32*(j+1) +: 32] = d[32*j +: 32];
    end else begin : g_prepare
      md5_add3 i_prepare (
        .x_i(md5_pkg::Constants[32*Next +: 32]),
        .y_i(block_i[32*NextWord +: 32]),
        .z_i(d[32*j +: 32]),
        .sum_o(t[32*(j+1) +: 32])
      );
    end
  end

`ifdef FORMAL_MD5_STAGE
  `include "md5_stage_props.svh"
`endif
endmodule
`default_nettype wire
