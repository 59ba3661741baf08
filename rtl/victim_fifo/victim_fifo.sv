// victim_fifo: clean sectors evicted from the L2, in a fully associative ring of Entries slots.
//
//              ┌─ tag match over all slots ─┐
//   req ──────▶│ sector, tag (flip-flops)   │──slot──▶ ram_1rw (sectors) ──▶ rsp (LOOKUP only)
//              └─ ring pointer ─────────────┘
//
//   INSERT      writes the slot under the ring pointer and advances it, whatever the slot held: the
//               oldest slot is overwritten, nothing is reordered. A sector already present is
//               overwritten in place and the pointer stays, so there are never two copies.
//   LOOKUP      answers which of the wanted sectors of a line are present, and the data of the lowest of
//               them, whose slot is freed (the sector moves back to the L2). The others stay: the
//               requester asks for them next. A line takes as many cycles as it has sectors here, at
//               least one.
//   INVALIDATE  frees the slots that hold the sectors of a line, as far as they are present, in one cycle
//               (a write made the copies stale).
//
// One request per cycle; response latency 1 cycle. rsp_data_o is undefined unless rsp_sectors_o has a bit set.
// Up to two lookups wait under back-pressure: the first with its data in the memory's output register, the second as
// {sectors, slot} only. Why the second needs no copy of its data: req_ready_o is low while it waits, so its slot cannot
// be overwritten before it is read.
// The memory is never read and written in one cycle, so it has one port. Its output must hold across writes.
// The sectors are in ram_1rw, so that logic and storage are counted apart. The tags are in flip-flops, because all of
// them are compared at once. A slot holds its sector as one bit of Sectors; no bit: it is free.
// Active-low reset frees all slots and clears the pointer and the responses.
// Units: an address is a line number, Sectors sectors of DataBits. Source: CMD section IV.D, decision C18.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module victim_fifo #(
  parameter int unsigned Entries  = 16,  // sectors, any number from 1
  parameter int unsigned TagBits  = 24,  // bits of a line address
  parameter int unsigned Sectors  = 4,   // sectors per line, any number from 1
  parameter int unsigned DataBits = 256  // bits of a sector
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                req_valid_i,
  output logic                     req_ready_o,
  input  wire logic [1:0]          req_op_i,    // 0 INSERT, 1 LOOKUP, 2 INVALIDATE
  input  wire logic [TagBits-1:0]  req_addr_i,  // line address
  input  wire logic [Sectors-1:0]  req_sectors_i,  // of the line, at least one; INSERT: the one of the data
  input  wire logic [DataBits-1:0] req_data_i,  // INSERT only
  output logic                     rsp_valid_o,
  input  wire logic                rsp_ready_i,
  output logic [Sectors-1:0]       rsp_sectors_o,  // of those wanted: present; a response per LOOKUP, in order
  output logic [DataBits-1:0]      rsp_data_o  // of the lowest present; defined if there is one
);
  if (Entries == 0) begin : g_bad_entries
    $error("victim_fifo: Entries must be at least 1");
  end
  if (TagBits == 0) begin : g_bad_tag_bits
    $error("victim_fifo: TagBits must be at least 1");
  end
  if (Sectors == 0) begin : g_bad_sectors
    $error("victim_fifo: Sectors must be at least 1");
  end
  if (DataBits == 0) begin : g_bad_data_bits
    $error("victim_fifo: DataBits must be at least 1");
  end

  localparam int unsigned SlotBits = Entries > 1 ? $clog2(Entries) : 1;
  localparam logic [1:0]  Insert   = 2'd0;

  logic [Entries*Sectors-1:0] held_q;  // of each slot: its sector of the line, or none
  logic [Entries*TagBits-1:0] tags_q;
  logic [Entries*Sectors-1:0] wanted;  // of each slot: its sector, if the request names it
  logic [Sectors-1:0]         present, lowest;
  logic [Entries-1:0]         match;  // holds the lowest present sector
  logic [Entries-1:0]         taken;
  logic [SlotBits-1:0]        next_q;  // ring pointer: oldest slot, written next
  logic [SlotBits-1:0]        match_slot;
  logic                       fire, insert, lookup, invalidate, hit;
  logic                       advance;  // an insertion takes the slot under the pointer

  // Responses: head has its data in the memory's output register, spare still has to read it.
  logic                head_valid_q, spare_valid_q, spare_hit, head_free;
  logic [Sectors-1:0]  head_sectors_q, spare_sectors_q;
  logic [SlotBits-1:0] spare_slot_q, slot_used;
  logic                read;

  assign req_ready_o = !spare_valid_q;
  assign fire        = req_valid_i && req_ready_o;
  assign insert      = fire && req_op_i == Insert;
  assign lookup      = fire && req_op_i[0];
  assign invalidate  = fire && req_op_i[1];
  assign hit         = |present;

`ifdef PLANT_VICTIM_TWO_COPIES  // planted bug: a sector already present gets a second copy
  assign advance = insert;
`else
  assign advance = insert && !hit;
`endif

  for (genvar slot = 0; slot < Entries; slot++) begin : g_slot
    localparam int unsigned At = slot * Sectors;
    assign wanted[At +: Sectors] = tags_q[slot*TagBits +: TagBits] == req_addr_i ? held_q[At +: Sectors] & req_sectors_i
                                                                                 : '0;
    assign match[slot] = |(wanted[At +: Sectors] & lowest);
    assign taken[slot] = advance && next_q == SlotBits'(slot);
    always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
      if (!rst_ni) held_q[At +: Sectors] <= '0;
`ifdef PLANT_VICTIM_HIT_STAYS  // planted bug: a lookup does not free its slot
      else if (invalidate && |wanted[At +: Sectors]) held_q[At +: Sectors] <= '0;
`elsif PLANT_VICTIM_ONE_INVALIDATED  // planted bug: only the lowest of several sectors is invalidated
      else if ((invalidate || lookup) && match[slot]) held_q[At +: Sectors] <= '0;
`else
      else if (invalidate ? |wanted[At +: Sectors] : lookup && match[slot]) held_q[At +: Sectors] <= '0;
`endif
      else if (taken[slot]) held_q[At +: Sectors] <= req_sectors_i;
    end
    always_ff @(posedge clk_i) begin
      if (taken[slot]) tags_q[slot*TagBits +: TagBits] <= req_addr_i;
    end
  end

  always_comb begin
    present = '0;
    for (int unsigned slot = 0; slot < Entries; slot++) present = present | wanted[slot*Sectors +: Sectors];
    lowest = present & (~present + 1'b1);
    match_slot = '0;
    for (int unsigned slot = 0; slot < Entries; slot++) begin
      if (match[slot]) match_slot = match_slot | SlotBits'(slot);
    end
  end

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) next_q <= '0;
    else if (advance) next_q <= (next_q == SlotBits'(Entries - 1)) ? '0 : next_q + 1'b1;
  end

  assign spare_hit = |spare_sectors_q;
  assign head_free = !head_valid_q || rsp_ready_i;
  assign read      = head_free && (spare_valid_q ? spare_hit : lookup && hit);

`ifdef PLANT_VICTIM_SPARE_SLOT  // planted bug: the waiting lookup reads the slot of the request at hand
  assign slot_used = advance ? next_q : match_slot;
`else
  assign slot_used = spare_valid_q ? spare_slot_q : advance ? next_q : match_slot;
`endif

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      head_valid_q  <= 1'b0;
      spare_valid_q <= 1'b0;
    end else begin
      head_valid_q  <= !head_free || spare_valid_q || lookup;
`ifdef PLANT_VICTIM_MISS_STAYS  // planted bug: a waiting lookup without a hit never gets to the head
      spare_valid_q <= spare_valid_q ? !head_free || !spare_hit : !head_free && lookup;
`else
      spare_valid_q <= !head_free && (spare_valid_q || lookup);
`endif
    end
  end
  always_ff @(posedge clk_i) begin
    if (head_free) head_sectors_q <= spare_valid_q ? spare_sectors_q : present;
    if (lookup) begin
      spare_sectors_q <= present;
      spare_slot_q    <= match_slot;
    end
  end

  ram_1rw #(.Width(DataBits), .Depth(Entries), .HoldData(1)) i_sectors (
    .clk_i,
    .we_i   (insert),
    .re_i   (read),
    .addr_i (slot_used),
    .wmask_i(1'b1),
    .wdata_i(req_data_i),
    .rdata_o(rsp_data_o)
  );

  assign rsp_valid_o   = head_valid_q;
  assign rsp_sectors_o = head_sectors_q;

`ifndef SYNTHESIS
  stream_check #(.Width(Sectors + DataBits)) i_rsp_check (
    .clk_i,
    .rst_ni,
    .valid_i(rsp_valid_o),
    .ready_i(rsp_ready_i),
    .data_i({rsp_sectors_o, rsp_data_o})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_op_legal:           assert (!req_valid_i || req_op_i != 2'd3);
    a_sectors_named:      assert (!req_valid_i || |req_sectors_i);
    a_one_inserted:       assert (!req_valid_i || req_op_i != Insert || $onehot0(req_sectors_i));
    a_one_copy:           assert ($onehot0(match));
    a_spare_behind_head:  assert (!spare_valid_q || head_valid_q);
    a_no_read_with_write: assert (!(insert && read));
    a_pointer_in_range:   assert ({1'b0, next_q} < (SlotBits + 1)'(Entries));
    c_overwrite_in_place: cover (insert && hit);
    c_overwrite_oldest:   cover (insert && !hit && |held_q[next_q*Sectors +: Sectors]);
    c_hit_while_waiting:  cover (spare_valid_q && spare_hit && head_free);
    c_several_present:    cover (lookup && !$onehot0(present));
    c_several_freed:      cover (invalidate && !$onehot0(present));
  end
`endif
`ifdef FORMAL_VICTIM_FIFO
  `include "victim_fifo_props.svh"
`endif
endmodule
`default_nettype wire
