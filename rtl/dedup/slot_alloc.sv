// slot_alloc: offers candidates for a borrowed slot: freed slots from a ring, then lines in turn, then the lines of a
// group that has one that can lend (decisions C11, C33). A slot is a place in DRAM for the content of one line.
//
//   push ──▶ [ring of FreeEntries lines] ───────────────▶ cand     latency 1 from next_i to cand_o
//              empty, first of a borrow: scan pointer ──▶ cand     latency 1
//              empty, later: [slot_groups] ▶ its lines ─▶ cand     2 more for the first, one for each word searched
//
// Why a candidate is only a hint: the ring may hold duplicates and slots that are in use again, and not every line of a
// group can lend. The caller checks each candidate and takes the next one if needed.
//
// Why a borrow is bounded: up_i and down_i report each line that can lend or no longer can, so a group that is found
// has one. The walk through it wraps at its end, and nothing changes until the caller takes a line (down_i). So a
// borrow sees FreeEntries + 1 + 2^GroupBits candidates at most, and waits once for slot_groups. This holds while any
// line can lend (dedup_write.sv), and with cfg_fresh_i: otherwise the counts are unknown, and all lines are visited.
//
// A push into a full ring is dropped; the counts have such a slot. The scan starts at the first spare line and
// wraps at cfg_total_lines_i (static, as in dedup.sv: 0 < spare < total). push_i and next_i never come in one cycle.
// cand_o stays until the next next_i, from the first cycle with busy_o low on.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module slot_alloc #(
  parameter int unsigned LineBits    = 21,
  parameter int unsigned FreeEntries = 256,
  parameter int unsigned GroupBits   = 8
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                cfg_fresh_i,
  input  wire logic [LineBits:0]   cfg_total_lines_i,
  input  wire logic [LineBits:0]   cfg_spare_lines_i,
  input  wire logic                push_i,
  input  wire logic [LineBits-1:0] push_line_i,
  input  wire logic                up_i,        // line_i can lend from now on (slot_groups.sv)
  input  wire logic                down_i,      // it cannot any more; ends a borrow
  input  wire logic [LineBits-1:0] line_i,
  input  wire logic                next_i,
  output logic [LineBits-1:0]      cand_o,
  output logic                     scanned_o,   // cand_o did not come from the ring
  output logic                     busy_o,      // a group is searched for: cand_o is still to come
  output logic                     clearing_o   // after a reset: nothing may be reported or asked
);
  if (LineBits == 0 || FreeEntries == 0) begin : g_bad_size
    $error("slot_alloc: LineBits and FreeEntries must be at least 1");
  end
  localparam int unsigned PtrBits   = FreeEntries > 1 ? $clog2(FreeEntries) : 1;
  localparam int unsigned CountBits = $clog2(FreeEntries + 1);
  localparam int unsigned NumBits   = LineBits > GroupBits ? LineBits - GroupBits : 1;

  logic [PtrBits-1:0]   head_q, tail_q;
  logic [CountBits-1:0] count_q;
  logic                 push, pop, scan, find, found, step, last, tried_q, walking_q;
  logic [LineBits-1:0]  ring_line, scan_cand_q, found_line, at, scan_q;  // scan_q: next line
  logic [NumBits-1:0]   group;

`ifdef PLANT_ALLOC_OVERFLOW
  assign push = push_i;  // planted bug: see formal/dedup/proofs.txt
`else
  assign push = push_i && count_q != CountBits'(FreeEntries);
`endif
  assign pop  = next_i && count_q != '0;
  assign scan = next_i && count_q == '0;
`ifdef PLANT_ALLOC_NEVER_FINDS
  assign find = 1'b0;  // planted bug: see formal/dedup/proofs.txt
`else
  assign find = scan && tried_q && !walking_q && cfg_fresh_i;
`endif

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

  slot_groups #(.LineBits(LineBits), .GroupBits(GroupBits)) i_groups (
    .clk_i,
    .rst_ni,
    .cfg_total_lines_i,
    .cfg_spare_lines_i,
    .up_i,
    .down_i,
    .group_i(line_i[LineBits-1 -: NumBits]),
    .find_i(find),
    .find_group_i(scan_q[LineBits-1 -: NumBits]),
    .finding_o(busy_o),
    .found_o(found),
    .found_group_o(group),
    .clearing_o
  );

  wire unused_line = &line_i[GroupBits-1:0];  // a proof looks at it

  // The scan goes on where it is when that is in the group found. A walk through a group ends at its last line.
  assign found_line = group == scan_q[LineBits-1 -: NumBits] ? scan_q : {group, {GroupBits{1'b0}}};
  assign step       = (scan && !find) || found;
  assign at         = found ? found_line : scan_q;
  assign last       = {1'b0, at} + 1'b1 >= cfg_total_lines_i;

  logic clk;
  clock_gate i_clock_gate (
    .clk_i,
    .enable_i(!rst_ni || clearing_o || push || next_i || down_i || found),
    .test_i(1'b0),
    .clk_o(clk)
  );

  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      head_q    <= '0;
      tail_q    <= '0;
      count_q   <= '0;
      tried_q   <= 1'b0;
      walking_q <= 1'b0;
    end else begin
      if (push) tail_q <= (tail_q == PtrBits'(FreeEntries - 1)) ? '0 : tail_q + 1'b1;
      if (pop)  head_q <= (head_q == PtrBits'(FreeEntries - 1)) ? '0 : head_q + 1'b1;
      if (push && !pop) count_q <= count_q + 1'b1;
      if (pop && !push) count_q <= count_q - 1'b1;
      tried_q   <= (tried_q || scan) && !down_i;
      walking_q <= (walking_q || found) && !down_i;
    end
  end
  always_ff @(posedge clk) begin
    if (next_i) scanned_o <= scan;
    if (clearing_o) begin
      scan_q <= LineBits'(cfg_total_lines_i - cfg_spare_lines_i);
    end else if (step) begin
      scan_cand_q <= at;
`ifdef PLANT_ALLOC_LEAVES_GROUP
      scan_q      <= last ? '0 : at + 1'b1;  // planted bug: see formal/dedup/proofs.txt
`else
      scan_q      <= (walking_q || found) && (last || at[GroupBits-1:0] == '1) ? {at[LineBits-1 -: NumBits], {GroupBits{1'b0}}} :
                     last ? '0 : at + 1'b1;
`endif
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_push_or_next:  assert (!(push_i && next_i));
    a_count_bounded: assert (32'(count_q) <= FreeEntries);
    a_not_searching: assert (!(busy_o && (next_i || push_i)));
    c_full_drop:     cover (push_i && 32'(count_q) == FreeEntries);
    c_scan:          cover (scan && tried_q);
    c_elsewhere:     cover (found && found_line != scan_q);
    c_same_group:    cover (found && found_line == scan_q);
    c_group_wraps:   cover (step && walking_q && at[GroupBits-1:0] == '1);
  end
`endif
`ifdef ALLOC_BOUND
  `include "slot_alloc_bound_props.svh"
`elsif FORMAL_SLOT_ALLOC
  `include "slot_alloc_props.svh"
`endif
endmodule
`default_nettype wire
