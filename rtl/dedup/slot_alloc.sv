// slot_alloc: offers candidates for a borrowed slot: freed slots from a ring, then a walk over all lines
// (decision C11). A slot is a place in DRAM for the content of one line.
//
//   push ──▶ [ring of FreeEntries lines] ──▶ cand        latency 1 from next_i to cand_o
//                       empty: scan pointer ──▶ cand
//
// Why a candidate is only a hint: the ring may hold duplicates and slots that are in use again, and the scan visits
// every line. The caller checks each candidate and takes the next one if needed.
//
// A push into a full ring is dropped; the scan finds such a slot later. The scan starts at the first spare line and
// wraps at cfg_total_lines_i (static, as in dedup.sv: 0 < spare < total). push_i and next_i never come in one cycle.
// cand_o stays until the next next_i.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module slot_alloc #(
  parameter int unsigned LineBits    = 21,
  parameter int unsigned FreeEntries = 256
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [LineBits:0]   cfg_total_lines_i,
  input  wire logic [LineBits:0]   cfg_spare_lines_i,
  input  wire logic                push_i,
  input  wire logic [LineBits-1:0] push_line_i,
  input  wire logic                next_i,
  output logic [LineBits-1:0]      cand_o,
  output logic                     scanned_o   // cand_o came from the scan
);
  if (LineBits == 0 || FreeEntries == 0) begin : g_bad_size
    $error("slot_alloc: LineBits and FreeEntries must be at least 1");
  end
  localparam int unsigned PtrBits   = FreeEntries > 1 ? $clog2(FreeEntries) : 1;
  localparam int unsigned CountBits = $clog2(FreeEntries + 1);

  logic [PtrBits-1:0]   head_q, tail_q;
  logic [CountBits-1:0] count_q;
  logic                 push, pop, scan, started_q;
  logic [LineBits-1:0]  ring_line, scan_cand_q, here, scan_q;  // scan_q: next line to visit, once started

`ifdef PLANT_ALLOC_OVERFLOW
  assign push = push_i;  // planted bug: see formal/dedup/proofs.txt
`else
  assign push = push_i && count_q != CountBits'(FreeEntries);
`endif
  assign pop  = next_i && count_q != '0;
  assign scan = next_i && count_q == '0;
  assign here = started_q ? scan_q : LineBits'(cfg_total_lines_i - cfg_spare_lines_i);

  ram_1r1w #(.Width(LineBits), .Depth(FreeEntries)) i_ring (
    .clk_i,
    .we_i(push),
    .waddr_i(tail_q),
    .wdata_i(push_line_i),
    .re_i(pop),
    .raddr_i(head_q),
    .rdata_o(ring_line)
  );
  assign cand_o = scanned_o ? scan_cand_q : ring_line;

  logic clk;
  clock_gate i_clock_gate (.clk_i, .enable_i(!rst_ni || push || next_i), .test_i(1'b0), .clk_o(clk));

  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      count_q   <= '0;
      started_q <= 1'b0;
    end else begin
      if (push) tail_q <= (tail_q == PtrBits'(FreeEntries - 1)) ? '0 : tail_q + 1'b1;
      if (pop)  head_q <= (head_q == PtrBits'(FreeEntries - 1)) ? '0 : head_q + 1'b1;
      if (push && !pop) count_q <= count_q + 1'b1;
      if (pop && !push) count_q <= count_q - 1'b1;
      if (scan) started_q <= 1'b1;
    end
  end
  always_ff @(posedge clk) begin
    if (next_i) scanned_o <= scan;
    if (scan) begin
      scan_cand_q <= here;
      scan_q      <= ({1'b0, here} + 1'b1 >= cfg_total_lines_i) ? '0 : here + 1'b1;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_push_or_next:  assert (!(push_i && next_i));
    a_count_bounded: assert (32'(count_q) <= FreeEntries);
    c_full_drop:     cover (push_i && 32'(count_q) == FreeEntries);
    c_scan:          cover (scan && started_q);
  end
`endif
`ifdef FORMAL_SLOT_ALLOC
  `include "slot_alloc_props.svh"
`endif
endmodule
`default_nettype wire
