// fifo: first-in first-out buffer in flip-flops, any depth from 1.
//
//   latency     1 cycle
//   throughput  one item per cycle in each direction, at most Depth/2 (Depth = 1: every second cycle)
//
// in_ready_o and out_valid_o depend on state only. Equal pointers mean full after a push and empty after
// a pop: one flip-flop instead of a count. The read side is an AND-OR of the slots, smaller in gates than
// a tree of multiplexers. Active-low reset clears pointers and flag, not the payload flops.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module fifo #(
  parameter int unsigned Width = 32,  // bits per item
  parameter int unsigned Depth = 8    // items
) (
  input  wire logic             clk_i,
  input  wire logic             rst_ni,
  input  wire logic             in_valid_i,
  output logic                  in_ready_o,
  input  wire logic [Width-1:0] in_data_i,
  output logic                  out_valid_o,
  input  wire logic             out_ready_i,
  output logic [Width-1:0]      out_data_o  // oldest item
);
  if (Width == 0) begin : g_bad_width
    $error("fifo: Width must be at least 1");
  end
  if (Depth == 0) begin : g_bad_depth
    $error("fifo: Depth must be at least 1");
  end

  localparam int unsigned PtrBits = Depth > 1 ? $clog2(Depth) : 1;
`ifdef PLANT_FIFO_SHORT_TAIL
  localparam int unsigned LastTail = Depth - 2;  // planted bug: see formal/common/proofs.txt
`else
  localparam int unsigned LastTail = Depth - 1;
`endif

  logic [Width-1:0]   items_q [Depth];
  logic [PtrBits-1:0] head_q, tail_q;
  logic               pushed_q;  // the last move was a push
  logic               same, push, pop;

  assign same        = head_q == tail_q;
  assign in_ready_o  = !(same && pushed_q);
  assign out_valid_o = !(same && !pushed_q);
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_comb begin
    out_data_o = '0;
    for (int unsigned i = 0; i < Depth; i++) begin
      out_data_o = out_data_o | (items_q[i] & {Width{head_q == PtrBits'(i)}});
    end
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      head_q   <= '0;
      tail_q   <= '0;
      pushed_q <= 1'b0;
    end else begin
      if (push) tail_q <= (tail_q == PtrBits'(LastTail)) ? '0 : tail_q + 1'b1;
`ifdef PLANT_FIFO_HEAD_STOPS
      if (pop)  head_q <= (head_q == PtrBits'(Depth - 1)) ? head_q : head_q + 1'b1;  // planted bug
`else
      if (pop)  head_q <= (head_q == PtrBits'(Depth - 1)) ? '0 : head_q + 1'b1;
`endif
      if (push != pop) pushed_q <= push;
    end
  end
  always_ff @(posedge clk_i) begin
    if (push) items_q[tail_q] <= in_data_i;
  end

`ifndef SYNTHESIS
  stream_check #(.Width(Width)) i_out_check (
    .clk_i,
    .rst_ni,
    .valid_i(out_valid_o),
    .ready_i(out_ready_i),
    .data_i(out_data_o)
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_never_both:   assert (in_ready_o || out_valid_o);
    c_full:         cover (!in_ready_o && in_valid_i);
    c_push_and_pop: cover (push && pop);
  end
`endif
`ifdef FORMAL_FIFO
  `include "fifo_props.svh"
`endif
endmodule
`default_nettype wire
