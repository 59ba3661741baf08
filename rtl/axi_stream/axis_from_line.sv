// axis_from_line: sends the bytes of a line as the beats of one AXI4-Stream packet.
//
//   in ──▶ [line, moves down by a beat] ──▶ stream_skid ──▶ m_axis
//
//   latency     2 cycles from the line to its first beat
//   throughput  one beat per cycle, also from line to line
//
// in_ready_o depends on state only, never on m_axis_tready_i. m_axis_tvalid_o comes from a register and never waits for
// m_axis_tready_i; the payload is stable until it is taken.
//
// A packet has the bytes that hold in_length_i bits. Byte i of the line is byte i of the packet; the last beat has
// m_axis_tlast_o, and m_axis_tkeep_o from byte 0 to its last byte. m_axis_tuser_o is in_user_i in every beat.
// Active-low reset drops what is held; payload flops are not reset.
// Source: AMBA AXI4-Stream Protocol Specification (ARM IHI 0051A), 2.2 (handshake), 2.4 (TKEEP), 2.5 (packets).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module axis_from_line #(
  parameter int unsigned DataBytes = 32,    // bytes per beat
  parameter int unsigned LineBits  = 1025,  // bits per line, at most
  parameter int unsigned UserBits  = 4      // bits of tuser
) (
  input  wire logic                          clk_i,
  input  wire logic                          rst_ni,
  input  wire logic                          in_valid_i,
  output logic                               in_ready_o,
  input  wire logic [LineBits-1:0]           in_line_i,    // byte 0 of the packet in the low bits
  input  wire logic [$clog2(LineBits+1)-1:0] in_length_i,  // bits to send, 1 to LineBits
  input  wire logic [UserBits-1:0]           in_user_i,
  output logic                               m_axis_tvalid_o,
  input  wire logic                          m_axis_tready_i,
  output logic [8*DataBytes-1:0]             m_axis_tdata_o,  // byte 0 in the low bits
  output logic [DataBytes-1:0]               m_axis_tkeep_o,
  output logic [UserBits-1:0]                m_axis_tuser_o,
  output logic                               m_axis_tlast_o
);
  if (DataBytes == 0) begin : g_bad_data_bytes
    $error("axis_from_line: DataBytes must be at least 1");
  end
  if (LineBits == 0) begin : g_bad_line_bits
    $error("axis_from_line: LineBits must be at least 1");
  end
  if (UserBits == 0) begin : g_bad_user_bits
    $error("axis_from_line: UserBits must be at least 1");
  end

  localparam int unsigned DataBits  = 8 * DataBytes;
  localparam int unsigned LineBytes = (LineBits + 7) / 8;
  localparam int unsigned Beats     = (LineBytes + DataBytes - 1) / DataBytes;
  localparam int unsigned LeftBits  = $clog2(Beats * DataBytes + 1);

  logic [Beats*DataBits-1:0] line_q, below;
  logic [LeftBits-1:0]       left_q;  // bytes to send; 0: no line
  logic [UserBits-1:0]       user_q;
  logic [DataBytes-1:0]      keep;
  logic                      busy, last, room, move, take;

  assign busy       = left_q != '0;
  assign move       = busy && room;
  assign in_ready_o = !busy || (last && room);
  assign take       = in_valid_i && in_ready_o;
  for (genvar i = 0; i < DataBytes; i++) begin : g_keep
    assign keep[i] = left_q > LeftBits'(i);
  end
  if (Beats > 1) begin : g_several
    assign last = left_q <= LeftBits'(DataBytes);
`ifdef PLANT_AXIS_SHORT_STEP  // planted bug: the line moves by a byte less than a beat
    assign below = line_q >> (DataBits - 8);
`else
    assign below = line_q >> DataBits;
`endif
  end else begin : g_one
    assign last  = 1'b1;
    assign below = '0;
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni)   left_q <= '0;
    else if (take) left_q <= LeftBits'((32'(in_length_i) + 32'd7) >> 3);
`ifdef PLANT_AXIS_BEAT_REPEATS  // planted bug: a middle beat is sent again and again
    else if (move) left_q <= last ? '0 : left_q == LeftBits'(2 * DataBytes) ? left_q : left_q - LeftBits'(DataBytes);
`else
    else if (move) left_q <= last ? '0 : left_q - LeftBits'(DataBytes);
`endif
  end
  always_ff @(posedge clk_i) begin
    if (take || move) line_q <= take ? (Beats * DataBits)'(in_line_i) : below;
    if (take) user_q <= in_user_i;
  end

  stream_skid #(.Width(DataBits + DataBytes + UserBits + 1)) i_out (
    .clk_i,
    .rst_ni,
    .in_valid_i (busy),
    .in_ready_o (room),
    .in_data_i  ({line_q[DataBits-1:0], keep, user_q, last}),
    .out_valid_o(m_axis_tvalid_o),
    .out_ready_i(m_axis_tready_i),
    .out_data_o ({m_axis_tdata_o, m_axis_tkeep_o, m_axis_tuser_o, m_axis_tlast_o})
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_length:       assert (!in_valid_i || (in_length_i - 1'b1) < $bits(in_length_i)'(LineBits));
    c_line_to_line: cover (take && busy);
    c_stalled:      cover (busy && !room);
  end
`endif
`ifdef FORMAL_AXIS_FROM_LINE
  `include "axis_from_line_props.svh"
`endif
endmodule
`default_nettype wire
