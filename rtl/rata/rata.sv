// rata: remote access tag array of one SM cluster. It stores which SM fetched a line last. An L1 miss of another SM
// can then be served by that SM's L1 instead of the L2.
//
//   lookup ───────────▶┐              ┌─▶ [match, move to front] ─┬─▶ fifo ──▶ rsp
//   update ──▶ [wait] ─┴─▶ [row RAM] ─┘            │              │
//                             ▲────────────────────┴── write ─────┘   row: Ways entries, newest use first
//
//   latency     lookup 2 cycles to its response; update: 2 cycles, 3 when a lookup goes first
//   throughput  one operation per cycle, in any sequence and also to one set
//   clear       one cycle
//
// Lookups and updates may alternate in every cycle. A row that is not yet written back to the RAM is forwarded.
//
// An entry is {valid, tag, SM}. Why exact LRU needs no state of its own: the entries of a set stand in one RAM word in
// order of their last use. A use moves an entry to the front and the entries before it one place back. A new entry
// enters at the front. The last entry falls out, or the first hole closes.
//
//   lookup      hit when the line is present and its owner is another SM (R3): a hit is a use (R4).
//   allocate    a memory response leaves the response buffer (R4): the line is present, owner = update_sm_i.
//   invalidate  a store passed the cluster port (R10): the line is not present.
//   drop        the probe of update_sm_i's L1 failed (R6, optional): invalidate if that SM is still the owner.
//   clear       end of kernel (R10): nothing is present. One cycle: each set has one live bit.
//
// Operations take effect in the order in which they reach the RAM. A lookup goes first when it is taken in the cycle
// in which an update is taken or waits. Later lookups see the update.
//
// Why updates never wait for rsp_ready_i: responses that leave the response buffer must not be blocked by lookups (R8).
// Every ready, valid and payload depends on state only. Reset clears the control flops and live bits, no RAM.
// Source: RATA paper, section II; decisions R1 to R14. Storage: Sets x Ways x (1 + TagBits + SmBits).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module rata #(
  // Small defaults: a proof's sources are elaborated at them first. Paper: 64, 16, 27, 3.
  parameter int unsigned Sets = 2,     // power of two, 2 and up
  parameter int unsigned Ways = 2,     // 2 and up
  parameter int unsigned TagBits = 2,  // bits of a tag
  parameter int unsigned SmBits = 1,   // SM number within the cluster
  parameter int unsigned LineBits = TagBits + $clog2(Sets)  // follows: line address = {tag, set}
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                lookup_valid_i,
  output logic                     lookup_ready_o,
  input  wire logic [LineBits-1:0] lookup_line_i,  // line of the miss
  input  wire logic [SmBits-1:0]   lookup_sm_i,    // SM whose L1 missed
  output logic                     rsp_valid_o,
  input  wire logic                rsp_ready_i,
  output logic                     rsp_hit_o,  // another SM owns the line; responses are in order
  output logic [SmBits-1:0]        rsp_owner_o,    // 0 for a miss
  input  wire logic                update_valid_i,
  output logic                     update_ready_o,
  input  wire logic [1:0]          update_op_i,    // 0 allocate, 1 invalidate, 2 drop, 3 clear
  input  wire logic [LineBits-1:0] update_line_i,  // line of the update
  input  wire logic [SmBits-1:0]   update_sm_i,  // allocate, drop: the SM
  output logic                     busy_o  // low: the state changes only on an input
);
  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned DataBits = TagBits + SmBits;
  localparam int unsigned EntryBits = 1 + DataBits;
  localparam int unsigned RowBits = Ways * EntryBits;
  localparam logic [1:0] Allocate = 2'd0, Invalidate = 2'd1, Drop = 2'd2, Clear = 2'd3;
  localparam int unsigned RspSlots = 3;  // one in the tag stage and two waiting keep one lookup per cycle

  if (Sets < 2 || (Sets & (Sets - 1)) != 0 || Ways < 2 || TagBits == 0 || SmBits == 0) begin : g_bad_shape
    $error("rata: Sets must be a power of two from 2, Ways at least 2, TagBits and SmBits at least 1");
  end
  if (LineBits != TagBits + SetBits) begin : g_bad_line
    $error("rata: LineBits follows from TagBits and Sets and must not be overridden");
  end

  // ---- choice of what reads the RAM ----------------------------------------------------------------
  logic                wait_valid_q;   // an update waits for its turn
  logic [1:0]          wait_op_q;
  logic [LineBits-1:0] wait_line_q;
  logic [SmBits-1:0]   wait_sm_q;
  logic                yield_q;        // a lookup was held off for an update: now the lookup first
  logic [1:0]          credit_q;       // lookups in the tag stage and in the response FIFO
  logic                lookup_fire, update_fire, update_go, rsp_room, rsp_fire;

  assign rsp_room       = credit_q != 2'(RspSlots);
  assign update_go      = wait_valid_q && !yield_q;
  assign lookup_ready_o = rsp_room && !update_go;
  assign update_ready_o = !wait_valid_q || update_go;
  assign lookup_fire    = lookup_valid_i && lookup_ready_o;
  assign update_fire    = update_valid_i && update_ready_o;
  assign rsp_fire       = rsp_valid_o && rsp_ready_i;

  logic [LineBits-1:0] line;
  logic [SetBits-1:0]  set;
  logic                read;           // a row is read; a clear reads none
  assign line = update_go ? wait_line_q : lookup_line_i;
  assign set  = line[SetBits-1:0];
  assign read = update_go ? wait_op_q != Clear : lookup_fire;

  // ---- tag stage: registers ------------------------------------------------------------------------
  logic               tag_valid_q, tag_update_q;
  logic [1:0]         tag_op_q;
  logic [TagBits-1:0] tag_q;
  logic [SetBits-1:0] set_q;
  logic [SmBits-1:0]  sm_q;
  logic               row_live_q;     // the row was written since the last clear
  logic [Sets-1:0]    live_q;
  // What the operation before did to this row, if it wrote the row when we read it: the RAM returned the
  // row from before that write, so it is done again here.
  logic [Ways-1:0]    moved_q, gone_q;
  logic [DataBits-1:0] front_q;

  // ---- tag stage: the row, its match ---------------------------------------------------------------
  logic [RowBits-1:0]  row, row_new;
  logic [Ways*DataBits-1:0] data;     // entries as the operation before left them
  logic [Ways-1:0]     valid, match, passed, move, gone;
  logic [DataBits-1:0] front;
  logic [SmBits-1:0]   owner;
  logic                present, own, hit, use_entry, remove, row_we;
  ram_1r1w #(.Width(RowBits), .Depth(Sets), .OldData(1)) i_rows (
    .clk_i,
    .we_i(row_we),
    .waddr_i(set_q),
    .wdata_i(row_new),
    .re_i(read),
    .raddr_i(set),
    .rdata_o(row)
  );

  for (genvar w = 0; w < Ways; w++) begin : g_way
    logic               was_valid, was_match, back_valid, back_match;
    logic [DataBits-1:0] was_data, back_data;
    assign {was_valid, was_data} = row[w*EntryBits +: EntryBits];
    if (w == 0) begin : g_front
      assign back_valid = 1'b1;
      assign back_data  = front_q;
      assign back_match = front_q[DataBits-1:SmBits] == tag_q;
    end else begin : g_behind
      assign back_valid = row_live_q && g_way[w-1].was_valid;
      assign back_data  = g_way[w-1].was_data;
      assign back_match = g_way[w-1].was_match;
    end
    assign was_match = was_data[DataBits-1:SmBits] == tag_q;
    assign valid[w]  = moved_q[w] ? back_valid : row_live_q && was_valid && !gone_q[w];
    assign match[w]  = valid[w] && (moved_q[w] ? back_match : was_match);
    assign data[w*DataBits +: DataBits] = moved_q[w] ? back_data : was_data;
  end

  always_comb begin
    owner = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      owner = owner | (data[w*DataBits +: SmBits] & {SmBits{match[w]}});
    end
  end
  always_comb begin
    logic closed;  // an entry in front of w takes up the move: the line itself, or a hole
    closed = 1'b0;
    for (int unsigned w = 0; w < Ways; w++) begin
      passed[w] = closed;
      closed    = closed || match[w] || !valid[w];
    end
  end
  assign present = |match;
  assign own     = owner == sm_q;
  assign hit     = tag_valid_q && !tag_update_q && present && !own;

  // ---- tag stage: the new row ----------------------------------------------------------------------
  // A hit on the entry in front changes nothing, and is not written.
`ifdef PLANT_RATA_NO_TOUCH
  assign use_entry = tag_valid_q && tag_update_q && tag_op_q == Allocate;  // planted bug: FIFO order
`else
  assign use_entry = tag_valid_q && (tag_update_q ? tag_op_q == Allocate : present && !own && !match[0]);
`endif
  assign remove    = tag_valid_q && tag_update_q && (tag_op_q == Invalidate || (tag_op_q == Drop && own));
  assign front     = {tag_q, tag_update_q ? sm_q : owner};
  assign move      = {Ways{use_entry}} & ~passed;
`ifdef PLANT_RATA_TWO_COPIES
  assign gone      = {Ways{remove}} & match;  // planted bug: an entry behind a hole stays when it is used
`else
  assign gone      = {Ways{remove || use_entry}} & match & ~move;
`endif
  assign row_we    = use_entry || (remove && present);
  for (genvar w = 0; w < Ways; w++) begin : g_new
    if (w == 0) begin : g_front
      assign row_new[0 +: EntryBits] = move[0] ? {1'b1, front} : {valid[0] && !gone[0], data[0 +: DataBits]};
    end else begin : g_behind
      assign row_new[w*EntryBits +: EntryBits] = move[w] ? {valid[w-1], data[(w-1)*DataBits +: DataBits]}
                                                         : {valid[w] && !gone[w], data[w*DataBits +: DataBits]};
    end
  end

  logic same_set;
`ifdef PLANT_RATA_NO_FORWARD
  assign same_set = 1'b0;  // planted bug: back to back on one set the first operation is lost
`else
  assign same_set = set == set_q;
`endif

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      wait_valid_q <= 1'b0;
      yield_q      <= 1'b0;
      credit_q     <= '0;
      tag_valid_q  <= 1'b0;
      live_q       <= '0;
    end else begin
`ifdef PLANT_RATA_LOSES_STORE
      wait_valid_q <= (update_fire && update_op_i != Invalidate) || (wait_valid_q && !update_go);  // planted bug
`else
      wait_valid_q <= update_fire || (wait_valid_q && !update_go);
`endif
`ifdef PLANT_RATA_STAYS_YIELDED
      yield_q      <= lookup_valid_i && rsp_room && (update_go || yield_q);  // planted bug
`else
      yield_q      <= lookup_valid_i && rsp_room && update_go;
`endif
      if (lookup_fire != rsp_fire) credit_q <= lookup_fire ? credit_q + 1'b1 : credit_q - 1'b1;
      tag_valid_q  <= read;
      if (row_we) live_q[set_q] <= 1'b1;
`ifdef PLANT_RATA_CLEAR_LATE
      if (update_go && wait_op_q == Clear && !row_we) live_q <= '0;  // planted bug: the row being written stays
`else
      if (update_go && wait_op_q == Clear) live_q <= '0;
`endif
    end
  end
  always_ff @(posedge clk_i) begin
    if (update_fire) begin
      wait_op_q   <= update_op_i;
      wait_line_q <= update_line_i;
`ifdef PLANT_RATA_OTHER_SM  // planted bug: the line is noted for a SM that does not hold it
      wait_sm_q   <= ~update_sm_i;
`else
      wait_sm_q   <= update_sm_i;
`endif
    end
    tag_update_q <= update_go;
    tag_op_q     <= wait_op_q;
    tag_q        <= line[LineBits-1:SetBits];
    set_q        <= set;
    sm_q         <= update_go ? wait_sm_q : lookup_sm_i;
    row_live_q   <= live_q[set];
    moved_q      <= move & {Ways{same_set}};
    gone_q       <= gone & {Ways{same_set}};
    front_q      <= front;
  end

  // ---- responses -----------------------------------------------------------------------------------
  logic unused_fifo_ready;  // room is reserved when a lookup is taken
  fifo #(.Width(1 + SmBits), .Depth(RspSlots)) i_rsp (
    .clk_i,
    .rst_ni,
    .in_valid_i(tag_valid_q && !tag_update_q),
    .in_ready_o(unused_fifo_ready),
`ifdef PLANT_RATA_OTHER_OWNER  // planted bug: the right owner is found, another one is named
    .in_data_i({hit, hit ? ~owner : SmBits'(0)}),
`else
    .in_data_i({hit, hit ? owner : SmBits'(0)}),
`endif
    .out_valid_o(rsp_valid_o),
    .out_ready_i(rsp_ready_i),
    .out_data_o({rsp_hit_o, rsp_owner_o})
  );
`ifdef PLANT_RATA_IDLE  // planted bug: it may be left alone while an operation is under way
  assign busy_o = rsp_valid_o;
`else
  assign busy_o = tag_valid_q || wait_valid_q || yield_q || rsp_valid_o;
`endif

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_rsp_fits:       assert (unused_fifo_ready || !tag_valid_q || tag_update_q);
    a_yield_has_room: assert (!yield_q || rsp_room);
`ifndef FORMAL_RATA  // there the memory's contract speaks of one set only
    a_one_match:      assert (!tag_valid_q || $onehot0(match));
`endif
    c_yield:          cover (yield_q && lookup_fire && wait_valid_q);
    c_forwarded_hit:  cover (hit && moved_q[0] && match[0]);
    c_own_pointer:    cover (tag_valid_q && !tag_update_q && present && own);
    c_behind_a_hole:  cover (use_entry && |gone);
    c_evict:          cover (use_entry && &valid && !present);
    c_drop_other:     cover (tag_valid_q && tag_update_q && tag_op_q == Drop && present && !own);
  end
`endif
`ifdef FORMAL_RATA
  `include "rata_props.svh"
`endif
endmodule
`default_nettype wire
