// dpc_encoder: turns cache lines into packed DPC streams.
//
//   in ──▶ dpc_select ──▶ dpc_queue ──▶ dpc_encode_core ──▶ out      latency 2, one line per cycle
//
// The queue stores the joined words, ES and two counts: critical sub-blocks and compressed planes.
// The words are stored inverted, which saves an inverter per bit behind the queue.
// The outputs are a function of the queue's head alone. in_ready_o depends on state only.
// Format and source: dpc_encode_core.sv. Latency: decision D15.
`default_nettype none
module dpc_encoder #(
  parameter int unsigned SubWords   = 2,  // words per sub-block
  parameter int unsigned Planes     = 4,  // bits per word
  parameter int unsigned Truncate   = 1,  // 0: whole lines only, the mask counts as 1111
  parameter int unsigned Registers  = 0,  // 1: the queue in flip-flops instead of ram_1r1w
  parameter int unsigned LengthBits = $clog2(4 * SubWords * Planes + 2)  // not to be set
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic                         in_valid_i,
  output logic                              in_ready_o,
  input  wire logic [4*SubWords*Planes-1:0] in_line_i,    // word 0 in the low bits
  input  wire logic [3:0]                   in_mask_i,    // critical sub-blocks
  output logic                              out_valid_o,
  input  wire logic                         out_ready_i,
  output logic [4*SubWords*Planes:0]        out_bits_o,   // bit 0 first; 0 from the length on
  output logic [LengthBits-1:0]             out_length_o  // bits
);
  localparam int unsigned Cells     = 4 * SubWords * Planes;
  localparam int unsigned TotalBits = $clog2(Planes) + 1;

  logic [Cells-1:0]  joined, head_inverse;
  logic [3:0]        count, stored_count, head_count;
  logic [Planes-1:0] same, head_same;
  logic [TotalBits-1:0] total, head_total;

  logic [3:0] mask;
  assign mask = Truncate == 0 ? 4'b1111 : in_mask_i;

  dpc_select #(.SubWords(SubWords), .Planes(Planes)) i_select (
    .line_i(in_line_i), .mask_i(mask), .joined_o(joined), .count_o(count), .same_o(same), .total_o(total)
  );
  dpc_queue #(.Width(Cells + 4 + Planes + TotalBits), .Registers(Registers)) i_queue (
    .clk_i, .rst_ni, .in_valid_i, .in_ready_o, .in_data_i({~joined, count, same, total}),
    .out_valid_o, .out_ready_i, .out_data_o({head_inverse, stored_count, head_same, head_total})
  );
  assign head_count = Truncate == 0 ? 4'b1000 : stored_count;
  dpc_encode_core #(.SubWords(SubWords), .Planes(Planes)) i_core (
    .joined_i(~head_inverse), .count_i(head_count), .same_i(head_same), .total_i(head_total),
    .bits_o(out_bits_o), .length_o(out_length_o)
  );
endmodule
`default_nettype wire
