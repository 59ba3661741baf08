// packet_filter: handles partial reads in a memory controller. It remembers which sub-blocks each read needs, and
// chooses the form of the reply. The encoders (rtl/dpc) are outside.
//
//   req ──▶ (pdr_table) ──▶ fwd ──▶ L2            latency 2
//              │
//   take ──▶ mask of the leaving reply ─┬──▶ mask ──▶ encoders      latency 2
//                                       └▶ [InFlight masks] ─┐
//   size ──(from the encoders, in order)─────────────────────┴▶ (reply_select_core) ──▶ [2] ──▶ out      latency 1
//
//   latency     req to fwd 2, take to mask 2, size to out 1
//   throughput  1 request and 1 reply per cycle (InFlight at least the encoders' latency + 2)
//
// mode_i (see reply_select_core) is a level, used when a size is taken. out_asked_o is what the requester's MSHR may
// take as answered. out_map_o is what the packet brings; it differs when the whole line is sent.
// All outputs depend on state only. mask_valid_o waits for a place among the masks in flight.
// Source: DPC thesis 3.4 and figure 3.5; decisions D3 to D6, D14.
`default_nettype none
module packet_filter #(
  parameter int unsigned Sets      = 2,  // rows per way, power of two
  parameter int unsigned Ways      = 2,  // memories, each with its own hash
  parameter int unsigned SmBits    = 1,  // bits of an SM number
  parameter int unsigned LineBits  = 2,  // bits of a line number
  parameter int unsigned InFlight  = 2,  // replies between mask and size
  parameter int unsigned IndexBits = Sets * Ways > 1 ? $clog2(Sets) + $clog2(Ways) : 1,  // follows
  parameter int unsigned TokenBits = IndexBits > 4 ? IndexBits : 4,                      // follows
  parameter int unsigned UsedBits  = $clog2(Sets * Ways + 1)                             // follows
) (
  input  wire logic                 clk_i,
  input  wire logic                 rst_ni,
  input  wire logic [1:0]           mode_i,  // form of replies: see reply_select_core.sv
  input  wire logic                 req_valid_i,
  output logic                      req_ready_o,
  input  wire logic [SmBits-1:0]    req_sm_i,  // requesting SM
  input  wire logic [LineBits-1:0]  req_line_i,  // line number
  input  wire logic [3:0]           req_mask_i,  // sub-blocks needed, at least one
  output logic                      fwd_valid_o,
  input  wire logic                 fwd_ready_i,
  output logic [1:0]                fwd_action_o,  // 0 FULL, 1 REGISTERED, 2 MERGED, 3 NO_ROOM
  output logic [TokenBits-1:0]      fwd_token_o,  // comes back with the reply as take_token_i
  input  wire logic                 take_valid_i,
  output logic                      take_ready_o,
  input  wire logic                 take_registered_i,  // its request was answered REGISTERED
  input  wire logic [TokenBits-1:0] take_token_i,  // token of the leaving reply
  output logic                      mask_valid_o,
  input  wire logic                 mask_ready_i,
  output logic [3:0]                mask_asked_o,  // sub-blocks of all merged requests
  output logic                      mask_full_o,  // the whole line is to be sent
  input  wire logic                 size_valid_i,
  output logic                      size_ready_o,
  input  wire logic [10:0]          size_whole_bits_i,  // payload bits of the line, without flag C
  input  wire logic [10:0]          size_part_bits_i,  // payload bits of the part, without flag C
  output logic                      out_valid_o,
  input  wire logic                 out_ready_i,
  output logic [1:0]                out_form_o,  // form of the packet
  output logic [3:0]                out_map_o,  // sub-blocks that the packet brings
  output logic [3:0]                out_asked_o,  // requested sub-blocks that it answers
  output logic [10:0]               out_bits_o,  // bits of the payload
  output logic [2:0]                out_flits_o,  // flits of the packet
  output logic [UsedBits-1:0]       used_o  // entries in use
);
  if (InFlight == 0) begin : g_bad_in_flight
    $error("packet_filter: InFlight must be at least 1");
  end

  logic       mask_valid, order_ready, order_valid, out_ready, size_fire, sent_full;
  logic [3:0] sent_asked, map;
  logic [1:0] form;
  logic [10:0] bits;
  logic [2:0] flits;

  pdr_table #(.Sets(Sets), .Ways(Ways), .SmBits(SmBits), .LineBits(LineBits)) i_table (
    .clk_i,
    .rst_ni,
    .req_valid_i,
    .req_ready_o,
    .req_sm_i,
    .req_line_i,
    .req_mask_i,
    .fwd_valid_o,
    .fwd_ready_i,
    .fwd_action_o,
    .fwd_token_o,
    .take_valid_i,
    .take_ready_o,
    .take_registered_i,
    .take_token_i,
    .mask_valid_o(mask_valid),
    .mask_ready_i(mask_ready_i && order_ready),
    .mask_asked_o,
    .mask_full_o,
    .used_o
  );
  assign mask_valid_o = mask_valid && order_ready;

  fifo #(.Width(5), .Depth(InFlight)) i_order (
    .clk_i,
    .rst_ni,
    .in_valid_i(mask_valid && mask_ready_i),
    .in_ready_o(order_ready),
    .in_data_i({mask_asked_o, mask_full_o}),
    .out_valid_o(order_valid),
    .out_ready_i(size_fire),
    .out_data_o({sent_asked, sent_full})
  );

  reply_select_core i_select (
    .mode_i,
    .asked_i(sent_asked),
    .full_i(sent_full),
    .whole_bits_i(size_whole_bits_i),
    .part_bits_i(size_part_bits_i),
    .form_o(form),
    .map_o(map),
    .bits_o(bits),
    .flits_o(flits)
  );

  assign size_ready_o = order_valid && out_ready;
  assign size_fire    = size_valid_i && size_ready_o;
  fifo #(.Width(24), .Depth(2)) i_out (
    .clk_i,
    .rst_ni,
    .in_valid_i(size_fire),
    .in_ready_o(out_ready),
    .in_data_i({form, map, sent_asked, bits, flits}),
    .out_valid_o,
    .out_ready_i,
    .out_data_o({out_form_o, out_map_o, out_asked_o, out_bits_o, out_flits_o})
  );

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_size_legal:    assert (!size_fire || (size_whole_bits_i >= 11'd1 && size_whole_bits_i <= 11'd1024 &&
                                            size_part_bits_i >= 11'd1 && size_part_bits_i <= 11'd1024));
    a_answers_asked: assert (!out_valid_o || (out_asked_o & ~out_map_o) == '0);
    c_truncated:     cover (out_valid_o && out_form_o == 2'd1);
    c_zero_filled:   cover (out_valid_o && out_form_o == 2'd2);
    c_no_place:      cover (mask_valid && !order_ready);
  end
`endif
`ifdef FORMAL_PACKET_FILTER
  `include "packet_filter_props.svh"
`endif
endmodule
`default_nettype wire
