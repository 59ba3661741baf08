// slot_groups: counts the lines that can lend their slot, by group of lines, and finds a group that has one.
//
//   up, down ──▶ read ──▶ write back with the count changed
//   find     ──▶ words in turn, from that of find_group_i ──▶ first group with a count above 0 ──▶ found
//
// A word has the counts of Lanes groups. A line can lend when it is intra or mapped, fully written and not lent
// (dedup_write.sv); the caller reports every change of that. So each count is exact, and a group with a count above 0
// has such a line.
// After a reset the spare lines are the only ones that can lend (initial image of the metadata): one word is written
// per cycle, and until then clearing_o is high and nothing may be reported or asked.
// Between two reports lies a cycle at least. No report comes while finding_o is high.
//
// Latency: a report is counted after 2 cycles; find_i to found_o 1 cycle, and one more for each word without a group,
// Words + 1 at most when any group has a count above 0. Otherwise found_o never comes.
// Throughput: a report per two cycles.
// Source: this project; decision C33.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module slot_groups #(
  parameter int unsigned LineBits  = 21,
  parameter int unsigned GroupBits = 8,  // lines of a group, log2; less than LineBits
  parameter int unsigned NumBits   = LineBits > GroupBits ? LineBits - GroupBits : 1  // follows: of a group
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic [LineBits:0]   cfg_total_lines_i,
  input  wire logic [LineBits:0]   cfg_spare_lines_i,
  input  wire logic                up_i,        // a line of group_i can lend from now on
  input  wire logic                down_i,      // one cannot any more
  input  wire logic [NumBits-1:0]  group_i,
  input  wire logic                find_i,
  input  wire logic [NumBits-1:0]  find_group_i,  // where the search begins; stays while finding_o is high
  output logic                     finding_o,
  output logic                     found_o,     // the last cycle of a search
  output logic [NumBits-1:0]       found_group_o,  // with found_o
  output logic                     clearing_o
);
  if (GroupBits == 0 || GroupBits >= LineBits) begin : g_bad_size
    $error("slot_groups: GroupBits must be at least 1 and less than LineBits");
  end
  localparam int unsigned LaneBits = NumBits > 3 ? 3 : NumBits;
  localparam int unsigned Lanes    = 2 ** LaneBits;
  localparam int unsigned Words    = 2 ** (NumBits - LaneBits);
  localparam int unsigned AddrBits = Words > 1 ? $clog2(Words) : 1;
  localparam int unsigned Bits     = GroupBits + 1;

  logic [AddrBits-1:0]   number_word, find_word, word_q, word_next, raddr;
  logic [LaneBits-1:0]   lane_q, lane;
  logic [AddrBits:0]     clear_q;  // words written since the reset
  logic [Lanes*Bits-1:0] counts, changed, initial_counts;
  logic [Lanes-1:0]      open, some;  // open: in the first word of a search from its group on
  logic                  change, write_q, up_q, first_q, read;

  assign change     = up_i || down_i;
  assign clearing_o = clear_q != (AddrBits + 1)'(Words);
  if (Words > 1) begin : g_words
    assign number_word = group_i[NumBits-1 -: AddrBits];
    assign find_word   = find_group_i[NumBits-1 -: AddrBits];
  end else begin : g_word
    assign number_word = '0;
    assign find_word   = '0;
  end

  // The spare lines are the last ones: from group `low` to group `high`, which may be one past the end.
  logic [LineBits:0]    low;
  logic [NumBits:0]     low_group, high_group;
  logic [GroupBits-1:0] low_rest, high_rest;
  assign low        = cfg_total_lines_i - cfg_spare_lines_i;
  assign low_group  = low[LineBits -: NumBits + 1];
  assign high_group = cfg_total_lines_i[LineBits -: NumBits + 1];
  assign low_rest   = low[GroupBits-1:0];
  assign high_rest  = cfg_total_lines_i[GroupBits-1:0];
  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    logic [NumBits:0] group;
    logic [Bits-1:0]  count, until_high, from_low;
    if (Words > 1) begin : g_number
      assign group = {1'b0, clear_q[AddrBits-1:0], LaneBits'(l)};
    end else begin : g_lane_number
      assign group = {1'b0, LaneBits'(l)};
    end
    assign until_high = group < high_group ? {1'b1, {GroupBits{1'b0}}} : group == high_group ? {1'b0, high_rest} : '0;
    assign from_low   = group < low_group ? {1'b1, {GroupBits{1'b0}}} : group == low_group ? {1'b0, low_rest} : '0;
    assign initial_counts[l*Bits +: Bits] = until_high - from_low;

    assign count   = counts[l*Bits +: Bits];
    assign some[l] = count != '0 && open[l];
`ifdef PLANT_GROUPS_KEEPS_COUNT
    assign changed[l*Bits +: Bits] = lane_q != LaneBits'(l) || up_q ? count : count - 1'b1;  // planted bug
`else
    assign changed[l*Bits +: Bits] = lane_q != LaneBits'(l) ? count : up_q ? count + 1'b1 : count - 1'b1;
`endif
  end

  // Search: a word per cycle.
  assign open = first_q ? {Lanes{1'b1}} << find_group_i[LaneBits-1:0] : '1;
  always_comb begin
    lane = '0;
    for (int unsigned l = 0; l < Lanes; l++) if (some[Lanes-1-l]) lane = LaneBits'(Lanes - 1 - l);
  end
  assign found_o   = finding_o && some != '0;
  assign word_next = word_q == AddrBits'(Words - 1) ? '0 : word_q + 1'b1;
  if (Words > 1) begin : g_group
    assign found_group_o = {word_q, lane};
  end else begin : g_group_lane
    assign found_group_o = lane;
  end
  assign read  = change || find_i || (finding_o && !found_o);
  assign raddr = change ? number_word : find_i ? find_word : word_next;
  ram_1r1w #(.Width(Lanes * Bits), .Depth(Words)) i_counts (
    .clk_i,
    .we_i(clearing_o || write_q),
    .waddr_i(clearing_o ? clear_q[AddrBits-1:0] : word_q),
    .wdata_i(clearing_o ? initial_counts : changed),
    .re_i(read),
    .raddr_i(raddr),
    .rdata_o(counts)
  );

  logic clk;
  clock_gate i_clock_gate (
    .clk_i,
    .enable_i(!rst_ni || clearing_o || change || write_q || find_i || finding_o),
    .test_i(1'b0),
    .clk_o(clk)
  );
  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      clear_q   <= '0;
      write_q   <= 1'b0;
      finding_o <= 1'b0;
    end else begin
      if (clearing_o) clear_q <= clear_q + 1'b1;
      write_q   <= change;
      finding_o <= find_i || (finding_o && !found_o);
    end
  end
  always_ff @(posedge clk) begin
    if (read) word_q <= raddr;
    if (change) begin
      lane_q <= group_i[LaneBits-1:0];
      up_q   <= up_i;
    end
    if (find_i || finding_o) first_q <= find_i;  // changes only where the gate is open
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_one_report:   assert (!(up_i && down_i));
    a_apart:        assert (!(write_q && read));
    a_initialised:  assert (!(clearing_o && (change || find_i)));
    a_undisturbed:  assert (!(finding_o && (change || find_i)));
    a_not_negative: assert (!(write_q && !up_q) || counts[lane_q*Bits +: Bits] != '0);
    a_not_too_many: assert (!(write_q && up_q) || !counts[lane_q*Bits + Bits - 1]);
    c_far:          cover (finding_o && !found_o);
    c_wraps:        cover (found_o && !first_q && word_q == find_word);
  end
`endif
`ifdef FORMAL_SLOT_GROUPS
  `include "slot_groups_props.svh"
`endif
endmodule
`default_nettype wire
