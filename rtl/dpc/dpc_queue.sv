// dpc_queue: a FIFO of three items in front of a combinational codec.
//
//   in ──▶ [2 words of memory] ──▶ [read register = head] ──▶ out     latency 2, one item per cycle
//
// The memory is a ram_1r1w, whose bits synthesis counts apart from the gates. With Registers = 1 it is made of
// flip-flops and behaves the same in every cycle. The queue is ready while the memory has room.
// in_ready_o and out_valid_o depend on state only.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dpc_queue #(
  parameter int unsigned Width     = 8,  // bits per item
  parameter int unsigned Registers = 0   // 0: ram_1r1w, 1: flip-flops
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
  if (Registers > 1) begin : g_bad_registers
    $error("dpc_queue: Registers must be 0 or 1");
  end

  logic [1:0] held_q;       // items in the memory, 0 to 2
  logic       write_q, read_q, head_valid_q;
  logic       push, fetch;

  assign in_ready_o  = !held_q[1];
  assign out_valid_o = head_valid_q;
  assign push        = in_valid_i && in_ready_o;
`ifdef PLANT_QUEUE_OVERWRITE
  assign fetch       = held_q != '0;
`else
  assign fetch       = held_q != '0 && (!head_valid_q || out_ready_i);
`endif

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      held_q       <= '0;
      write_q      <= 1'b0;
      read_q       <= 1'b0;
      head_valid_q <= 1'b0;
    end else begin
      held_q       <= held_q + 2'(push) - 2'(fetch);
      write_q      <= write_q ^ push;
      read_q       <= read_q ^ fetch;
      head_valid_q <= fetch || (head_valid_q && !out_ready_i);
    end
  end

  if (Registers == 0) begin : g_ram
    ram_1r1w #(.Width(Width), .Depth(2)) i_ram (
      .clk_i, .we_i(push), .waddr_i(write_q), .wdata_i(in_data_i),
      .re_i(fetch), .raddr_i(read_q), .rdata_o(out_data_o)
    );
  end else begin : g_registers
    logic [Width-1:0] even_q, odd_q, head_q;
    always_ff @(posedge clk_i) begin
      if (push && !write_q) even_q <= in_data_i;
      if (push && write_q)  odd_q  <= in_data_i;
      if (fetch)            head_q <= read_q ? odd_q : even_q;
    end
    assign out_data_o = head_q;
  end

`ifndef SYNTHESIS
  stream_check #(.Width(Width)) i_out_check (
    .clk_i, .rst_ni, .valid_i(out_valid_o), .ready_i(out_ready_i), .data_i(out_data_o)
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_held_in_range: assert (held_q <= 2'd2);
    c_full:          cover (held_q == 2'd2 && head_valid_q && in_valid_i);
  end
`endif
`ifdef FORMAL_DPC_QUEUE
  `include "dpc_queue_props.svh"
`endif
endmodule
`default_nettype wire
