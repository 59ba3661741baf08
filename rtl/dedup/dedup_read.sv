// dedup_read: read side of the dedup unit: contexts, forwarding, replies to the L2, probes of the L2.
//
//   rd ─▶ write buffer lookup ─┬▶ [forward stage] ──────────────┐
//                              └▶ contexts 0..N-1 ─▶ intra ─────┼▶ [l2 register] ─▶ l2
//                                    │  │  └─▶ [probe register]─┴─ copies ◀─ probe_rsp
//                                    │  └─▶ metadata ports      (dedup.sv)
//                                    └────▶ DRAM stream         (dedup.sv)
//
// Sectors of a line in process that are not forwarded wait until that write is done. So do sectors of which a pending
// write has some bytes; while one waits, no write may merge into that entry (wr_close_o).
// A read whose sectors are all forwarded takes no context, but is accepted only while one is free.
//
// l2 register: probe answers first, then intra replies (round robin), then forwards; one load per two cycles.
// Why no source starves: probe answers and intra replies come from at most N contexts, and no read is accepted while
// the forward stage waits.
//
// The preparation of writes and their commits read the banks as well. The preparation keeps the banks' output for a
// while (load_hold_i). With Verify, commits probe the L2, too (id = Contexts).
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_read #(
  parameter int unsigned LineBits = 21,
  parameter int unsigned Contexts = 16,
  parameter int unsigned TagBits  = 10,
  parameter int unsigned BufferPtrBits = 5,
  parameter bit          Verify   = 1'b0,
  parameter int unsigned RegionBits = 0,  // 0: no region filter
  parameter int unsigned SectorBits = 256,  // less in proofs only
  parameter int unsigned IdBits   = $clog2(Contexts + 1)
) (
  input  wire logic                         clk_i,
  input  wire logic                         rst_ni,
  input  wire logic                         cfg_car_i,
  input  wire logic                         cfg_region_i,
  input  wire logic                         rd_valid_i,
  output logic                              rd_ready_o,
  output logic                              busy_o,        // a read or a reply is held
  input  wire logic [LineBits-1:0]          rd_line_i,
  input  wire logic [3:0]                   rd_mask_i,
  input  wire logic [TagBits-1:0]           rd_tag_i,
  output logic                              l2_valid_o,
  input  wire logic                         l2_ready_i,
  output logic [TagBits-1:0]                l2_tag_o,
  output logic [3:0]                        l2_mask_o,
  output logic [1:0]                        l2_source_o,   // 0 forward, 1 intra, 2 copy
  output logic [4*SectorBits-1:0]           l2_data_o,     // sectors outside l2_mask_o: undefined
  output logic                              probe_valid_o,
  input  wire logic                         probe_ready_i,
  output logic [LineBits-1:0]               probe_line_o,
  output logic [3:0]                        probe_mask_o,
  output logic [IdBits-1:0]                 probe_id_o,
  input  wire logic                         probe_rsp_valid_i,
  output logic                              probe_rsp_ready_o,
  input  wire logic [IdBits-1:0]            probe_rsp_id_i,
  input  wire logic [3:0]                   probe_rsp_mask_i,
  input  wire logic [4*SectorBits-1:0]      probe_rsp_data_i,
  // write buffer
  input  wire logic [3:0]                   forward_i,
  input  wire logic [BufferPtrBits-1:0]     forward_entry_i,
  input  wire logic                         in_process_i,
  input  wire logic                         some_i,          // the pending write has some bytes of a sector of rd
  input  wire logic                         take_i,          // a pending write is in process from now on
  input  wire logic [LineBits-1:0]          take_line_i,     // its line
  output logic                              wr_close_o,
  // region filter: asked with every read, answers in the next cycle
  output logic                              region_read_o,
  input  wire logic                         region_maybe_i,
  input  wire logic                         region_busy_i,
  output logic [LineBits-1:0]               probed_line_o,   // R of the probe answered now
  input  wire logic                         probed_in_buffer_i,
  output logic                              bank_re_o,
  output logic [BufferPtrBits-1:0]          bank_entry_o,
  input  wire logic [4*SectorBits-1:0]      bank_data_i,
  // writes
  input  wire logic                         load_i,          // wants the banks
  input  wire logic                         load_hold_i,     // keeps their output
  input  wire logic [BufferPtrBits-1:0]     load_entry_i,
  output logic                              load_ok_o,
  input  wire logic                         release_i,       // the write of lock_line_i is done
  input  wire logic [LineBits-1:0]          lock_line_i,
  output logic                              conflict_o,      // a read still depends on lock_line_i
  input  wire logic                         seq_probe_want_i,
  input  wire logic [LineBits-1:0]          seq_probe_line_i,
  input  wire logic [3:0]                   seq_probe_mask_i,
  output logic                              seq_probe_grant_o,
  output logic                              seq_probe_rsp_o,
  output logic [3:0]                        seq_probe_hit_o, // usable sectors of probe_rsp_data_i
  // metadata ports and DRAM stream
  output logic [Contexts-1:0]               type_want_o,
  output logic [Contexts-1:0]               type_of_ref_o,
  output logic [Contexts*LineBits-1:0]      type_line_o,
  input  wire logic [Contexts-1:0]          type_grant_i,
  input  wire logic                         type_deny_i,
  input  wire logic                         type_rsp_valid_i,
  input  wire logic [1:0]                   type_rsp_data_i,
  input  wire logic [IdBits-1:0]            type_rsp_id_i,
  output logic [Contexts-1:0]               mask_want_o,
  output logic [Contexts*LineBits-1:0]      line_o,
  input  wire logic [Contexts-1:0]          mask_grant_i,
  input  wire logic                         mask_rsp_valid_i,
  input  wire logic [3:0]                   mask_rsp_data_i,
  input  wire logic [IdBits-1:0]            mask_rsp_id_i,
  output logic [Contexts-1:0]               addr_want_o,
  input  wire logic [Contexts-1:0]          addr_grant_i,
  input  wire logic                         addr_rsp_valid_i,
  input  wire logic [31:0]                  addr_rsp_data_i,
  input  wire logic [IdBits-1:0]            addr_rsp_id_i,
  output logic [Contexts-1:0]               dram_want_o,
  output logic [Contexts-1:0]               dram_slot_o,
  output logic [Contexts*LineBits-1:0]      dram_line_o,
  output logic [Contexts*4-1:0]             dram_mask_o,
  output logic [Contexts*TagBits-1:0]       dram_tag_o,
  input  wire logic [Contexts-1:0]          dram_grant_i
);
  if (LineBits == 0 || Contexts == 0 || TagBits == 0 || BufferPtrBits == 0) begin : g_bad_size
    $error("dedup_read: LineBits, Contexts, TagBits and BufferPtrBits must be at least 1");
  end
  if (RegionBits >= LineBits) begin : g_bad_region
    $error("dedup_read: RegionBits must be less than LineBits");
  end
  if (2 ** IdBits < Contexts + 1) begin : g_bad_id
    $error("dedup_read: IdBits must count to Contexts");
  end

  localparam int unsigned CtxBits = Contexts > 1 ? $clog2(Contexts) : 1;
  localparam int unsigned ValueBits = SectorBits > 32 ? 32 : SectorBits;  // of an intra line's word

  logic [Contexts-1:0]          free, same, active, open, taken, ref_lock, alloc, intra_want, intra_grant, probe_want, probe_grant;
  logic [Contexts-1:0]          probe_rsp;
  logic [Contexts*4-1:0]        ctx_mask;
  logic [Contexts*TagBits-1:0]  ctx_tag;
  logic [Contexts*32-1:0]       ctx_map;
  logic                         accept, forward, older, hold, probe_take, intra_any, probe_any, probe_free;
  logic [3:0]                   rest, copied;
  logic [CtxBits-1:0]           intra_pick;
  localparam int unsigned Probers = Contexts + (Verify ? 1 : 0);
  localparam int unsigned ProberBits = Probers > 1 ? $clog2(Probers) : 1;
  logic [ProberBits-1:0]        probe_pick;
  logic [Probers-1:0]           prober_want, prober_grant;

  // Forward stage: the banks hold the data until it has left.
  logic                         fwd_valid_q;
  logic [3:0]                   fwd_mask_q;
  logic [TagBits-1:0]           fwd_tag_q;
  logic                         l2_load_probe, l2_load_intra, l2_load_fwd;

  assign rd_ready_o   = free != '0 && !fwd_valid_q && !load_i && !load_hold_i && !region_busy_i;
  assign accept       = rd_valid_i && rd_ready_o;
  assign region_read_o = accept;
  assign forward      = accept && forward_i != '0;
  assign rest         = rd_mask_i & ~forward_i;
  assign older        = in_process_i && !(release_i && lock_line_i == rd_line_i);
`ifdef PLANT_READ_OVERTAKES_BYTES
  assign hold         = older;  // planted bug: see formal/dedup/proofs.txt
`else
  assign hold         = older || some_i;
`endif
  assign wr_close_o   = open != '0;
  assign load_ok_o    = load_i && !load_hold_i && !fwd_valid_q;
  assign busy_o       = free != '1 || fwd_valid_q || l2_valid_o || probe_valid_o;
  assign bank_re_o    = forward || load_ok_o;
  assign bank_entry_o = load_i ? load_entry_i : forward_entry_i;

  always_comb begin  // the lowest free context takes the rest
    logic found;
    found = 1'b0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      alloc[c] = accept && rest != '0 && free[c] && !found;
      found    = found || free[c];
    end
  end

  for (genvar c = 0; c < Contexts; c++) begin : g_context
    dedup_context #(.LineBits(LineBits), .TagBits(TagBits)) i_context (
      .clk_i,
      .rst_ni,
      .cfg_car_i,
      .alloc_i(alloc[c]),
      .alloc_hold_i(hold),
      .alloc_more_i(older && some_i),
      .alloc_open_i(some_i && !(take_i && take_line_i == rd_line_i)),
      .alloc_filter_i(RegionBits != 0 && cfg_region_i),
      .maybe_i(region_maybe_i),
      .alloc_line_i(rd_line_i),
      .alloc_mask_i(rest),
      .alloc_tag_i(rd_tag_i),
      .release_i(release_i && same[c]),
      .take_i(take_i && taken[c]),
      .type_grant_i(type_grant_i[c]),
      .type_deny_i,
      .type_rsp_i(type_rsp_valid_i && type_rsp_id_i == IdBits'(c)),
      .type_data_i(type_rsp_data_i),
      .mask_grant_i(mask_grant_i[c]),
      .mask_rsp_i(mask_rsp_valid_i && mask_rsp_id_i == IdBits'(c)),
      .mask_data_i(mask_rsp_data_i),
      .addr_grant_i(addr_grant_i[c]),
      .addr_rsp_i(addr_rsp_valid_i && addr_rsp_id_i == IdBits'(c)),
      .addr_data_i(addr_rsp_data_i),
      .dram_grant_i(dram_grant_i[c]),
      .intra_grant_i(intra_grant[c]),
      .probe_grant_i(probe_grant[c]),
      .probe_rsp_i(probe_rsp[c]),
      .probe_hit_i(copied),
      .free_o(free[c]),
      .active_o(active[c]),
      .open_o(open[c]),
      .ref_lock_o(ref_lock[c]),
      .line_o(line_o[c*LineBits +: LineBits]),
      .type_line_o(type_line_o[c*LineBits +: LineBits]),
      .type_want_o(type_want_o[c]),
      .type_of_ref_o(type_of_ref_o[c]),
      .mask_want_o(mask_want_o[c]),
      .addr_want_o(addr_want_o[c]),
      .dram_want_o(dram_want_o[c]),
      .dram_slot_o(dram_slot_o[c]),
      .dram_line_o(dram_line_o[c*LineBits +: LineBits]),
      .dram_mask_o(dram_mask_o[c*4 +: 4]),
      .intra_want_o(intra_want[c]),
      .probe_want_o(probe_want[c]),
      .mask_o(ctx_mask[c*4 +: 4]),
      .tag_o(ctx_tag[c*TagBits +: TagBits]),
      .map_o(ctx_map[c*32 +: 32])
    );
  end
  assign dram_tag_o = ctx_tag;

  always_comb begin  // the lock (hazards 1 and 3)
    conflict_o = 1'b0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      same[c]  = line_o[c*LineBits +: LineBits] == lock_line_i;
      taken[c] = line_o[c*LineBits +: LineBits] == take_line_i;
      if (active[c] && same[c]) conflict_o = 1'b1;
      if (ref_lock[c] && ctx_map[c*32 +: LineBits] == lock_line_i) conflict_o = 1'b1;
    end
  end

  // Probes of the L2.
  assign probe_free = !probe_valid_o || probe_ready_i;
  if (Verify) begin : g_seq_probe
    assign prober_want       = {seq_probe_want_i, probe_want};
    assign seq_probe_grant_o = prober_grant[Probers-1];
    assign seq_probe_rsp_o   = probe_take && probe_rsp_id_i == IdBits'(Contexts);
    assign seq_probe_hit_o   = probed_in_buffer_i ? '0 : probe_rsp_mask_i;
  end else begin : g_no_seq_probe
    assign prober_want       = probe_want;
    assign seq_probe_grant_o = 1'b0;
    assign seq_probe_rsp_o   = 1'b0;
    assign seq_probe_hit_o   = '0;
    wire unused_seq_probe = &{seq_probe_want_i, seq_probe_mask_i};
  end
  assign probe_grant = prober_grant[Contexts-1:0];
  dedup_pick #(.N(Probers)) i_probe_pick (
    .clk_i,
    .rst_ni,
    .want_i(prober_want),
    .take_i(probe_free),
    .any_o(probe_any),
    .index_o(probe_pick),
    .grant_o(prober_grant)
  );
  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) probe_valid_o <= 1'b0;
    else if (probe_free) probe_valid_o <= probe_any;
  end
  always_ff @(posedge clk_i) begin
    if (probe_free) begin
      probe_id_o <= IdBits'(probe_pick);
      if (Verify) begin
        probe_line_o <= seq_probe_line_i;
        probe_mask_o <= seq_probe_mask_i;
      end
      for (int unsigned c = 0; c < Contexts; c++) begin
        if (probe_grant[c]) begin
          probe_line_o <= ctx_map[c*32 +: LineBits];
          probe_mask_o <= ctx_mask[c*4 +: 4];
        end
      end
    end
  end

  // The copy is dropped when R has a newer write on its way: the L2 may hold that one already.
  always_comb begin
    probed_line_o = Verify ? seq_probe_line_i : '0;
    copied        = '0;
    for (int unsigned c = 0; c < Contexts; c++) begin
      probe_rsp[c] = probe_take && probe_rsp_id_i == IdBits'(c);
      if (probe_rsp_id_i == IdBits'(c)) begin
        probed_line_o = ctx_map[c*32 +: LineBits];
        if (!probed_in_buffer_i) copied = probe_rsp_mask_i & ctx_mask[c*4 +: 4];
      end
    end
  end

  // Replies to the L2.
  assign probe_rsp_ready_o = !l2_valid_o;
  assign probe_take        = probe_rsp_valid_i && probe_rsp_ready_o;
  assign l2_load_probe     = probe_take && copied != '0;
  assign l2_load_intra     = !l2_valid_o && !probe_take && intra_any;
  assign l2_load_fwd       = !l2_valid_o && !probe_take && !intra_any && fwd_valid_q;
  dedup_pick #(.N(Contexts)) i_intra_pick (
    .clk_i,
    .rst_ni,
    .want_i(intra_want),
    .take_i(!l2_valid_o && !probe_take),
    .any_o(intra_any),
    .index_o(intra_pick),
    .grant_o(intra_grant)
  );

  logic clk_l2, l2_load;
`ifdef PLANT_GATE_MISSES_INTRA  // planted bug: the clock stands while an intra line is answered
  assign l2_load = l2_load_probe || l2_load_fwd;
`else
  assign l2_load = l2_load_probe || l2_load_intra || l2_load_fwd;
`endif
  clock_gate i_gate_l2 (.clk_i, .enable_i(l2_load), .test_i(1'b0), .clk_o(clk_l2));

  always_ff @(posedge clk_i `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      fwd_valid_q <= 1'b0;
      l2_valid_o  <= 1'b0;
    end else begin
      if (forward) fwd_valid_q <= 1'b1;
      else if (l2_load_fwd) fwd_valid_q <= 1'b0;
      if (l2_load_probe || l2_load_intra || l2_load_fwd) l2_valid_o <= 1'b1;
      else if (l2_ready_i) l2_valid_o <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (forward) begin
      fwd_mask_q <= forward_i;
      fwd_tag_q  <= rd_tag_i;
    end
  end
  always_ff @(posedge clk_l2) begin
    if (l2_load_probe) begin
      l2_mask_o   <= copied;
      l2_source_o <= 2'd2;
      l2_data_o   <= probe_rsp_data_i;
      for (int unsigned c = 0; c < Contexts; c++) begin
        if (probe_rsp[c]) l2_tag_o <= ctx_tag[c*TagBits +: TagBits];
      end
    end else if (l2_load_intra) begin
      l2_source_o <= 2'd1;
      for (int unsigned c = 0; c < Contexts; c++) begin
        if (intra_pick == CtxBits'(c)) begin
          l2_tag_o  <= ctx_tag[c*TagBits +: TagBits];
          l2_mask_o <= ctx_mask[c*4 +: 4];
          l2_data_o <= {(4 * SectorBits / ValueBits){ctx_map[c*32 +: ValueBits]}};
        end
      end
    end else if (l2_load_fwd) begin
      l2_tag_o    <= fwd_tag_q;
      l2_mask_o   <= fwd_mask_q;
      l2_source_o <= 2'd0;
      l2_data_o   <= bank_data_i;
    end
  end

`ifndef SYNTHESIS
  stream_check #(.Width(TagBits + 6 + 4 * SectorBits)) i_l2_check (
    .clk_i,
    .rst_ni,
    .valid_i(l2_valid_o),
    .ready_i(l2_ready_i),
    .data_i({l2_tag_o, l2_mask_o, l2_source_o, l2_data_o})
  );
  stream_check #(.Width(LineBits + 4 + IdBits)) i_probe_check (
    .clk_i,
    .rst_ni,
    .valid_i(probe_valid_o),
    .ready_i(probe_ready_i),
    .data_i({probe_line_o, probe_mask_o, probe_id_o})
  );
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_read_mask:     assert (!rd_valid_i || rd_mask_i != '0);
    c_forward_rest:  cover (forward && rest != '0);
    c_hold:          cover (accept && rest != '0 && hold);
    c_hold_some:     cover (accept && rest != '0 && some_i);
    c_hold_both:     cover (accept && rest != '0 && some_i && older);
    c_hold_released: cover (accept && rest != '0 && in_process_i && !hold);
    c_discard:       cover (probe_take && probed_in_buffer_i && probe_rsp_mask_i != '0);
  end
`endif
`ifdef FORMAL_DEDUP_READ
  `include "dedup_read_props.svh"
`endif
endmodule
`default_nettype wire
