// fifo: first-in first-out buffer in flip-flops, any depth from 1.
//
//   latency 1, one item per cycle in each direction, Depth items
//
// in_ready_o and out_valid_o depend on state only. Synchronous active-low reset clears the pointers
// and the count; the payload flops are not reset.
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
  output logic [Width-1:0]      out_data_o
);
  if (Width == 0) begin : g_bad_width
    $error("fifo: Width must be at least 1");
  end
  if (Depth == 0) begin : g_bad_depth
    $error("fifo: Depth must be at least 1");
  end

  localparam int unsigned PtrBits   = Depth > 1 ? $clog2(Depth) : 1;
  localparam int unsigned CountBits = $clog2(Depth + 1);
`ifdef PLANT_FIFO_SHORT_TAIL
  localparam int unsigned LastTail = Depth - 2;  // planted bug: see formal/common/proofs.txt
`else
  localparam int unsigned LastTail = Depth - 1;
`endif

  logic [Width-1:0]     items_q [Depth];
  logic [PtrBits-1:0]   head_q, tail_q;
  logic [CountBits-1:0] count_q;
  logic                 push, pop;

  assign in_ready_o  = count_q != CountBits'(Depth);
  assign out_valid_o = count_q != '0;
  assign out_data_o  = items_q[head_q];
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) tail_q <= (tail_q == PtrBits'(LastTail)) ? '0 : tail_q + 1'b1;
      if (pop)  head_q <= (head_q == PtrBits'(Depth - 1)) ? '0 : head_q + 1'b1;
      if (push && !pop) count_q <= count_q + 1'b1;
      if (pop && !push) count_q <= count_q - 1'b1;
    end
    if (push) items_q[tail_q] <= in_data_i;
  end

`ifndef SYNTHESIS
  stream_check #(.Width(Width)) i_out_check (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .data_i(out_data_o)
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_count_in_range: assert ({1'b0, count_q} <= (CountBits + 1)'(Depth));
    c_full:           cover (!in_ready_o && in_valid_i);
    c_push_and_pop:   cover (push && pop);
  end
`endif
`ifdef FORMAL_FIFO
  `include "fifo_props.svh"
`endif
endmodule
`default_nettype wire
