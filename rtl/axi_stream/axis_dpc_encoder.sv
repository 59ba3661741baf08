// axis_dpc_encoder: DPC compression of a line, AXI4-Stream in and out.
//
//   s_axis ──▶ axis_to_line ──▶ dpc_encoder ──▶ axis_from_line ──▶ m_axis
//                    └── mask ──▶ fifo ─────────────┘
//
//   latency     5 cycles from the last beat of the line to the first of the stream
//   throughput  one beat per cycle, on the side that has more of them
//
// s_axis is a packet of one line, word 0 first; s_axis_tuser_i is its mask of critical sub-blocks. m_axis is a packet
// of the bytes that the stream takes, bit 0 first, padded with zeros; m_axis_tuser_o is the mask, which the decoder
// needs. A packet of another size is dropped, see axis_to_line. Streams leave in the order of their lines.
// Format and source: dpc_encode_core.
`default_nettype none
module axis_dpc_encoder #(
  parameter int unsigned DataBytes = 32,  // bytes per beat
  parameter int unsigned SubWords  = 8,   // words per sub-block
  parameter int unsigned Planes    = 32,  // bits per word
  parameter int unsigned Truncate  = 1,   // 0: whole lines only, the mask counts as 1111
  parameter int unsigned Registers = 0    // 1: the encoder's queue in flip-flops instead of ram_1r1w
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
  localparam int unsigned LineBits   = 4 * SubWords * Planes;
  localparam int unsigned LengthBits = $clog2(LineBits + 2);

  logic                  line_valid, line_ready, stream_valid, stream_ready, mask_ready, mask_valid;
  logic [LineBits-1:0]   line;
  logic [3:0]            line_mask, mask;
  logic [LineBits:0]     bits;
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
    .out_valid_o(line_valid),
    .out_ready_i(line_ready),
    .out_line_o (line),
    .out_user_o (line_mask),
    .bad_packet_o
  );
  dpc_encoder #(.SubWords(SubWords), .Planes(Planes), .Truncate(Truncate), .Registers(Registers)) i_encoder (
    .clk_i,
    .rst_ni,
    .in_valid_i  (line_valid),
    .in_ready_o  (line_ready),
    .in_line_i   (line),
    .in_mask_i   (line_mask),
    .out_valid_o (stream_valid),
    .out_ready_i (stream_ready),
    .out_bits_o  (bits),
    .out_length_o(length)
  );
  // The masks of the lines inside the encoder, which are three at most.
  fifo #(.Width(4), .Depth(3)) i_masks (
    .clk_i,
    .rst_ni,
    .in_valid_i (line_valid && line_ready),
    .in_ready_o (mask_ready),
    .in_data_i  (line_mask),
    .out_valid_o(mask_valid),
    .out_ready_i(stream_valid && stream_ready),
    .out_data_o (mask)
  );
  axis_from_line #(.DataBytes(DataBytes), .LineBits(LineBits + 1), .UserBits(4)) i_out (
    .clk_i,
    .rst_ni,
    .in_valid_i (stream_valid),
    .in_ready_o (stream_ready),
    .in_line_i  (bits),
    .in_length_i(length),
    .in_user_i  (mask),
    .m_axis_tvalid_o,
    .m_axis_tready_i,
    .m_axis_tdata_o,
    .m_axis_tkeep_o,
    .m_axis_tuser_o,
    .m_axis_tlast_o
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_mask_has_room: assert (!line_ready || mask_ready);
    a_mask_is_there: assert (!stream_valid || mask_valid);
  end
`else
  wire unused_mask_flow = mask_ready ^ mask_valid;
`endif
`ifdef FORMAL_AXIS_DPC_ENCODER
  `include "axis_dpc_encoder_props.svh"
`endif
endmodule
`default_nettype wire
