// axis_line_hasher: fingerprint of a 128-byte line, AXI4-Stream in and out.
//
//   s_axis ──▶ axis_to_line ──▶ line_hasher or siphash_line_hasher ──▶ axis_from_line ──▶ m_axis
//
//   latency     that of the hasher + 3, from the last beat of the line to the first of the fingerprint
//   throughput  that of the hasher, at most one beat per cycle
//
// s_axis is a packet of 128 bytes; s_axis_tuser_i is the mask of the 32-byte sectors to hash. m_axis is a packet of the
// 16 bytes of the fingerprint, the byte that is printed first in byte 0. A packet of another size is dropped, see
// axis_to_line. Fingerprints leave in the order of their lines.
// key_i is used with Keyed 1 only, see siphash_core; with Keyed 0 it is tied to 0.
`default_nettype none
module axis_line_hasher #(
  parameter int unsigned DataBytes          = 32,  // bytes per beat
  parameter int unsigned Keyed              = 0,   // 0: MD5, 1: SipHash
  parameter int unsigned StepsPerCycle      = 1,   // of MD5: 1, 2 or 4
  parameter int unsigned HalfRoundsPerCycle = 2    // of SipHash: 1 or 2
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic [127:0]           key_i,  // stable from the last cycle of reset on
  input  wire logic                   s_axis_tvalid_i,
  output logic                        s_axis_tready_o,
  input  wire logic [8*DataBytes-1:0] s_axis_tdata_i,  // byte 0 in the low bits
  input  wire logic [DataBytes-1:0]   s_axis_tkeep_i,
  input  wire logic [3:0]             s_axis_tuser_i,  // sectors to hash, of the packet's first beat
  input  wire logic                   s_axis_tlast_i,
  output logic                        m_axis_tvalid_o,
  input  wire logic                   m_axis_tready_i,
  output logic [8*DataBytes-1:0]      m_axis_tdata_o,
  output logic [DataBytes-1:0]        m_axis_tkeep_o,
  output logic                        m_axis_tlast_o,
  output logic                        bad_packet_o  // a packet was dropped
);
  if (Keyed > 1) begin : g_bad_keyed
    $error("axis_line_hasher: Keyed must be 0 or 1");
  end

  logic          line_valid, line_ready, digest_valid, digest_ready, unused_user;
  logic [1023:0] line;
  logic [3:0]    mask;
  logic [127:0]  digest;

  axis_to_line #(.DataBytes(DataBytes), .LineBits(1024), .UserBits(4), .Exact(1)) i_in (
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
    .out_user_o (mask),
    .bad_packet_o
  );
  if (Keyed != 0) begin : g_keyed
    siphash_line_hasher #(.HalfRoundsPerCycle(HalfRoundsPerCycle)) i_hasher (
      .clk_i,
      .rst_ni,
      .key_i,
      .in_valid_i  (line_valid),
      .in_ready_o  (line_ready),
      .in_data_i   (line),
      .in_mask_i   (mask),
      .out_valid_o (digest_valid),
      .out_ready_i (digest_ready),
      .out_digest_o(digest)
    );
  end else begin : g_md5
    line_hasher #(.StepsPerCycle(StepsPerCycle)) i_hasher (
      .clk_i,
      .rst_ni,
      .in_valid_i  (line_valid),
      .in_ready_o  (line_ready),
      .in_data_i   (line),
      .in_mask_i   (mask),
      .out_valid_o (digest_valid),
      .out_ready_i (digest_ready),
      .out_digest_o(digest)
    );
    wire unused_key = ^key_i;
  end
  axis_from_line #(.DataBytes(DataBytes), .LineBits(128), .UserBits(1)) i_out (
    .clk_i,
    .rst_ni,
    .in_valid_i    (digest_valid),
    .in_ready_o    (digest_ready),
    .in_line_i     (digest),
    .in_length_i   (8'd128),
    .in_user_i     (1'b0),
    .m_axis_tvalid_o,
    .m_axis_tready_i,
    .m_axis_tdata_o,
    .m_axis_tkeep_o,
    .m_axis_tuser_o(unused_user),
    .m_axis_tlast_o
  );
endmodule
`default_nettype wire
