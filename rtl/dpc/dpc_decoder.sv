// dpc_decoder: turns packed DPC streams back into cache lines.
//
//   in ──▶ dpc_queue ──▶ dpc_decode_core ──▶ out      latency 2, one line per cycle
//
// The queue stores the stream and its mask. The outputs are a function of the queue's head alone.
// in_ready_o depends on state only. Format and source: dpc_encode_core.sv.
`default_nettype none
module dpc_decoder #(
  parameter int unsigned SubWords  = 2,  // words per sub-block
  parameter int unsigned Planes    = 4,  // bits per word
  parameter int unsigned Truncate  = 1,  // 0: whole lines only, the mask counts as 1111
  parameter int unsigned Registers = 0   // 1: the queue in flip-flops instead of ram_1r1w
) (
  input  wire logic                       clk_i,
  input  wire logic                       rst_ni,
  input  wire logic                       in_valid_i,
  output logic                            in_ready_o,
  input  wire logic [4*SubWords*Planes:0] in_bits_i,   // bit 0 first; bits beyond the stream's length do not matter
  input  wire logic [3:0]                 in_mask_i,   // critical sub-blocks
  output logic                            out_valid_o,
  input  wire logic                       out_ready_i,
  output logic [4*SubWords*Planes-1:0]    out_line_o   // word 0 in the low bits; zeros in the other sub-blocks
);
  localparam int unsigned Cells = 4 * SubWords * Planes;

  logic [Cells:0] head_bits;
  logic [3:0]     head_mask;

  dpc_queue #(.Width(Cells + 5), .Registers(Registers)) i_queue (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i({in_bits_i, in_mask_i}),
    .out_valid_o, .out_ready_i, .out_data_o({head_bits, head_mask})
  );
  dpc_decode_core #(.SubWords(SubWords), .Planes(Planes)) i_core (
    .bits_i(head_bits), .mask_i(Truncate == 0 ? 4'b1111 : head_mask), .line_o(out_line_o)
  );
endmodule
`default_nettype wire
