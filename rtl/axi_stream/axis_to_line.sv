// axis_to_line: gathers the beats of an AXI4-Stream packet into one line.
//
//   s_axis ──▶ [spare beat] ──▶ place by number of the beat ──▶ [line] ──▶ out
//
//   latency     1 cycle from the last beat to the line
//   throughput  one beat per cycle; a cycle less for each cycle in which a line waits
//
// s_axis_tready_o depends on state only, never on out_ready_i: the spare beat is what that takes. It is low only after
// a cycle in which a line waited.
//
// A packet is a continuous stream: all bytes of a beat are kept but for the last beat, whose bytes are kept from byte 0
// on. Byte i of the packet is byte i of the line; bits behind LineBits are ignored. s_axis_tuser_i counts in the first
// beat.
//
//   Exact  legal packet                           bytes behind the packet
//   1      the bytes of a line, neither more nor less
//   0      1 byte to the bytes of a line          0
//
// Errors: an illegal packet gives no line. bad_packet_o is high for the cycle after its last beat, or for the cycle
// after the spare beat is used. The packet behind it is whole again.
//
// Why the other beats are cleared with the first (Exact 0): no bit of an earlier line may show in a later one.
// Active-low reset clears the valid bits and the state of the packet; payload flops are not reset.
// Source: AMBA AXI4-Stream Protocol Specification (ARM IHI 0051A), 2.2 (handshake), 2.4 (TKEEP), 2.5 (packets).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module axis_to_line #(
  parameter int unsigned DataBytes = 32,    // bytes per beat
  parameter int unsigned LineBits  = 1024,  // bits per line
  parameter int unsigned UserBits  = 4,     // bits of tuser
  parameter int unsigned Exact     = 1      // 1: a packet is a whole line; 0: at most
) (
  input  wire logic                   clk_i,
  input  wire logic                   rst_ni,
  input  wire logic                   s_axis_tvalid_i,
  output logic                        s_axis_tready_o,
  input  wire logic [8*DataBytes-1:0] s_axis_tdata_i,  // byte 0 in the low bits
  input  wire logic [DataBytes-1:0]   s_axis_tkeep_i,
  input  wire logic [UserBits-1:0]    s_axis_tuser_i,  // of the packet's first beat
  input  wire logic                   s_axis_tlast_i,
  output logic                        out_valid_o,
  input  wire logic                   out_ready_i,
  output logic [LineBits-1:0]         out_line_o,   // byte 0 of the packet in the low bits
  output logic [UserBits-1:0]         out_user_o,
  output logic                        bad_packet_o  // a packet was dropped
);
  if (DataBytes == 0) begin : g_bad_data_bytes
    $error("axis_to_line: DataBytes must be at least 1");
  end
  if (LineBits == 0) begin : g_bad_line_bits
    $error("axis_to_line: LineBits must be at least 1");
  end
  if (UserBits == 0) begin : g_bad_user_bits
    $error("axis_to_line: UserBits must be at least 1");
  end
  if (Exact > 1) begin : g_bad_exact
    $error("axis_to_line: Exact must be 0 or 1");
  end

  localparam int unsigned Unit      = DataBytes > 0 ? DataBytes : 1;  // so that 0 ends in the message above
  localparam int unsigned DataBits  = 8 * DataBytes;
  localparam int unsigned LineBytes = (LineBits + 7) / 8;
  localparam int unsigned Beats     = (LineBytes + Unit - 1) / Unit;
  localparam int unsigned LastBytes = LineBytes - (Beats - 1) * DataBytes;  // of a whole line's last beat
  localparam int unsigned CountBits = Beats > 1 ? $clog2(Beats) : 1;
  localparam logic [DataBytes-1:0] LastKeep = {Unit{1'b1}} >> (Unit - LastBytes);

  logic [Beats*DataBits-1:0] line_q;
  logic [UserBits-1:0]       user_q;
  logic                      full_q;    // a line is on offer
  logic [CountBits-1:0]      beat_q;    // beats of the packet so far, at most Beats - 1
  logic                      broken_q;  // the packet is illegal already
  logic                      bad_q;

  // The beat: the spare one, else the one on offer.
  logic                 spare_valid_q, spare_last_q, valid, last, move, free;
  logic [DataBits-1:0]  spare_data_q, data;
  logic [DataBytes-1:0] spare_keep_q, keep;
  logic [UserBits-1:0]  spare_user_q, user;

  assign s_axis_tready_o = !spare_valid_q;
  assign valid           = spare_valid_q || s_axis_tvalid_i;
  assign data            = spare_valid_q ? spare_data_q : s_axis_tdata_i;
  assign keep            = spare_valid_q ? spare_keep_q : s_axis_tkeep_i;
  assign user            = spare_valid_q ? spare_user_q : s_axis_tuser_i;
  assign last            = spare_valid_q ? spare_last_q : s_axis_tlast_i;
  assign free            = !full_q || out_ready_i;
  assign move            = valid && free;

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) spare_valid_q <= 1'b0;
`ifdef PLANT_AXIS_SPARE_LOST  // planted bug: a beat that comes while the line waits is lost
    else spare_valid_q <= 1'b0;
`elsif PLANT_AXIS_SPARE_WAITS  // planted bug: a packet's last beat stays in the spare until another beat is on offer
    else spare_valid_q <= (valid && !free) || (spare_valid_q && spare_last_q && !s_axis_tvalid_i);
`else
    else spare_valid_q <= valid && !free;
`endif
  end
  always_ff @(posedge clk_i) begin
    if (s_axis_tvalid_i && s_axis_tready_o) begin
      spare_data_q <= s_axis_tdata_i;
      spare_keep_q <= s_axis_tkeep_i;
      spare_user_q <= s_axis_tuser_i;
      spare_last_q <= s_axis_tlast_i;
    end
  end

  // The packet: what makes it illegal in this beat.
  logic first, at_end, whole, gap, wrong, done;
  assign first  = beat_q == '0;
  assign at_end = beat_q == CountBits'(Beats - 1);
  assign whole  = keep == (at_end ? LastKeep : {DataBytes{1'b1}});
  assign gap    = !keep[0] || (keep & (keep + 1'b1)) != '0;
  always_comb begin
    if (Exact != 0) wrong = last != at_end || !whole;
    else if (last)  wrong = gap || (at_end && (keep & ~LastKeep) != '0);
    else            wrong = at_end || !whole;
  end
`ifdef PLANT_AXIS_LONG_PACKET  // planted bug: the start of a packet that is too long counts as a line
  assign done = move && last && !wrong;
`else
  assign done = move && last && !wrong && !broken_q;
`endif

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      full_q   <= 1'b0;
      beat_q   <= '0;
      broken_q <= 1'b0;
      bad_q    <= 1'b0;
    end else begin
      full_q <= done || (full_q && !out_ready_i);
      bad_q  <= move && last && !done;
      if (move) begin
        beat_q   <= last ? '0 : at_end ? beat_q : beat_q + 1'b1;
        broken_q <= !last && (broken_q || wrong);
      end
    end
  end

  logic [DataBits-1:0] kept;
  for (genvar i = 0; i < DataBytes; i++) begin : g_byte
    assign kept[8*i +: 8] = data[8*i +: 8] & {8{Exact != 0 || keep[i]}};
  end
  for (genvar b = 0; b < Beats; b++) begin : g_beat
    logic mine;
    assign mine = beat_q == CountBits'(b);
    always_ff @(posedge clk_i) begin
`ifdef PLANT_AXIS_OLD_BYTES  // planted bug: a short packet shows bytes of the line before
      if (move && mine) line_q[DataBits*b +: DataBits] <= kept;
`else
      if (move && (mine || (Exact == 0 && first))) line_q[DataBits*b +: DataBits] <= kept & {DataBits{mine}};
`endif
    end
  end
  always_ff @(posedge clk_i) begin
    if (move && first) user_q <= user;
  end

  assign out_valid_o  = full_q;
  assign out_line_o   = line_q[LineBits-1:0];
  assign out_user_o   = user_q;
  assign bad_packet_o = bad_q;
  if (Beats * DataBits > LineBits) begin : g_padding
    wire unused_padding = ^line_q[Beats*DataBits-1:LineBits];
  end
  wire unused_gap = gap;  // with Exact 1

`ifndef SYNTHESIS
  stream_check #(.Width(LineBits + UserBits)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i({out_line_o, out_user_o})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_spare_behind_line: assert (!spare_valid_q || full_q);
    c_spare:             cover (spare_valid_q && s_axis_tvalid_i);
    c_next_with_take:    cover (full_q && out_ready_i && s_axis_tvalid_i && s_axis_tready_o);
    c_bad_packet:        cover (bad_packet_o);
  end
`endif
`ifdef FORMAL_AXIS_TO_LINE
  `include "axis_to_line_props.svh"
`endif
endmodule
`default_nettype wire
