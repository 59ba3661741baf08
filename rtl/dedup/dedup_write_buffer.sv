// dedup_write_buffer: evicted lines that wait for deduplication, searchable by line (decision C8).
//
//   wr ──▶ merge or append ──▶ [line, mask: flip-flops, 4 sector banks: RAM] ──▶ next (preparation), head (commit)
//                     fill ───────────────▶ ┘  │  └──▶ two membership tests for reference lines
//                                              └──▶ forward lookup (reads), bank read
//
//   head ▶ in process ... in process ▶ next ▶ pending ... pending ▶ tail
//
// The buffer is a FIFO. take_i puts the oldest pending entry (next) in process. drop_i removes the oldest entry in
// process (head).
//
// Why a line has at most one pending entry: a write to a line with a pending entry merges into it.
// Why a line has at most one entry in process: next_blocked_o says that next's line is in process already, and take_i
// must wait then.
//
// Sectors of an entry in process that were not written are filled with the old content. They are not forwarded.
// fill_turn_i closes wr for a fill, and does not depend on wr.
//
// ByteMasks: an entry has a mask of the bytes that are there, beside each byte in the banks. Writes merge byte by byte.
// some_o marks sectors that a single write did not cover: they are not forwarded. A read of one that is pending waits
// until the entry is done (rd_some_o). wr_close_i keeps writes from merging into the entry that it waits for.
// Lookups see the state before this cycle's write. The banks take one read per cycle; data follow one cycle later and
// stay until the next read. An entry carries the domain of its last write.
`ifdef WARPSIEVE_ASYNC_RESET
  `define WARPSIEVE_RESET or negedge rst_ni
`else
  `define WARPSIEVE_RESET
`endif
`default_nettype none
module dedup_write_buffer #(
  parameter int unsigned LineBits = 21,
  parameter int unsigned Entries  = 32,
  parameter bit          ByteMasks = 1'b0,
  parameter int unsigned DomainBits  = 0,
  parameter int unsigned SectorBits  = 256,  // less in proofs only
  parameter int unsigned ByteBits    = SectorBits > 8 ? 8 : SectorBits,   // follows
  parameter int unsigned Bytes       = 4 * SectorBits / ByteBits,         // follows
  parameter int unsigned DomainWidth = DomainBits > 0 ? DomainBits : 1,  // follows
  parameter int unsigned PtrBits  = Entries > 1 ? $clog2(Entries) : 1,
  parameter int unsigned CountBits = $clog2(Entries + 1)
) (
  input  wire logic                clk_i,
  input  wire logic                rst_ni,
  input  wire logic                wr_valid_i,
  output logic                     wr_ready_o,
  input  wire logic [LineBits-1:0] wr_line_i,
  input  wire logic [3:0]          wr_mask_i,
  input  wire logic [Bytes-1:0]    wr_bytes_i,  // of the sectors of wr_mask_i; ignored without ByteMasks
  input  wire logic [4*SectorBits-1:0] wr_data_i,
  input  wire logic [DomainWidth-1:0] wr_domain_i,  // ignored when DomainBits is 0
  input  wire logic                wr_close_i,
  // forward lookup
  input  wire logic [LineBits-1:0] rd_line_i,
  input  wire logic [3:0]          rd_mask_i,
  output logic [3:0]               rd_forward_o,     // sectors of rd_mask_i that rd_entry_o holds
  output logic [PtrBits-1:0]       rd_entry_o,
  output logic                     rd_in_process_o,  // rd_line_i is in process
  output logic                     rd_some_o,        // its pending entry has only some bytes of a sector of rd_mask_i
  // membership tests, pending or in process
  input  wire logic [LineBits-1:0] ref_a_i,
  output logic                     ref_a_hit_o,
  input  wire logic [LineBits-1:0] ref_b_i,
  output logic                     ref_b_hit_o,
  // banks
  input  wire logic                bank_re_i,
  input  wire logic [PtrBits-1:0]  bank_entry_i,
  output logic [4*SectorBits-1:0]  bank_data_o,
  output logic [Bytes-1:0]         bank_bytes_o,     // that are there; all without ByteMasks
  input  wire logic                fill_turn_i,
  input  wire logic                fill_we_i,        // only with fill_turn_i
  input  wire logic [PtrBits-1:0]  fill_entry_i,
  input  wire logic [3:0]          fill_mask_i,
  input  wire logic [4*SectorBits-1:0] fill_data_i,
  // entries; lines never change, masks and domains not while in process
  output logic [Entries*LineBits-1:0] lines_o,
  output logic [Entries*4-1:0]     masks_o,
  output logic [Entries*4-1:0]     some_o,
  output logic [CountBits-1:0]     count_o,
  output logic [PtrBits-1:0]       head_o,
  output logic [LineBits-1:0]      head_line_o,
  output logic [3:0]               head_mask_o,
  output logic [3:0]               head_some_o,
  output logic [DomainWidth-1:0]   head_domain_o,
  output logic [PtrBits-1:0]       next_o,
  output logic                     next_valid_o,
  output logic                     next_blocked_o,
  output logic [LineBits-1:0]      next_line_o,
  input  wire logic                take_i,
  input  wire logic                drop_i
);
  if (LineBits == 0 || Entries == 0) begin : g_bad_size
    $error("dedup_write_buffer: LineBits and Entries must be at least 1");
  end
  if (ByteBits != (SectorBits > 8 ? 8 : SectorBits) || Bytes != 4 * SectorBits / ByteBits) begin : g_bad_derived
    $error("dedup_write_buffer: ByteBits and Bytes follow from SectorBits and must not be overridden");
  end

  logic [Entries*LineBits-1:0] line_q;
  logic [Entries*4-1:0]        mask_q, some;
  logic [3:0]                  merge_mask, merge_some;
  logic [Entries-1:0]          valid_q, taken_q, pending;
  logic [PtrBits-1:0]          head_q, tail_q, next_q, merge_entry, place;
  logic [CountBits-1:0]        count_q;
  logic [LineBits-1:0]         next_line;
  logic                        fire, merge, append;
  logic [Bytes-1:0]            byte_we;  // ByteMasks: of the banks

  function automatic logic [PtrBits-1:0] after(input logic [PtrBits-1:0] entry);
    after = (entry == PtrBits'(Entries - 1)) ? '0 : entry + 1'b1;
  endfunction

`ifdef PLANT_BUFFER_MERGES_UNDER_READ
  assign wr_ready_o = count_q != CountBits'(Entries) && !fill_turn_i;  // planted bug: see formal/dedup/proofs.txt
`else
  assign wr_ready_o = count_q != CountBits'(Entries) && !fill_turn_i && !wr_close_i;
`endif
  assign count_o    = count_q;
  assign head_o     = head_q;
  assign fire       = wr_valid_i && wr_ready_o;
  assign append     = fire && !merge;
  assign place      = merge ? merge_entry : tail_q;
  assign next_o     = next_q;
  assign next_line_o = next_line;
  assign lines_o    = line_q;
  assign masks_o    = mask_q;
  assign some_o     = some;

  always_comb begin
    merge       = 1'b0;
    merge_entry = '0;
    head_line_o = '0;
    head_mask_o = '0;
    head_some_o = '0;
    merge_mask  = '0;
    merge_some  = '0;
    next_line   = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      pending[e] = valid_q[e] && !taken_q[e];
`ifdef PLANT_BUFFER_NO_MERGE
      if (1'b0) begin  // planted bug: see formal/dedup/proofs.txt
`else
      if (pending[e] && line_q[e*LineBits +: LineBits] == wr_line_i) begin
`endif
        merge       = 1'b1;
        merge_entry = PtrBits'(e);
        merge_mask  = mask_q[e*4 +: 4];
        merge_some  = some[e*4 +: 4];
      end
      if (head_q == PtrBits'(e)) begin
        head_line_o = line_q[e*LineBits +: LineBits];
        head_mask_o = mask_q[e*4 +: 4];
        head_some_o = some[e*4 +: 4];
      end
      if (next_q == PtrBits'(e)) next_line = line_q[e*LineBits +: LineBits];
    end
  end
  always_comb begin
    next_valid_o   = 1'b0;
    next_blocked_o = 1'b0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (next_q == PtrBits'(e)) next_valid_o = pending[e];
      if (taken_q[e] && line_q[e*LineBits +: LineBits] == next_line) next_blocked_o = 1'b1;
    end
  end

  // The pending entry is newer than the one in process, so it is the one to forward from.
  always_comb begin
    logic found;
    found           = 1'b0;
    rd_forward_o    = '0;
    rd_entry_o      = '0;
    rd_in_process_o = 1'b0;
    rd_some_o       = 1'b0;
    ref_a_hit_o     = 1'b0;
    ref_b_hit_o     = 1'b0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (taken_q[e] && line_q[e*LineBits +: LineBits] == rd_line_i) begin
        rd_in_process_o = 1'b1;
        if (!found) begin
          rd_forward_o = rd_mask_i & mask_q[e*4 +: 4] & ~some[e*4 +: 4];
          rd_entry_o   = PtrBits'(e);
        end
      end
      if (pending[e] && line_q[e*LineBits +: LineBits] == rd_line_i) begin
        found        = 1'b1;
`ifdef PLANT_BUFFER_FORWARDS_SOME
        rd_forward_o = rd_mask_i & mask_q[e*4 +: 4];  // planted bug: see formal/dedup/proofs.txt
`else
        rd_forward_o = rd_mask_i & mask_q[e*4 +: 4] & ~some[e*4 +: 4];
`endif
        rd_entry_o   = PtrBits'(e);
        rd_some_o    = (rd_mask_i & some[e*4 +: 4]) != '0;
      end
      if (valid_q[e] && line_q[e*LineBits +: LineBits] == ref_a_i) ref_a_hit_o = 1'b1;
      if (valid_q[e] && line_q[e*LineBits +: LineBits] == ref_b_i) ref_b_hit_o = 1'b1;
    end
  end

  logic clk_entry, clk_order;  // lines, masks and domains; the FIFO's order
  clock_gate i_gate_entry (.clk_i, .enable_i(fire), .test_i(1'b0), .clk_o(clk_entry));
  clock_gate i_gate_order (
    .clk_i,
    .enable_i(!rst_ni || append || take_i || drop_i),
    .test_i(1'b0),
    .clk_o(clk_order)
  );

  logic [Entries*DomainWidth-1:0] domain_q;  // optimized away when head_domain_o is not connected
  always_comb begin
    head_domain_o = '0;
    for (int unsigned e = 0; e < Entries; e++) begin
      if (head_q == PtrBits'(e) && DomainBits > 0) head_domain_o = domain_q[e*DomainWidth +: DomainWidth];
    end
  end
  always_ff @(posedge clk_entry) begin
    for (int unsigned e = 0; e < Entries; e++) begin
`ifdef PLANT_BUFFER_FIRST_DOMAIN
      if (append && place == PtrBits'(e)) domain_q[e*DomainWidth +: DomainWidth] <= wr_domain_i;  // planted bug
`else
      if (fire && place == PtrBits'(e)) domain_q[e*DomainWidth +: DomainWidth] <= wr_domain_i;
`endif
    end
  end

  if (ByteMasks) begin : g_bytes
    // A byte and its bit are written together. The first write of a sector sets all its bits, a later one only adds.
    logic [Entries*4-1:0] some_q;
    logic [3:0]           wr_some, fresh;
    assign some = some_q;
    for (genvar s = 0; s < 4; s++) begin : g_sector
      assign wr_some[s] = wr_mask_i[s] && wr_bytes_i[s*(Bytes/4) +: Bytes/4] != '1;
      assign fresh[s]   = !merge || !merge_mask[s];
      for (genvar b = s * (Bytes / 4); b < (s + 1) * (Bytes / 4); b++) begin : g_byte
`ifdef PLANT_BUFFER_MERGES_SECTORS
        assign byte_we[b] = fill_turn_i ? fill_we_i && fill_mask_i[s] : fire && wr_mask_i[s];  // planted bug
`else
        assign byte_we[b] = fill_turn_i ? fill_we_i && fill_mask_i[s] : fire && wr_mask_i[s] && (fresh[s] || wr_bytes_i[b]);
`endif
        ram_1r1w #(.Width(1 + ByteBits), .Depth(Entries), .OldData(1)) i_bank (
          .clk_i,
          .we_i(byte_we[b]),
          .waddr_i(fill_turn_i ? fill_entry_i : place),
          .wdata_i(fill_turn_i ? {1'b1, fill_data_i[b*ByteBits +: ByteBits]} : {wr_bytes_i[b], wr_data_i[b*ByteBits +: ByteBits]}),
          .re_i(bank_re_i),
          .raddr_i(bank_entry_i),
          .rdata_o({bank_bytes_o[b], bank_data_o[b*ByteBits +: ByteBits]})
        );
      end
    end
    always_ff @(posedge clk_entry) begin
      for (int unsigned e = 0; e < Entries; e++) begin
        for (int unsigned s = 0; s < 4; s++) begin
          if (append && tail_q == PtrBits'(e)) some_q[e*4 + s] <= wr_some[s];
          else if (fire && merge && merge_entry == PtrBits'(e) && wr_mask_i[s])
            some_q[e*4 + s] <= wr_some[s] && (!merge_mask[s] || merge_some[s]);
        end
      end
    end
  end else begin : g_sectors
    assign some         = '0;
    assign bank_bytes_o = '1;
    assign byte_we      = '0;
    wire unused_bytes = &{wr_bytes_i, merge_mask, merge_some, byte_we};
    for (genvar s = 0; s < 4; s++) begin : g_bank
      ram_1r1w #(.Width(SectorBits), .Depth(Entries), .OldData(1)) i_bank (
        .clk_i,
        .we_i(fill_turn_i ? fill_we_i && fill_mask_i[s] : fire && wr_mask_i[s]),
        .waddr_i(fill_turn_i ? fill_entry_i : place),
        .wdata_i(fill_turn_i ? fill_data_i[s*SectorBits +: SectorBits] : wr_data_i[s*SectorBits +: SectorBits]),
        .re_i(bank_re_i),
        .raddr_i(bank_entry_i),
        .rdata_o(bank_data_o[s*SectorBits +: SectorBits])
      );
    end
  end

  always_ff @(posedge clk_order `WARPSIEVE_RESET) begin
    if (!rst_ni) begin
      valid_q <= '0;
      taken_q <= '0;
      head_q  <= '0;
      tail_q  <= '0;
      next_q  <= '0;
      count_q <= '0;
    end else begin
      if (take_i) next_q <= after(next_q);
      if (drop_i) head_q <= after(head_q);
      if (append) tail_q <= after(tail_q);
      if (append && !drop_i) count_q <= count_q + 1'b1;
      if (drop_i && !append) count_q <= count_q - 1'b1;
      for (int unsigned e = 0; e < Entries; e++) begin
        if (take_i && next_q == PtrBits'(e)) taken_q[e] <= 1'b1;
        if (drop_i && head_q == PtrBits'(e)) begin
          valid_q[e] <= 1'b0;
          taken_q[e] <= 1'b0;
        end
        if (append && tail_q == PtrBits'(e)) valid_q[e] <= 1'b1;
      end
    end
  end
  always_ff @(posedge clk_entry) begin
    for (int unsigned e = 0; e < Entries; e++) begin
      if (append && tail_q == PtrBits'(e)) begin
        line_q[e*LineBits +: LineBits] <= wr_line_i;
        mask_q[e*4 +: 4]               <= wr_mask_i;
      end
      if (fire && merge && merge_entry == PtrBits'(e)) mask_q[e*4 +: 4] <= mask_q[e*4 +: 4] | wr_mask_i;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) if (rst_ni) begin
    a_take_pending: assert (!take_i || (next_valid_o && !next_blocked_o));
    a_drop_taken:   assert (!drop_i || taken_q[head_q]);
    a_fill_taken:   assert (!fill_we_i || (fill_turn_i && taken_q[fill_entry_i]));
    c_merge:        cover (fire && merge);
    c_full:         cover (wr_valid_i && !wr_ready_o);
    c_blocked:      cover (next_valid_o && next_blocked_o);
    c_two_taken:    cover ((taken_q & (taken_q - 1'b1)) != '0);
  end
`endif
`ifdef FORMAL_DEDUP_WRITE_BUFFER
  `include "dedup_write_buffer_props.svh"
`endif
endmodule
`default_nettype wire
