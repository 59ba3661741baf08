// merge_duel: shall the L2 complete partly written sectors before it writes them back? Decided by set dueling.
//
//   ask_line ──▶ group ───────────────────────┐
//   open {tag, line} ──▶ [group by tag]       ├──▶ whole
//   sent {tag, mask} ────────┴─▶ sectors ──┐  │
//   done {line, sectors} ──▶ group ────────┴─▶ level
//
// A partly written sector can leave the L2 under its byte mask; then the line is not hashed. Or the L2 reads what it
// lacks; then the line can be found to be a duplicate, which saves its write and later reads. What costs fewer DRAM
// accesses depends on the program. So the lines of one group are always completed, those of another never, and the
// DRAM sectors of both are counted against each other. All other lines do what costs less.
//
//   groups   the bits of the line number, folded by xor to LeaderBits bits. All 0: always completed. All 1: never
//   level    + a sector of a line that is always completed, - one of a line that never is; it stops at
//            +-(2^(LevelBits-1) - 1). Other lines are completed from -2^(LevelBits-3) or less on, until 0 or more
//   open     a read of the L2 is taken
//   sent     sectors of it are read from DRAM, at least a cycle later, in any number of parts
//   done     a line was written back; its sectors are those written and those read for it
//
//   latency     1 cycle from ask to whole_o; what happens acts on whole_o two cycles later
//   throughput  one of each kind per cycle, without back-pressure
//
// All ports but ask_* are those of dedup_unit in other words: README.md has the wires.
// Source: set dueling, Qureshi et al., Adaptive insertion policies, ISCA 2007; its use here is this project's (C34).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module merge_duel #(
  parameter int unsigned LineBits   = 21,  // line number
  parameter int unsigned TagBits    = 10,  // tags of reads
  parameter int unsigned LeaderBits = 7,   // one line of 2^LeaderBits is in each group; at most LineBits
  parameter int unsigned LevelBits  = 9    // level, with its sign; 6 to 16
) (
  input  wire logic                  clk_i,
  input  wire logic                  rst_ni,
  input  wire logic                  ask_valid_i,
  input  wire logic [LineBits-1:0]   ask_line_i,      // a line that is evicted with partly written sectors
  output logic                       whole_o,         // of the line last asked for: complete them
  input  wire logic                  open_valid_i,    // a read is taken
  input  wire logic [TagBits-1:0]    open_tag_i,
  input  wire logic [LineBits-1:0]   open_line_i,
  input  wire logic                  sent_valid_i,    // it goes to DRAM
  input  wire logic [TagBits-1:0]    sent_tag_i,
  input  wire logic [3:0]            sent_mask_i,     // sectors that are read
  input  wire logic                  done_valid_i,    // a line was written back
  input  wire logic [LineBits-1:0]   done_line_i,
  input  wire logic [3:0]            done_sectors_i,  // written and read for it
  output logic [LevelBits-1:0]       level_o          // two's complement
);
  if (LineBits == 0 || LineBits > 31 || TagBits == 0) begin : g_bad_bits
    $error("merge_duel: LineBits must be 1 to 31 and TagBits at least 1");
  end
  if (LeaderBits == 0 || LeaderBits > LineBits) begin : g_bad_leaders
    $error("merge_duel: LeaderBits must be 1 to LineBits");
  end
  if (LevelBits < 6 || LevelBits > 16) begin : g_bad_level
    $error("merge_duel: LevelBits must be 6 to 16");
  end

  // One bit more than a level: what is added in a cycle does not overflow.
  localparam logic signed [LevelBits:0] Limit = (LevelBits + 1)'(2**(LevelBits-1) - 1);
  localparam logic signed [LevelBits:0] Turn  = (LevelBits + 1)'(2**(LevelBits-3));

  // {always completed, never}
  function automatic logic [1:0] group(input logic [LineBits-1:0] line);
    logic [LeaderBits-1:0] fold;
    fold = '0;
`ifdef PLANT_DUEL_DROPS_BIT  // planted bug: the highest bit of a line is not looked at
    for (int unsigned b = 0; b < LineBits - 1; b++) fold[b % LeaderBits] ^= line[b];
`else
    for (int unsigned b = 0; b < LineBits; b++) fold[b % LeaderBits] ^= line[b];
`endif
    group = {fold == '0, fold == '1};
  endfunction

  // Why a table: the request of a read that goes to another line's place does not have the number of its own line.
  logic [1:0] sent_group;
  ram_1r1w #(.Width(2), .Depth(2**TagBits)) i_groups (
    .clk_i,
`ifdef PLANT_DUEL_TAG_STAYS  // planted bug: a tag keeps the group of its line before while another read is sent
    .we_i(open_valid_i && !sent_valid_i),
`else
    .we_i(open_valid_i),
`endif
    .waddr_i(open_tag_i),
    .wdata_i(group(open_line_i)),
    .re_i(sent_valid_i),
    .raddr_i(sent_tag_i),
    .rdata_o(sent_group)
  );

  logic [2:0]                sent_q;  // sectors of the read in sent_group
  logic [3:0]                done_q;
  logic [1:0]                done_group_q, ask_group_q;
  logic signed [LevelBits:0] level_q, sum, next;
  logic [4:0]                up, down;
  logic                      whole_q;  // lines of no group are completed

  always_comb begin
    up   = {2'b0, {3{sent_group[1]}} & sent_q} + {1'b0, {4{done_group_q[1]}} & done_q};
    down = {2'b0, {3{sent_group[0]}} & sent_q} + {1'b0, {4{done_group_q[0]}} & done_q};
    sum  = level_q + $signed((LevelBits + 1)'(up)) - $signed((LevelBits + 1)'(down));
`ifdef PLANT_DUEL_WRAPS  // planted bug: the level has no lower end
    next = sum > Limit ? Limit : sum;
`else
    next = sum > Limit ? Limit : sum < -Limit ? -Limit : sum;
`endif
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      sent_q       <= '0;
      done_q       <= '0;
      done_group_q <= '0;
      ask_group_q  <= 2'b01;
      level_q      <= '0;
      whole_q      <= 1'b0;
    end else begin
      sent_q <= '0;
      done_q <= '0;
`ifdef PLANT_DUEL_ONE_OF_TWO  // planted bug: a read beside a write-back is not counted
      if (sent_valid_i && !done_valid_i) begin
`else
      if (sent_valid_i) begin
`endif
        sent_q <= 3'(sent_mask_i[0]) + 3'(sent_mask_i[1]) + 3'(sent_mask_i[2]) + 3'(sent_mask_i[3]);
      end
      if (done_valid_i) begin
        done_q       <= done_sectors_i;
        done_group_q <= group(done_line_i);
      end
      if (ask_valid_i) ask_group_q <= group(ask_line_i);
      if (sent_q != '0 || done_q != '0) begin
        level_q <= next;
`ifdef PLANT_DUEL_TURNS_AT_ONCE  // planted bug: others are completed from -1 on
        whole_q <= next < 0;
`else
        if (next <= -Turn) whole_q <= 1'b1;
        else if (next >= 0) whole_q <= 1'b0;
`endif
      end
    end
  end
  assign whole_o = ask_group_q[1] || (whole_q && !ask_group_q[0]);
  assign level_o = level_q[LevelBits-1:0];

`ifndef SYNTHESIS
  logic [2**TagBits-1:0] open_q;  // taken since the reset
  logic                  whole_last_q;
  always_ff @(posedge clk_i) begin
    whole_last_q <= rst_ni && whole_q;
    if (!rst_ni) begin
      open_q <= '0;
    end else begin
      if (open_valid_i) open_q[open_tag_i] <= 1'b1;
      a_sent_was_taken: assert (!sent_valid_i || open_q[sent_tag_i]);
      a_tag_is_in_use:  assert (!(sent_valid_i && open_valid_i) || sent_tag_i != open_tag_i);
      a_level_has_room: assert (level_q >= -Limit && level_q <= Limit);
      c_turns_to_whole: cover (whole_q && !whole_last_q);
      c_turns_back:     cover (!whole_q && whole_last_q);
      c_highest:        cover (level_q == Limit);
      c_lowest:         cover (level_q == -Limit);
    end
  end
`endif
`ifdef FORMAL_MERGE_DUEL
  `include "merge_duel_props.svh"
`endif
endmodule
`default_nettype wire
