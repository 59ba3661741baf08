// Top of the proofs of md5_pipeline: the pipeline itself, with md5_abstract.sv in place of the adders,
// md5_pipeline_fifo.sv in place of the FIFO and, by stub=, anything at all in place of the stages.
`default_nettype none
module md5_pipeline_proof #(
  parameter int unsigned StepsPerStage = 16
) (
  input  wire logic         clk_i,
  input  wire logic         rst_ni,
  input  wire logic         in_valid_i,
  output logic              in_ready_o,
  input  wire logic [511:0] in_block_i,
  input  wire logic [127:0] in_chain_i,
  output logic              out_valid_o,
  input  wire logic         out_ready_i,
  output logic [127:0]      out_chain_o
);
  `include "reset.svh"
  md5_pipeline #(.StepsPerStage(StepsPerStage)) i_pipeline (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_block_i, .in_chain_i, .out_valid_o, .out_ready_i, .out_chain_o
  );
endmodule
`default_nettype wire
