// axis_dpc_encoder: DPC compression of a line, AXI4-Stream in and out.
//
//   s_axis ──▶ axis_to_line ──▶ [line] ──▶ dpc_encoder ──▶ m_axis
//
//   latency     Steps + 3 cycles from the last beat of the line to the first of a stream of one beat
//   throughput  that of dpc_encoder, at most one beat per cycle
//
// dpc_encoder works on as many planes per cycle as fit into a beat, and its flits are the beats. It reads a line where
// it stands: the next line is gathered meanwhile.
//
// s_axis is a packet of one line, word 0 first; s_axis_tuser_i is its mask of critical sub-blocks. m_axis is a packet
// of the bytes that the stream takes, bit 0 first, padded with zeros; m_axis_tuser_o is the mask, which the decoder
// needs. A packet of another size is dropped, see axis_to_line. Streams leave in the order of their lines.
// Format and source: dpc_encoder.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module axis_dpc_encoder #(
  parameter int unsigned DataBytes = 32,  // bytes per beat
  parameter int unsigned SubWords  = 8,   // words per sub-block
  parameter int unsigned Planes    = 32,  // bits per word
  parameter int unsigned Truncate  = 1    // 0: whole lines only, the mask counts as 1111
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic                   s_axis_tvalid_i,
  output logic                        s_axis_tready_o,
  input  wire logic [8*DataBytes-1:0] s_axis_tdata_i,  // byte 0 in the low bits
  input  wire logic [DataBytes-1:0]   s_axis_tkeep_i,
  input  wire logic [3:0]             s_axis_tuser_i,  // critical sub-blocks, of the packet's first beat
  input  wire logic                   s_axis_tlast_i,
  output logic                        m_axis_tvalid_o,
  input  wire logic                   m_axis_tready_i,
  output logic [8*DataBytes-1:0]      m_axis_tdata_o,
  output logic [DataBytes-1:0]        m_axis_tkeep_o,
  output logic [3:0]                  m_axis_tuser_o,  // critical sub-blocks
  output logic                        m_axis_tlast_o,
  output logic                        bad_packet_o  // a packet was dropped
);
  localparam int unsigned LineBits       = 4 * SubWords * Planes;
  localparam int unsigned LengthBits     = $clog2(LineBits + 2);
  localparam int unsigned CountBits      = $clog2(8 * DataBytes + 1);
  localparam int unsigned Fits           = 2 * DataBytes / SubWords;  // planes in a beat
  localparam int unsigned PlanesPerCycle = Fits < Planes ? Fits : Planes;

  if (Fits == 0) begin : g_bad_data_bytes
    $error("axis_dpc_encoder: DataBytes must be at least SubWords / 2, a plane");
  end

  logic                  came, taken, held_q, ready;
  logic [LineBits-1:0]   new_line, line_q;
  logic [3:0]            new_mask, mask_q;
  logic [CountBits-1:0]  count;
  logic [LengthBits-1:0] length;

  axis_to_line #(.DataBytes(DataBytes), .LineBits(LineBits), .UserBits(4), .Exact(1)) i_in (
    .clk_i,
    .rst_ni,
    .s_axis_tvalid_i,
    .s_axis_tready_o,
    .s_axis_tdata_i,
    .s_axis_tkeep_i,
    .s_axis_tuser_i,
    .s_axis_tlast_i,
    .out_valid_o(came),
    .out_ready_i(taken),
    .out_line_o (new_line),
    .out_user_o (new_mask),
    .bad_packet_o
  );

  // The line that the encoder reads.
  assign taken = !held_q || ready;
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni)    held_q <= 1'b0;
    else if (taken) held_q <= came;
  end
  always_ff @(posedge clk_i) begin
    if (taken) begin
      line_q <= new_line;
      mask_q <= new_mask;
    end
  end

  dpc_encoder #(
    .SubWords      (SubWords),
    .Planes        (Planes),
    .PlanesPerCycle(PlanesPerCycle),
    .FlitBits      (8 * DataBytes),
    .Truncate      (Truncate)
  ) i_encoder (
    .clk_i,
    .rst_ni,
    .in_valid_i  (held_q),
    .in_ready_o  (ready),
    .in_line_i   (line_q),
    .in_mask_i   (mask_q),
    .out_valid_o (m_axis_tvalid_o),
    .out_ready_i (m_axis_tready_i),
    .out_bits_o  (m_axis_tdata_o),
    .out_count_o (count),
    .out_last_o  (m_axis_tlast_o),
    .out_mask_o  (m_axis_tuser_o),
    .out_length_o(length)
  );
  for (genvar i = 0; i < DataBytes; i++) begin : g_keep
    assign m_axis_tkeep_o[i] = count > CountBits'(8 * i);
  end
  wire unused_length = ^length;

`ifdef FORMAL_AXIS_DPC_ENCODER
  `include "axis_dpc_encoder_props.svh"
`endif
endmodule
`default_nettype wire
