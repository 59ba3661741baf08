// axis_dpc_decoder: DPC stream back to its line, AXI4-Stream in and out.
//
//   s_axis ──▶ dpc_decoder ──▶ axis_from_line ──▶ m_axis
//
//   latency     that of dpc_decoder + 2 from the first beat of the stream to the first of the line
//   throughput  that of dpc_decoder, at most one beat per cycle
//
// s_axis is a packet as axis_dpc_encoder sends it; s_axis_tuser_i is the mask of critical sub-blocks. Bytes that are
// not kept read as 0. m_axis is a packet of one line, word 0 first, with zeros in the other sub-blocks; m_axis_tuser_o
// is the mask. Lines leave in the order of their streams.
//
// Errors: a packet is dropped if it has more or fewer beats than its stream, or if it is not continuous: all bytes of a
// beat are kept but for the last beat, whose bytes are kept from byte 0 on. Format and source: dpc_encoder.
`default_nettype none
module axis_dpc_decoder #(
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
  localparam int unsigned LengthBits     = $clog2(LineBits + 1);
  localparam int unsigned Fits           = 2 * DataBytes / SubWords;  // planes in a beat
  localparam int unsigned PlanesPerCycle = Fits < Planes ? Fits : Planes;

  if (Fits == 0) begin : g_bad_data_bytes
    $error("axis_dpc_decoder: DataBytes must be at least SubWords / 2, a plane");
  end

  logic                   line_valid, line_ready, gap, part;
  logic [LineBits-1:0]    line;
  logic [3:0]             mask;
  logic [8*DataBytes-1:0] bits;

  for (genvar i = 0; i < DataBytes; i++) begin : g_byte
    assign bits[8*i +: 8] = s_axis_tdata_i[8*i +: 8] & {8{s_axis_tkeep_i[i]}};
  end
  assign gap  = !s_axis_tkeep_i[0] || (s_axis_tkeep_i & (s_axis_tkeep_i + 1'b1)) != '0;
`ifdef PLANT_AXIS_PART_TAKEN  // planted bug: a beat in mid-packet need not be whole
  assign part = 1'b0;
`else
  assign part = !s_axis_tlast_i && !(&s_axis_tkeep_i);
`endif

  dpc_decoder #(
    .SubWords      (SubWords),
    .Planes        (Planes),
    .PlanesPerCycle(PlanesPerCycle),
    .FlitBits      (8 * DataBytes),
    .Truncate      (Truncate)
  ) i_decoder (
    .clk_i,
    .rst_ni,
    .in_valid_i  (s_axis_tvalid_i),
    .in_ready_o  (s_axis_tready_o),
    .in_bits_i   (bits),
    .in_mask_i   (s_axis_tuser_i),
    .in_last_i   (s_axis_tlast_i),
    .in_error_i  (gap || part),
    .out_valid_o (line_valid),
    .out_ready_i (line_ready),
    .out_line_o  (line),
    .out_mask_o  (mask),
    .bad_packet_o
  );
  axis_from_line #(.DataBytes(DataBytes), .LineBits(LineBits), .UserBits(4)) i_out (
    .clk_i,
    .rst_ni,
    .in_valid_i (line_valid),
    .in_ready_o (line_ready),
    .in_line_i  (line),
    .in_length_i(LengthBits'(LineBits)),
    .in_user_i  (mask),
    .m_axis_tvalid_o,
    .m_axis_tready_i,
    .m_axis_tdata_o,
    .m_axis_tkeep_o,
    .m_axis_tuser_o,
    .m_axis_tlast_o
  );

`ifdef FORMAL_AXIS_DPC_DECODER
  `include "axis_dpc_decoder_props.svh"
`endif
endmodule
`default_nettype wire
