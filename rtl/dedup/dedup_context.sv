// dedup_context: one read of the dedup unit, from its metadata to its last request or reply
// (CMD IV.C; decisions C5, C14).
//
//   free ─▶ [hold] ─▶ look (type, mask) ─▶ home read ─▶ map ─▶ intra reply
//    └─▶ [filter] ────┴────────────────────────▲         └──▶ [type of R ─▶ probe] ─▶ slot read
//
//   filter   one cycle, in which maybe_i says whether the line may be mapped; if not, all sectors are at home
//   hold     a write of the line is in process; release_i ends the wait when that write is done. A pending write with
//            some bytes of a sector is waited for, too: for both with alloc_more_i. While it is pending (open_o, until
//            take_i) other writes could merge into it
//   look     sectors outside the mask, and all sectors of types 00 and 11, are read at the home address
//
// A read that held looks its line up without the filter, because the write may have mapped the line.
//
// Why ref_lock_o exists: the L2 copy of the reference R must stay the content of its slot. So no write of R may commit
// from the lookup of type[R] to the probe's answer.
// Why contexts cannot deadlock: each wait is for a port or another block, never for another context. A hold waits for
// a commit, which waits only for contexts that do not hold.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_context #(
  parameter int unsigned LineBits = 21,
  parameter int unsigned TagBits  = 10
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                cfg_car_i,
  input  wire logic                alloc_i,
  input  wire logic                alloc_hold_i,
  input  wire logic                alloc_more_i,    // with hold: the second release_i ends it
  input  wire logic                alloc_open_i,    // with hold: the write that ends it is pending
  input  wire logic                alloc_filter_i,  // with alloc_i and not hold: maybe_i is valid in the next cycle
  input  wire logic                maybe_i,
  input  wire logic [LineBits-1:0] alloc_line_i,
  input  wire logic [3:0]          alloc_mask_i,
  input  wire logic [TagBits-1:0]  alloc_tag_i,
  input  wire logic                release_i,
  input  wire logic                take_i,          // the pending write of the line is in process from now on
  input  wire logic                type_grant_i,
  input  wire logic                type_deny_i,     // with type_grant_i: R is being written
  input  wire logic                type_rsp_i,
  input  wire logic [1:0]          type_data_i,
  input  wire logic                mask_grant_i,
  input  wire logic                mask_rsp_i,
  input  wire logic [3:0]          mask_data_i,
  input  wire logic                addr_grant_i,
  input  wire logic                addr_rsp_i,
  input  wire logic [31:0]         addr_data_i,
  input  wire logic                dram_grant_i,
  input  wire logic                intra_grant_i,
  input  wire logic                probe_grant_i,
  input  wire logic                probe_rsp_i,
  input  wire logic [3:0]          probe_hit_i,     // sectors copied
  output logic                     free_o,
  output logic                     active_o,        // busy and not holding
  output logic                     open_o,
  output logic                     ref_lock_o,
  output logic [LineBits-1:0]      line_o,
  output logic [LineBits-1:0]      type_line_o,
  output logic                     type_want_o,
  output logic                     type_of_ref_o,
  output logic                     mask_want_o,
  output logic                     addr_want_o,
  output logic                     dram_want_o,
  output logic                     dram_slot_o,     // slot read (else home read)
  output logic [LineBits-1:0]      dram_line_o,
  output logic [3:0]               dram_mask_o,
  output logic                     intra_want_o,
  output logic                     probe_want_o,
  output logic [3:0]               mask_o,          // sectors still to be served
  output logic [TagBits-1:0]       tag_o,
  output logic [31:0]              map_o
);
  if (LineBits == 0 || TagBits == 0) begin : g_bad_size
    $error("dedup_context: LineBits and TagBits must be at least 1");
  end

  typedef enum logic [3:0] {
    Free, Hold, Filter, Look, Home, Map, MapWait, Intra, RefCheck, RefType, Probe, ProbeWait, Slot
  } state_e;
  state_e              state_q;
  logic [LineBits-1:0] line_q, ref_line;
  logic [3:0]          mask_q, block_mask_q, home;
  logic [TagBits-1:0]  tag_q;
  logic [1:0]          type_q;
  logic [31:0]         map_q;
  logic                type_sent_q, mask_sent_q, type_got_q, mask_got_q, mapped, more_q, open_q;

  assign mapped   = type_q == 2'b01 || type_q == 2'b10;
`ifdef PLANT_CONTEXT_UNMASKED_FROM_SLOT
  assign home     = mapped ? '0 : mask_q;  // planted bug: see formal/dedup/proofs.txt
`else
  assign home     = mapped ? mask_q & ~block_mask_q : mask_q;
`endif
  assign ref_line = map_q[LineBits-1:0];

  assign free_o        = state_q == Free;
  assign active_o      = state_q != Free && state_q != Hold;
  assign open_o        = state_q == Hold && open_q;
  assign ref_lock_o    = state_q == RefType || state_q == Probe || state_q == ProbeWait;
  assign line_o        = line_q;
  assign type_of_ref_o = state_q == RefCheck;
  assign type_want_o   = (state_q == Look && !type_sent_q) || type_of_ref_o;
  assign type_line_o   = type_of_ref_o ? ref_line : line_q;
  assign mask_want_o   = state_q == Look && !mask_sent_q;
  assign addr_want_o   = state_q == Map;
  assign dram_want_o   = state_q == Home || state_q == Slot;
  assign dram_slot_o   = state_q == Slot;
  assign dram_line_o   = dram_slot_o ? ref_line : line_q;
  assign dram_mask_o   = dram_slot_o ? mask_q : home;
  assign intra_want_o  = state_q == Intra;
  assign probe_want_o  = state_q == Probe;
  assign mask_o        = mask_q;
  assign tag_o         = tag_q;
  assign map_o         = map_q;

  logic clk, clk_enable;
  assign clk_enable = !rst_ni || state_q != Free || alloc_i || release_i || take_i || type_rsp_i || mask_rsp_i || addr_rsp_i;
  clock_gate i_clock_gate (.clk_i, .enable_i(clk_enable), .test_i(1'b0), .clk_o(clk));

  always_ff @(posedge clk `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      state_q <= Free;
    end else begin
      unique case (state_q)
        Free:      if (alloc_i) state_q <= alloc_hold_i ? Hold : alloc_filter_i ? Filter : Look;
        Hold:      if (release_i && !more_q) state_q <= Look;
        Filter:    state_q <= maybe_i ? Look : Home;
        Look:      if (type_got_q && mask_got_q) state_q <= (home != '0) ? Home : Map;
        Home:      if (dram_grant_i) state_q <= (mask_q == home) ? Free : Map;
        Map:       if (addr_grant_i) state_q <= MapWait;
        MapWait:   if (addr_rsp_i) state_q <= (type_q == 2'b01) ? Intra : cfg_car_i ? RefCheck : Slot;
        Intra:     if (intra_grant_i) state_q <= Free;
        RefCheck:  if (type_grant_i) state_q <= type_deny_i ? Slot : RefType;
`ifdef PLANT_CONTEXT_COPIES_INTRA
        RefType:   if (type_rsp_i) state_q <= type_data_i[0] ? Probe : Slot;  // planted bug
`else
        RefType:   if (type_rsp_i) state_q <= (type_data_i == 2'b11) ? Probe : Slot;
`endif
        Probe:     if (probe_grant_i) state_q <= ProbeWait;
        ProbeWait: if (probe_rsp_i) state_q <= ((mask_q & ~probe_hit_i) == '0) ? Free : Slot;
        default:   if (dram_grant_i) state_q <= Free;
      endcase
    end
  end
  always_ff @(posedge clk) begin
    if (alloc_i) begin
      line_q <= alloc_line_i;
      tag_q  <= alloc_tag_i;
    end
    if (alloc_i) more_q <= alloc_more_i;
    else if (release_i) more_q <= 1'b0;
    if (alloc_i) open_q <= alloc_open_i;
    else if (take_i) open_q <= 1'b0;
    if (alloc_i) mask_q <= alloc_mask_i;
    else if (state_q == Home && dram_grant_i) mask_q <= mask_q & ~home;
    else if (state_q == ProbeWait && probe_rsp_i) mask_q <= mask_q & ~probe_hit_i;
    if (alloc_i) begin
      type_sent_q <= 1'b0;
      mask_sent_q <= 1'b0;
      type_got_q  <= 1'b0;
      mask_got_q  <= 1'b0;
    end else begin
      if (type_grant_i) type_sent_q <= 1'b1;
      if (mask_grant_i) mask_sent_q <= 1'b1;
      if (type_rsp_i) type_got_q <= 1'b1;
      if (mask_rsp_i) mask_got_q <= 1'b1;
    end
    if (type_rsp_i && state_q == Look) type_q <= type_data_i;
    else if (state_q == Filter) type_q <= 2'b00;
    if (mask_rsp_i) block_mask_q <= mask_data_i;
    if (addr_rsp_i) map_q <= addr_data_i;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_alloc_free:      assert (!alloc_i || (free_o && alloc_mask_i != '0));
    a_busy_has_work:   assert (free_o || mask_q != '0);
    a_type_expected:   assert (!type_rsp_i || (state_q == Look && type_sent_q && !type_got_q) || state_q == RefType);
    a_mask_expected:   assert (!mask_rsp_i || (state_q == Look && mask_sent_q && !mask_got_q));
    a_addr_expected:   assert (!addr_rsp_i || state_q == MapWait);
    a_probe_expected:  assert (!probe_rsp_i || state_q == ProbeWait);
    c_hold:            cover (state_q == Hold && release_i);
    c_hold_more:       cover (state_q == Hold && release_i && more_q);
    c_hold_open:       cover (state_q == Hold && take_i && open_q);
    c_filter_clear:    cover (state_q == Filter && !maybe_i);
    c_filter_maybe:    cover (state_q == Filter && maybe_i);
    c_home_then_map:   cover (state_q == Home && dram_grant_i && mask_q != home);
    c_partial_copy:    cover (probe_rsp_i && probe_hit_i != '0 && (mask_q & ~probe_hit_i) != '0);
  end
`endif
`ifdef FORMAL_DEDUP_CONTEXT
  `include "dedup_context_props.svh"
`endif
endmodule
`default_nettype wire
