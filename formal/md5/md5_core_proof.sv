// Top of the proof of md5_core: the core itself, with md5_abstract.sv in place of adders and step. The
// properties are in the core's own scope (md5_core_props.svh, -D FORMAL_MD5_CORE). The covers leave them out
// and take adders and step with free outputs: what they reach is control alone.
`default_nettype none
module md5_core_proof #(
  parameter int unsigned StepsPerCycle = 1,
  parameter int unsigned FoldInSteps = 0
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,
  input  wire logic                        start_valid_i,
  output logic                             start_ready_o,
  input  wire logic                        start_more_i,
  output logic [4*StepsPerCycle-1:0]       msg_index_o,
  output logic [5:0]                       msg_step_o,
  output logic                             msg_last_o,
  input  wire logic [32*StepsPerCycle-1:0] msg_word_i,
  output logic                             out_valid_o,
  input  wire logic                        out_ready_i,
  output logic [127:0]                     out_digest_o
);
  `include "reset.svh"
  md5_core #(.StepsPerCycle(StepsPerCycle), .FoldInSteps(FoldInSteps)) i_core (
    .clk_i, .rst_ni, .start_valid_i, .start_ready_o, .start_more_i, .msg_index_o, .msg_step_o, .msg_last_o, .msg_word_i,
    .out_valid_o, .out_ready_i, .out_digest_o
  );
endmodule
`default_nettype wire
