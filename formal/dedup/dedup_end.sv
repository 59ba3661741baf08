// dedup_end: dedup with a hash store, a hasher, metadata and DRAM, so small that a proof can follow data from the write
// to the read. A read returns what was written last before it, whatever else is written, shared, borrowed or evicted.
//
//   wr, rd: any ──▶ dedup ◀──▶ hash_store, 2 entries     DRAM: Lines + Spare lines in order; answers in order
//            │                 type, mask, map, lent: an entry for each line, in order (dedup_end_table.sv)
//            ▼                 hasher: one line; L2: any sectors of a probe are clean, with what was written last
//   gold: an array with the last write of each line ──▶ compared with each sector of a read
//
// A sector has one bit. Lines are compared, moved and kept as a whole, so a wrong line or sector shows in one bit.
// Stalls: 0 all answers come at once, and each sink is ready. 1: any delay.
// Weak: the hash is one bit beside the mask, so many hits are collisions; for Verify.
`default_nettype none
module dedup_end #(
  parameter int unsigned LineBits      = 3,
  parameter int unsigned CountBits     = 2,
  parameter int unsigned BufferEntries = 2,
  parameter int unsigned Contexts      = 1,
  parameter int unsigned FreeEntries   = 1,
  parameter int unsigned Lines         = 4,  // that the L2 addresses
  parameter int unsigned Spare         = 2,
  parameter int unsigned Verify        = 0,
  parameter int unsigned ByteMasks     = 0,
  parameter int unsigned RegionBits    = 0,
  parameter int unsigned Weak          = 0,
  parameter int unsigned Stalls        = 0,
  parameter int unsigned Writes        = 1,  // in a run
  parameter int unsigned Reads         = 1,
  parameter int unsigned Offers        = 1,  // cycles in which they are offered
  parameter int unsigned Cycles        = 66, // that a run lasts at most
  parameter int unsigned Kind          = 4,  // type of the line of the first write; 4: any
  parameter int unsigned Line          = Lines  // the line of the first write; Lines: any
) (
  input wire logic                clk_i,
  input wire logic                rst_ni,
  input wire logic                wr_valid_i,
  input wire logic [LineBits-1:0] wr_line_i,
  input wire logic [3:0]          wr_mask_i,
  input wire logic [3:0]          wr_bytes_i,
  input wire logic [3:0]          wr_data_i,
  input wire logic                rd_valid_i,
  input wire logic [LineBits-1:0] rd_line_i,
  input wire logic [3:0]          rd_mask_i,
  input wire logic                rd_tracked_i,  // of this read the sectors are compared
  input wire logic [3:0]          clean_i,       // sectors that the L2 has when it answers a probe
  input wire logic [8:0]          stall_i
);
  localparam int unsigned Total     = Lines + Spare;
  localparam int unsigned TagBits   = $clog2(BufferEntries + 1);
  localparam int unsigned IdBits    = $clog2(Contexts + 1 + 2);
  localparam int unsigned IndexBits = 1;
  logic [8:0] stall;
  assign stall = Stalls != 0 ? stall_i : '0;

  (* anyconst *) logic                 f_car;
  (* anyconst *) logic [$clog2(BufferEntries + 1)-1:0] f_bypass;  // some writes are not hashed
  (* anyconst *) logic                 f_pass;
  // What tables, DRAM and the array of last writes hold after the reset.
  (* anyconst *) logic [Total*4-1:0]        any_dram;
  logic [Total*2-1:0]                       types_initial;
  logic [Total*4-1:0]                       masks_initial;
  logic [Total*LineBits-1:0]                maps_initial;
  logic [Total-1:0]                         lents_initial;
  logic [Lines*4-1:0]                       gold_initial;
`ifdef PROOF_ANY_METADATA
  (* anyconst *) logic [Total*2-1:0]        any_types;
  (* anyconst *) logic [Total*4-1:0]        any_masks;
  (* anyconst *) logic [Total*LineBits-1:0] any_maps;
  (* anyconst *) logic [Total-1:0]          any_lents;
  (* anyconst *) logic [Lines*4-1:0]        any_gold;
  assign types_initial = any_types;
  assign masks_initial = any_masks;
  assign maps_initial  = any_maps;
  assign lents_initial = any_lents;
  assign gold_initial  = any_gold;
`else  // the image of a cold reset: no line was written, the spare lines are intra and whole
  assign types_initial = {{Spare{2'b01}}, {Lines{2'b00}}};
  assign masks_initial = {{Spare{4'hf}}, {Lines{4'h0}}};
  assign maps_initial  = '0;
  assign lents_initial = '0;
  assign gold_initial  = any_dram[Lines*4-1:0];
`endif

  logic                rd_ready, wr_ready, l2_valid, dram_valid, dram_ready, dram_rsp_valid, dram_rsp_ready;
  logic [TagBits-1:0]  l2_tag, dram_tag, dram_rsp_tag;
  logic [3:0]          l2_mask, l2_data, dram_mask, dram_bytes, dram_data, dram_rsp_data;
  logic [2:0]          dram_kind;
  logic [LineBits-1:0] dram_line;
  logic                type_req_valid, type_req_ready, type_req_write, type_rsp_valid, type_rsp_ready;
  logic [LineBits-1:0] type_req_index, mask_req_index, addr_req_index, lent_req_index;
  logic [1:0]          type_req_data, type_rsp_data;
  logic [IdBits-1:0]   type_req_id, type_rsp_id, mask_req_id, mask_rsp_id, addr_req_id, addr_rsp_id, lent_req_id, lent_rsp_id;
  logic                mask_req_valid, mask_req_ready, mask_req_write, mask_rsp_valid, mask_rsp_ready;
  logic [3:0]          mask_req_data, mask_rsp_data;
  logic                addr_req_valid, addr_req_ready, addr_req_write, addr_rsp_valid, addr_rsp_ready;
  logic [31:0]         addr_req_data, addr_rsp_data;
  logic                lent_req_valid, lent_req_ready, lent_req_write, lent_rsp_valid, lent_rsp_ready;
  logic                lent_req_data, lent_rsp_data;
  logic                hash_valid, hash_ready, hash_rsp_valid, hash_rsp_ready;
  logic [3:0]          hash_mask, hash_data;
  logic [127:0]        digest;
  logic                store_valid, store_ready, store_rsp_valid, store_rsp_ready, store_rsp_hit, store_rsp_ok, store_rsp_evicted;
  logic [2:0]          store_op;
  logic [127:0]        store_hash;
  logic [LineBits-1:0] store_ref, store_rsp_ref, evicted_ref_unused;
  logic [IndexBits-1:0] store_index, store_rsp_index;
  logic [CountBits-1:0] store_rsp_count;
  logic                corrected_unused, fatal_unused;
  logic                probe_valid, probe_ready, probe_rsp_valid, probe_rsp_ready;
  logic [LineBits-1:0] probe_line;
  logic [3:0]          probe_mask, probe_rsp_mask, probe_rsp_data;
  logic [IdBits-1:0]   probe_id, probe_rsp_id;
  logic                done_valid, busy;
  logic [2:0]          done_outcome;
  logic [7:0]          done_flags;
  logic [3:0]          done_read_unused, done_verify_unused, done_written_unused;
  logic [LineBits-1:0] done_line_unused;
  logic [1:0]          l2_source;
  logic [$clog2(BufferEntries + 1)-1:0] level_unused;

  dedup #(
    .LineBits(LineBits), .IndexBits(IndexBits), .CountBits(CountBits), .BufferEntries(BufferEntries),
    .Contexts(Contexts), .FreeEntries(FreeEntries), .TagBits(TagBits), .Lookups(1), .HashUnits(1), .Verify(Verify),
    .DomainBits(0), .RegionBits(RegionBits), .ByteMasks(ByteMasks), .SectorBits(1)
  ) i_dedup (
    .clk_i,
    .rst_ni,
    .cfg_car_i(f_car),
    .cfg_hash_i(1'b1),
    .cfg_verify_i(Verify != 0),
    .cfg_region_i(RegionBits != 0),
    .cfg_pass_i(ByteMasks != 0 && f_pass),
    .cfg_fresh_i(1'b1),
    .cfg_bypass_level_i(f_bypass),
    .cfg_total_lines_i((LineBits + 1)'(Total)),
    .cfg_spare_lines_i((LineBits + 1)'(Spare)),
    .rd_valid_i,
    .rd_ready_o(rd_ready),
    .rd_line_i,
    .rd_mask_i,
    .rd_tag_i(TagBits'(rd_tracked_i)),
    .wr_valid_i,
    .wr_ready_o(wr_ready),
    .wr_line_i,
    .wr_mask_i,
    .wr_bytes_i,
    .wr_data_i,
    .wr_domain_i('0),
    .l2_valid_o(l2_valid),
    .l2_ready_i(!stall[0]),
    .l2_tag_o(l2_tag),
    .l2_mask_o(l2_mask),
    .l2_source_o(l2_source),
    .l2_data_o(l2_data),
    .dram_valid_o(dram_valid),
    .dram_ready_i(dram_ready),
    .dram_kind_o(dram_kind),
    .dram_line_o(dram_line),
    .dram_mask_o(dram_mask),
    .dram_tag_o(dram_tag),
    .dram_bytes_o(dram_bytes),
    .dram_data_o(dram_data),
    .dram_rsp_valid_i(dram_rsp_valid),
    .dram_rsp_ready_o(dram_rsp_ready),
    .dram_rsp_tag_i(dram_rsp_tag),
    .dram_rsp_data_i(dram_rsp_data),
    .type_req_valid_o(type_req_valid),
    .type_req_ready_i(type_req_ready),
    .type_req_write_o(type_req_write),
    .type_req_index_o(type_req_index),
    .type_req_data_o(type_req_data),
    .type_req_id_o(type_req_id),
    .type_rsp_valid_i(type_rsp_valid),
    .type_rsp_ready_o(type_rsp_ready),
    .type_rsp_data_i(type_rsp_data),
    .type_rsp_id_i(type_rsp_id),
    .mask_req_valid_o(mask_req_valid),
    .mask_req_ready_i(mask_req_ready),
    .mask_req_write_o(mask_req_write),
    .mask_req_index_o(mask_req_index),
    .mask_req_data_o(mask_req_data),
    .mask_req_id_o(mask_req_id),
    .mask_rsp_valid_i(mask_rsp_valid),
    .mask_rsp_ready_o(mask_rsp_ready),
    .mask_rsp_data_i(mask_rsp_data),
    .mask_rsp_id_i(mask_rsp_id),
    .addr_req_valid_o(addr_req_valid),
    .addr_req_ready_i(addr_req_ready),
    .addr_req_write_o(addr_req_write),
    .addr_req_index_o(addr_req_index),
    .addr_req_data_o(addr_req_data),
    .addr_req_id_o(addr_req_id),
    .addr_rsp_valid_i(addr_rsp_valid),
    .addr_rsp_ready_o(addr_rsp_ready),
    .addr_rsp_data_i(addr_rsp_data),
    .addr_rsp_id_i(addr_rsp_id),
    .lent_req_valid_o(lent_req_valid),
    .lent_req_ready_i(lent_req_ready),
    .lent_req_write_o(lent_req_write),
    .lent_req_index_o(lent_req_index),
    .lent_req_data_o(lent_req_data),
    .lent_req_id_o(lent_req_id),
    .lent_rsp_valid_i(lent_rsp_valid),
    .lent_rsp_ready_o(lent_rsp_ready),
    .lent_rsp_data_i(lent_rsp_data),
    .lent_rsp_id_i(lent_rsp_id),
    .hash_valid_o(hash_valid),
    .hash_ready_i(hash_ready),
    .hash_mask_o(hash_mask),
    .hash_data_o(hash_data),
    .hash_rsp_valid_i(hash_rsp_valid),
    .hash_rsp_ready_o(hash_rsp_ready),
    .hash_rsp_digest_i(digest),
    .store_valid_o(store_valid),
    .store_ready_i(store_ready),
    .store_op_o(store_op),
    .store_hash_o(store_hash),
    .store_ref_o(store_ref),
    .store_index_o(store_index),
    .store_rsp_valid_i(store_rsp_valid),
    .store_rsp_ready_o(store_rsp_ready),
    .store_rsp_hit_i(store_rsp_hit),
    .store_rsp_index_i(store_rsp_index),
    .store_rsp_ref_i(store_rsp_ref),
    .store_rsp_count_i(store_rsp_count),
    .store_rsp_ok_i(store_rsp_ok),
    .store_rsp_evicted_i(store_rsp_evicted),
    .probe_valid_o(probe_valid),
    .probe_ready_i(probe_ready),
    .probe_line_o(probe_line),
    .probe_mask_o(probe_mask),
    .probe_id_o(probe_id),
    .probe_rsp_valid_i(probe_rsp_valid),
    .probe_rsp_ready_o(probe_rsp_ready),
    .probe_rsp_id_i(probe_rsp_id),
    .probe_rsp_mask_i(probe_rsp_mask),
    .probe_rsp_data_i(probe_rsp_data),
    .done_valid_o(done_valid),
    .done_line_o(done_line_unused),
    .done_outcome_o(done_outcome),
    .done_flags_o(done_flags),
    .done_read_o(done_read_unused),
    .done_verify_o(done_verify_unused),
    .done_written_o(done_written_unused),
    .level_o(level_unused),
    .busy_o(busy)
  );

  // One set of two ways. The upper bits of the fingerprint are always 0.
  localparam int unsigned HashBits = Weak != 0 ? 5 : 8;
  hash_store #(
    .Sets(1), .Ways(2), .HashBits(HashBits), .RefBits(LineBits), .CountBits(CountBits), .RefSets(2), .RefWays(2)
  ) i_store (
    .clk_i,
    .rst_ni,
    .req_valid_i(store_valid),
    .req_ready_o(store_ready),
    .req_op_i(store_op),
    .req_hash_i(Weak != 0 ? HashBits'({store_hash[127:124], store_hash[0]}) : HashBits'(store_hash)),
    .req_ref_i(store_ref),
    .req_index_i(store_index),
    .rsp_valid_o(store_rsp_valid),
    .rsp_ready_i(store_rsp_ready),
    .rsp_hit_o(store_rsp_hit),
    .rsp_index_o(store_rsp_index),
    .rsp_ref_o(store_rsp_ref),
    .rsp_count_o(store_rsp_count),
    .rsp_ok_o(store_rsp_ok),
    .rsp_evicted_o(store_rsp_evicted),
    .rsp_evicted_ref_o(evicted_ref_unused),
    .flip_i(32'd0),
    .corrected_o(corrected_unused),
    .fatal_o(fatal_unused)
  );

  // Hasher.
  logic               hashing_q;
  logic [7:0]         hashed_q;
  assign hash_ready     = !hashing_q;
  assign hash_rsp_valid = hashing_q && !stall[1];
  assign digest         = 128'(hashed_q);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) hashing_q <= 1'b0;
    else hashing_q <= (hash_valid && hash_ready) || (hashing_q && !(hash_rsp_valid && hash_rsp_ready));
    if (hash_valid && hash_ready) hashed_q <= Weak != 0 ? {7'd0, ^(hash_data & hash_mask)} : {hash_mask, hash_data & hash_mask};
  end

  // Metadata.
  logic [Total*2-1:0]        types;
  logic [Total*4-1:0]        masks;
  logic [Total*LineBits-1:0] maps;
  logic [Total-1:0]          lents;
  dedup_end_table #(.LineBits(LineBits), .Lines(Total), .Bits(2), .DataBits(2), .IdBits(IdBits)) i_type (
    .clk_i,
    .rst_ni,
    .hold_i(stall[2]),
    .initial_i(types_initial),
    .req_valid_i(type_req_valid),
    .req_ready_o(type_req_ready),
    .req_write_i(type_req_write),
    .req_index_i(type_req_index),
    .req_data_i(type_req_data),
    .req_id_i(type_req_id),
    .rsp_valid_o(type_rsp_valid),
    .rsp_ready_i(type_rsp_ready),
    .rsp_data_o(type_rsp_data),
    .rsp_id_o(type_rsp_id),
    .entries_o(types)
  );
  dedup_end_table #(.LineBits(LineBits), .Lines(Total), .Bits(4), .DataBits(4), .IdBits(IdBits)) i_mask (
    .clk_i,
    .rst_ni,
    .hold_i(stall[3]),
    .initial_i(masks_initial),
    .req_valid_i(mask_req_valid),
    .req_ready_o(mask_req_ready),
    .req_write_i(mask_req_write),
    .req_index_i(mask_req_index),
    .req_data_i(mask_req_data),
    .req_id_i(mask_req_id),
    .rsp_valid_o(mask_rsp_valid),
    .rsp_ready_i(mask_rsp_ready),
    .rsp_data_o(mask_rsp_data),
    .rsp_id_o(mask_rsp_id),
    .entries_o(masks)
  );
  dedup_end_table #(.LineBits(LineBits), .Lines(Total), .Bits(LineBits), .DataBits(32), .IdBits(IdBits)) i_addr (
    .clk_i,
    .rst_ni,
    .hold_i(stall[4]),
    .initial_i(maps_initial),
    .req_valid_i(addr_req_valid),
    .req_ready_o(addr_req_ready),
    .req_write_i(addr_req_write),
    .req_index_i(addr_req_index),
    .req_data_i(addr_req_data),
    .req_id_i(addr_req_id),
    .rsp_valid_o(addr_rsp_valid),
    .rsp_ready_i(addr_rsp_ready),
    .rsp_data_o(addr_rsp_data),
    .rsp_id_o(addr_rsp_id),
    .entries_o(maps)
  );
  dedup_end_table #(.LineBits(LineBits), .Lines(Total), .Bits(1), .DataBits(1), .IdBits(IdBits)) i_lent (
    .clk_i,
    .rst_ni,
    .hold_i(stall[5]),
    .initial_i(lents_initial),
    .req_valid_i(lent_req_valid),
    .req_ready_o(lent_req_ready),
    .req_write_i(lent_req_write),
    .req_index_i(lent_req_index),
    .req_data_i(lent_req_data),
    .req_id_i(lent_req_id),
    .rsp_valid_o(lent_rsp_valid),
    .rsp_ready_i(lent_rsp_ready),
    .rsp_data_o(lent_rsp_data),
    .rsp_id_o(lent_rsp_id),
    .entries_o(lents)
  );

  // DRAM: what it takes is done in order. Reads of the L2 are answered as they are taken, others a cycle later or more.
  logic [Total*4-1:0] dram_q;
  logic [3:0]         dram_read;
  logic               answer_q, dram_fire;
  assign dram_rsp_valid = answer_q && !stall[6];
  assign dram_ready     = !stall[7] && (!answer_q || (dram_rsp_valid && dram_rsp_ready));
  assign dram_fire      = dram_valid && dram_ready;
  always_comb begin
    dram_read = '0;
    for (int unsigned l = 0; l < Total; l++) if (dram_line == LineBits'(l)) dram_read = dram_q[l*4 +: 4];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) answer_q <= 1'b0;
    else answer_q <= (dram_fire && (dram_kind == 3'd2 || dram_kind == 3'd4)) || (answer_q && !(dram_rsp_valid && dram_rsp_ready));
    if (dram_fire) begin
      dram_rsp_tag  <= dram_tag;
      dram_rsp_data <= dram_read;
    end
    for (int unsigned l = 0; l < Total; l++) begin
      for (int unsigned s = 0; s < 4; s++) begin
        if (!rst_ni) dram_q[l*4 + s] <= any_dram[l*4 + s];
        else if (dram_fire && dram_kind == 3'd3 && dram_line == LineBits'(l) && dram_mask[s] && dram_bytes[s])
          dram_q[l*4 + s] <= dram_data[s];
      end
    end
  end

  // Last write of each line.
  logic [Lines*4-1:0] gold_q;
  logic [3:0]         rd_gold, probe_gold;
  always_ff @(posedge clk_i) begin
    for (int unsigned l = 0; l < Lines; l++) begin
      for (int unsigned s = 0; s < 4; s++) begin
        if (!rst_ni) gold_q[l*4 + s] <= gold_initial[l*4 + s];
        else if (wr_valid_i && wr_ready && wr_line_i == LineBits'(l) && wr_mask_i[s] && (ByteMasks == 0 || wr_bytes_i[s]))
          gold_q[l*4 + s] <= wr_data_i[s];
      end
    end
  end

  // L2 copies.
  logic                probing_q;
  logic [LineBits-1:0] probing_line_q;
  assign probe_ready     = !probing_q;
  assign probe_rsp_valid = probing_q && !stall[8];
  always_comb begin
    rd_gold    = '0;
    probe_gold = '0;
    for (int unsigned l = 0; l < Lines; l++) begin
      if (rd_line_i == LineBits'(l)) rd_gold = gold_q[l*4 +: 4];
      if (probing_line_q == LineBits'(l)) probe_gold = gold_q[l*4 +: 4];
    end
  end
  assign probe_rsp_mask = 32'(probing_line_q) < Lines ? clean_i : 4'd0;
  assign probe_rsp_data = probe_gold;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) probing_q <= 1'b0;
    else probing_q <= (probe_valid && probe_ready) || (probing_q && !(probe_rsp_valid && probe_rsp_ready));
    if (probe_valid && probe_ready) begin
      probing_line_q <= probe_line;
      probe_rsp_id   <= probe_id;
    end
  end

  // The tracked read: sectors to come, and what was written last when it was taken.
  logic [3:0] due_q, expected_q, from_l2, from_dram;
  assign from_l2   = l2_valid && !stall[0] && l2_tag == TagBits'(1) ? l2_mask : '0;
  assign from_dram = dram_fire && dram_kind <= 3'd1 && dram_tag == TagBits'(1) ? dram_mask : '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      due_q <= '0;
    end else if (rd_valid_i && rd_ready && rd_tracked_i) begin
      due_q      <= rd_mask_i;
      expected_q <= rd_gold;
    end else begin
      due_q <= due_q & ~(from_l2 | from_dram);
    end
  end

`ifdef FORMAL_DEDUP_END
  `include "dedup_end_props.svh"
`endif
endmodule
`default_nettype wire
