// axis_bpc_decoder: stream of bit-plane codes back to its line, AXI4-Stream in and out.
//
//   s_axis ──▶ axis_to_line ──▶ bpc_decoder ──▶ axis_from_line ──▶ m_axis
//
//   latency     that of the decoder + 3, from the last beat of the stream to the first of the line
//   throughput  that of the decoder, at most one beat per cycle
//
// s_axis is a packet as axis_bpc_encoder sends it. m_axis is a packet of one line, word 0 first. A packet that is
// longer than any stream is dropped, see axis_to_line. Lines leave in the order of their streams.
// Format and source: bpc_decoder.
`default_nettype none
module axis_bpc_decoder #(
  parameter int unsigned DataBytes = 32,  // bytes per beat
  parameter int unsigned Words     = 32   // 32-bit words per line, 3 to 32
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic                   s_axis_tvalid_i,
  output logic                        s_axis_tready_o,
  input  wire logic [8*DataBytes-1:0] s_axis_tdata_i,  // byte 0 in the low bits
  input  wire logic [DataBytes-1:0]   s_axis_tkeep_i,
  input  wire logic                   s_axis_tlast_i,
  output logic                        m_axis_tvalid_o,
  input  wire logic                   m_axis_tready_i,
  output logic [8*DataBytes-1:0]      m_axis_tdata_o,
  output logic [DataBytes-1:0]        m_axis_tkeep_o,
  output logic                        m_axis_tlast_o,
  output logic                        bad_packet_o  // a packet was dropped
);
  localparam int unsigned LineBits   = 32 * Words;
  localparam int unsigned LengthBits = $clog2(LineBits + 1);

  logic                stream_valid, stream_ready, line_valid, line_ready, unused_in_user, unused_out_user;
  logic [LineBits:0]   bits;
  logic [LineBits-1:0] line;

  axis_to_line #(.DataBytes(DataBytes), .LineBits(LineBits + 1), .UserBits(1), .Exact(0)) i_in (
    .clk_i,
    .rst_ni,
    .s_axis_tvalid_i,
    .s_axis_tready_o,
    .s_axis_tdata_i,
    .s_axis_tkeep_i,
    .s_axis_tuser_i(1'b0),
    .s_axis_tlast_i,
    .out_valid_o   (stream_valid),
    .out_ready_i   (stream_ready),
    .out_line_o    (bits),
    .out_user_o    (unused_in_user),
    .bad_packet_o
  );
  bpc_decoder #(.Words(Words)) i_decoder (
    .clk_i,
    .rst_ni,
    .in_valid_i (stream_valid),
    .in_ready_o (stream_ready),
    .in_bits_i  (bits),
    .out_valid_o(line_valid),
    .out_ready_i(line_ready),
    .out_line_o (line)
  );
  axis_from_line #(.DataBytes(DataBytes), .LineBits(LineBits), .UserBits(1)) i_out (
    .clk_i,
    .rst_ni,
    .in_valid_i    (line_valid),
    .in_ready_o    (line_ready),
    .in_line_i     (line),
    .in_length_i   (LengthBits'(LineBits)),
    .in_user_i     (1'b0),
    .m_axis_tvalid_o,
    .m_axis_tready_i,
    .m_axis_tdata_o,
    .m_axis_tkeep_o,
    .m_axis_tuser_o(unused_out_user),
    .m_axis_tlast_o
  );
endmodule
`default_nettype wire
