// What makes the coherence of metadata_cache inductive. Memories and FIFOs are cut out (mem=free,
// stub=fifo) and replaced by their specifications, which formal/common proves of the modules.

// ---- specification of the memories: old data on a collision, output held -------------------------
logic [Sets*RowBits-1:0]      f_rows_q;
logic [Places*SectorBits-1:0] f_sectors_q;
logic [RowBits-1:0]           f_row_read_q;
logic [SectorBits-1:0]        f_sector_read_q;
always_ff @(posedge clk_i) begin
  if (row_re) f_row_read_q <= f_rows_q[read_set*RowBits +: RowBits];
  if (row_we) f_rows_q[set*RowBits +: RowBits] <= row_new;
  if (sector_re) f_sector_read_q <= f_sectors_q[read_place*SectorBits +: SectorBits];
  if (sector_we) f_sectors_q[write_place*SectorBits +: SectorBits] <= data_writes ? word_new : fill_data_q;
end

// ---- specification of the FIFOs: shift queues, head first, as full as the block's own counters say ---
localparam int unsigned RspBits = EntryBits + IdBits + 1, MemBits = 1 + NumberBits + SectorBits;
logic [RspSlots*RspBits-1:0] f_rsp_q, f_rsp_shifted;
logic [MemSlots*MemBits-1:0] f_mem_req_q, f_mem_req_shifted;
logic [2:0]                  f_rsp_at;
logic [1:0]                  f_mem_at;
assign f_rsp_shifted     = rsp_fire ? f_rsp_q >> RspBits : f_rsp_q;
assign f_mem_req_shifted = mem_fire ? f_mem_req_q >> MemBits : f_mem_req_q;
assign f_rsp_at          = rsp_count_q - 3'(rsp_fire);
assign f_mem_at          = mem_count_q - 2'(mem_fire);
for (genvar i = 0; i < RspSlots; i++) begin : f_rsp_slot
  always_ff @(posedge clk_i) f_rsp_q[i*RspBits +: RspBits] <=
    data_valid_q && f_rsp_at == 3'(i) ? {entry, data_id_q, data_replay_q} : f_rsp_shifted[i*RspBits +: RspBits];
end
for (genvar i = 0; i < MemSlots; i++) begin : f_mem_slot
  always_ff @(posedge clk_i) f_mem_req_q[i*MemBits +: MemBits] <=
    mem_put && f_mem_at == 2'(i) ? {back_valid_q, mem_addr, sector_read & {SectorBits{back_valid_q}}}
                                 : f_mem_req_shifted[i*MemBits +: MemBits];
end
always_comb begin
  m_rows:     assume (row_read == f_row_read_q);
  m_sectors:  assume (sector_read == f_sector_read_q);
  m_rsp:      assume (rsp_valid_o == (rsp_count_q != '0));
  m_rsp_item: assume ({rsp_data_o, rsp_id_o, rsp_missed_o} == f_rsp_q[RspBits-1:0]);
  m_rsp_room: assume (unused_rsp_ready == (rsp_count_q < 3'(RspSlots)));
  m_mem:      assume (mem_req_valid_o == (mem_count_q != '0));
  m_mem_item: assume ({mem_req_write_o, mem_req_sector_o, mem_req_data_o} == f_mem_req_q[MemBits-1:0]);
  m_mem_room: assume (unused_mem_ready == (mem_count_q < 2'(MemSlots)));
end

// ---- rows, effective: as reset while not live ------------------------------------------------------
logic [Sets*RowBits-1:0] f_row;
for (genvar s = 0; s < Sets; s++) begin : f_set_row
  assign f_row[s*RowBits +: RowBits] = live_q[s] ? f_rows_q[s*RowBits +: RowBits] : row_reset;
  for (genvar w = 0; w < Ways; w++) begin : f_way
    logic [Subs-1:0] valid, dirty;
    assign valid = f_row[s*RowBits + ValidsAt + w*Subs +: Subs];
    assign dirty = f_row[s*RowBits + DirtiesAt + w*Subs +: Subs];
    always_ff @(posedge clk_i) if (rst_ni) begin
      assert ((dirty & ~valid) == '0);                                     // dirty implies valid
      assert (f_row[s*RowBits + w*WayWidth +: WayWidth] <= WayWidth'(Ways - 1));
    end
    for (genvar v = 0; v < w; v++) begin : f_pair
      always_ff @(posedge clk_i) if (rst_ni) begin
        assert (f_row[s*RowBits + w*WayWidth +: WayWidth] != f_row[s*RowBits + v*WayWidth +: WayWidth]);
        assert (valid == '0 || f_row[s*RowBits + ValidsAt + v*Subs +: Subs] == '0 ||   // one copy of a line
                f_row[s*RowBits + TagsAt + w*TagBits +: TagBits] != f_row[s*RowBits + TagsAt + v*TagBits +: TagBits]);
      end
    end
  end
end

// ---- where things are --------------------------------------------------------------------------------
logic [SetWidth-1:0]   f_set, f_fill_set;
logic [SubWidth-1:0]   f_sub, f_fill_sub;
logic [TagBits-1:0]    f_tag, f_fill_tag;
logic [AddrBits-1:0]   f_addr;
assign f_addr     = AddrBits'(f_number);
assign f_tag      = f_addr[AddrBits-1 -: TagBits];
assign f_fill_tag = fill_addr_q[AddrBits-1 -: TagBits];
assign f_set      = SetWidth'(f_addr >> SubBits) & SetWidth'(Sets - 1);
assign f_fill_set = SetWidth'(fill_addr_q >> SubBits) & SetWidth'(Sets - 1);
assign f_sub      = SubWidth'(f_addr) & SubWidth'(Subs - 1);
assign f_fill_sub = SubWidth'(fill_addr_q) & SubWidth'(Subs - 1);

logic [RowBits-1:0]    f_my_row, f_fill_row;
logic                  f_resident, f_dirty, f_fill_there;
logic [WayWidth-1:0]   f_way;
logic [31:0]           f_place, f_victim_place;
assign f_my_row   = f_row[f_set*RowBits +: RowBits];
assign f_fill_row = f_row[f_fill_set*RowBits +: RowBits];
always_comb begin
  f_resident = 1'b0;
  f_dirty    = 1'b0;
  f_way      = '0;
  for (int unsigned w = 0; w < Ways; w++) begin
    if (f_my_row[ValidsAt + w*Subs + f_sub] && f_my_row[TagsAt + w*TagBits +: TagBits] == f_tag) begin
      f_resident = 1'b1;
      f_dirty    = f_my_row[DirtiesAt + w*Subs + f_sub];
      f_way      = WayWidth'(w);
    end
  end
  f_fill_there = fill_way_q <= WayWidth'(Ways - 1) && f_fill_row[ValidsAt + fill_way_q*Subs + f_fill_sub] &&
                 f_fill_row[TagsAt + fill_way_q*TagBits +: TagBits] == f_fill_tag;
end
assign f_place        = (32'(f_way) * Sets + 32'(f_set)) * Subs + 32'(f_sub);
assign f_victim_place = (32'(fill_way_q) * Sets + 32'(f_fill_set)) * Subs + 32'(f_sub);

logic f_is_fill, f_early, f_late, f_victim, f_back;
assign f_is_fill = phase_q != Idle && fill_addr_q == f_addr;
assign f_early   = f_is_fill && (phase_q == Tags || phase_q == Choose);      // sector not in a row yet
assign f_late    = f_is_fill && (phase_q == Writeback || phase_q == Write);  // in the row, data not written yet
assign f_victim  = phase_q == Writeback && victim_dirty_q[f_sub] && victim_tag_q == f_tag && f_fill_set == f_set;
assign f_back    = back_valid_q && back_sub_q == f_sub && victim_tag_q == f_tag && f_fill_set == f_set;

// Writes and fetches of the sector in the mem_req FIFO; f_mem_value: the entry after all of them.
logic                 f_write_queued, f_write_after_fetch;
logic [1:0]           f_fetches;
logic [EntryBits-1:0] f_mem_value, f_base, f_after_data, f_final;
always_comb begin
  f_write_queued      = 1'b0;
  f_write_after_fetch = 1'b0;
  f_fetches           = '0;
  f_mem_value         = f_mem_q;
  for (int unsigned i = 0; i < MemSlots; i++) begin
    if (2'(i) < mem_count_q && f_mem_req_q[i*MemBits + SectorBits +: NumberBits] == f_number) begin
      if (f_mem_req_q[i*MemBits + MemBits - 1]) begin
        f_write_queued      = 1'b1;
        f_write_after_fetch = f_write_after_fetch || f_fetches != '0;
        f_mem_value         = f_mem_req_q[i*MemBits + f_offset*EntryBits +: EntryBits];
      end else begin
        f_fetches = f_fetches + 2'd1;
      end
    end
  end
end
// The entry as every access that reached the data stage before left it.
always_comb begin
  if (f_early || f_late)   f_base = fill_data_q[f_offset*EntryBits +: EntryBits];
  else if (f_resident)     f_base = f_sectors_q[f_place*SectorBits + f_offset*EntryBits +: EntryBits];
  else if (f_out_q[f_number]) f_base = f_fetched_q;
  else if (f_victim)       f_base = f_sectors_q[f_victim_place*SectorBits + f_offset*EntryBits +: EntryBits];
  else if (f_back)         f_base = sector_read[f_offset*EntryBits +: EntryBits];
  else                     f_base = f_mem_value;
end
logic f_data_here;
assign f_data_here  = data_valid_q && f_resident && 32'(data_place_q) == f_place && data_offset_q == f_offset;
assign f_after_data = f_data_here && data_write_q ? data_data_q : f_base;

// Then the replay in the tag stage, the parks in order, a new request in the tag stage.
logic       f_tag_here, f_parked, f_watch_ok, f_watch_named;
logic [3:0] f_watched;
always_comb begin
  f_tag_here    = tag_valid_q && tag_index_q == f_index;
  f_final       = f_after_data;
  f_parked      = 1'b0;
  f_watch_ok    = !(data_valid_q && data_id_q == IdBits'(1)) || (f_data_here && f_base == f_expected_q);
  f_watch_named = !(tag_valid_q && tag_id_q == IdBits'(1)) || tag_index_q == f_index;
  f_watched     = 4'(data_valid_q && data_id_q == IdBits'(1)) + 4'(tag_valid_q && tag_id_q == IdBits'(1));
  if (f_tag_here && tag_replay_q) begin
    f_watch_ok = f_watch_ok && (tag_id_q != IdBits'(1) || f_final == f_expected_q);
    if (tag_write_q) f_final = tag_data_q;
  end
  for (int unsigned p = 0; p < Parks; p++) begin
    if ((ParkCountBits + 1)'(p) < {1'b0, park_count_q}) begin
      if (NumberBits'(parks_q[p*ParkBits + EntryBits + IdBits +: IndexBits] >> OffsetBits) == f_number) f_parked = 1'b1;
      if (parks_q[p*ParkBits +: IdBits] == IdBits'(1)) begin
        f_watched     = f_watched + 4'd1;
        f_watch_named = f_watch_named && parks_q[p*ParkBits + EntryBits + IdBits +: IndexBits] == f_index;
        f_watch_ok    = f_watch_ok && f_final == f_expected_q;
      end
      if (parks_q[p*ParkBits + EntryBits + IdBits +: IndexBits] == f_index && parks_q[p*ParkBits + ParkBits - 1]) begin
        f_final = parks_q[p*ParkBits + IdBits +: EntryBits];
      end
    end
  end
  if (f_tag_here && !tag_replay_q) begin
    f_watch_ok = f_watch_ok && (tag_id_q != IdBits'(1) || f_final == f_expected_q);
    if (tag_write_q) f_final = tag_data_q;
  end
  for (int unsigned i = 0; i < RspSlots; i++) begin
    if (3'(i) < rsp_count_q && f_rsp_q[i*RspBits + 1 +: IdBits] == IdBits'(1)) begin
      f_watched  = f_watched + 4'd1;
      f_watch_ok = f_watch_ok && f_rsp_q[i*RspBits + 1 + IdBits +: EntryBits] == f_expected_q;
    end
  end
end

// Places in the order of the responses: response FIFO, data stage, replay, parks, a new request in the tag stage.
localparam logic [5:0] AtData = 6'd8, AtReplay = 6'd9, AtPark = 6'd16, AtTag = 6'd63;
logic [5:0] f_first_at, f_second_at;
logic [3:0] f_seconds;
logic       f_second_named;
always_comb begin
  f_first_at     = '0;
  f_second_at    = '0;
  f_seconds      = '0;
  f_second_named = 1'b1;
  for (int unsigned i = 0; i < RspSlots; i++) begin
    if (3'(i) < rsp_count_q && f_rsp_q[i*RspBits + 1 +: IdBits] == IdBits'(1)) f_first_at = 6'(i);
    if (3'(i) < rsp_count_q && f_rsp_q[i*RspBits + 1 +: IdBits] == IdBits'(2)) begin
      f_second_at = 6'(i);
      f_seconds   = f_seconds + 4'd1;
    end
  end
  if (data_valid_q && data_id_q == IdBits'(1)) f_first_at = AtData;
  if (data_valid_q && data_id_q == IdBits'(2)) begin
    f_second_at    = AtData;
    f_seconds      = f_seconds + 4'd1;
    f_second_named = f_second_named && f_resident && 32'(data_place_q) == f_place;
  end
  for (int unsigned p = 0; p < Parks; p++) begin
    if ((ParkCountBits + 1)'(p) < {1'b0, park_count_q}) begin
      if (parks_q[p*ParkBits +: IdBits] == IdBits'(1)) f_first_at = AtPark + 6'(p);
      if (parks_q[p*ParkBits +: IdBits] == IdBits'(2)) begin
        f_second_at    = AtPark + 6'(p);
        f_seconds      = f_seconds + 4'd1;
        f_second_named = f_second_named &&
                         NumberBits'(parks_q[p*ParkBits + EntryBits + IdBits +: IndexBits] >> OffsetBits) == f_number;
      end
    end
  end
  if (tag_valid_q && tag_id_q == IdBits'(1)) f_first_at = tag_replay_q ? AtReplay : AtTag;
  if (tag_valid_q && tag_id_q == IdBits'(2)) begin
    f_second_at    = tag_replay_q ? AtReplay : AtTag;
    f_seconds      = f_seconds + 4'd1;
    f_second_named = f_second_named && NumberBits'(tag_index_q >> OffsetBits) == f_number;
  end
end

// ---- the invariants ----------------------------------------------------------------------------------
logic [1:0] f_outstanding;
assign f_outstanding = f_fetches + 2'(f_out_q[f_number]) + 2'(f_is_fill);
always_ff @(posedge clk_i) if (rst_ni) begin
  // stages and phases
  a_phase:        assert (phase_q <= Replay);
  a_no_tag:       assert (!tag_valid_q || phase_q == Idle || phase_q == Tags || phase_q == Replay);
  a_no_data:      assert (!data_valid_q || (phase_q != Writeback && phase_q != Write));
  a_replay:       assert (!(tag_valid_q && tag_replay_q) || phase_q == Replay || phase_q == Idle);
  a_replay_phase: assert (!(tag_valid_q && !tag_replay_q) || phase_q != Replay);
  a_replay_fill:  assert (!(tag_valid_q && tag_replay_q) || (tag_addr == fill_addr_q && f_fill_there));
  a_fill_there:   assert (!(phase_q == Writeback || phase_q == Write || phase_q == Replay) || f_fill_there);
  a_back:         assert (!back_valid_q || phase_q == Writeback || phase_q == Write);
  a_writeback:    assert (phase_q != Writeback || victim_dirty_q != '0);
  a_written:      assert (phase_q != Write || victim_dirty_q == '0);
  a_victim_tag:   assert (!(phase_q == Writeback || back_valid_q) || victim_tag_q != f_fill_tag);
  // room
  a_rsp_room:     assert (4'(rsp_count_q) + 4'(tag_valid_q) + 4'(data_valid_q) <= 4'(RspSlots));
  a_park_room:    assert ({1'b0, park_count_q} + (ParkCountBits + 1)'(tag_valid_q && !tag_replay_q) <= (ParkCountBits + 1)'(Parks));
  a_mem_room:     assert (3'(mem_count_q) + 3'(tag_valid_q && !tag_replay_q) + 3'(back_valid_q) <= 3'(MemSlots));
  // what the stages read is what the memories hold
  a_row:          assert (!(tag_valid_q || phase_q == Choose) || row == f_row[set*RowBits +: RowBits]);
  a_word:         assert (!data_valid_q || word == f_sectors_q[data_place_q*SectorBits +: SectorBits]);
  a_back_word:    assert (!back_valid_q || sector_read ==
    f_sectors_q[((32'(fill_way_q) * Sets + 32'(f_fill_set)) * Subs + 32'(back_sub_q))*SectorBits +: SectorBits]);
  // one fetch per waited-for sector; its sector is nowhere else
  a_outstanding:  assert (f_outstanding <= 2'd1 && f_parked == (f_outstanding != '0));
  a_not_resident: assert (!(f_fetches != '0 || f_out_q[f_number] || f_early) || !f_resident);
  a_victim_gone:  assert (!(f_victim || f_back) || (!f_resident && f_outstanding == '0));
  a_one_victim:   assert (!(f_victim && f_back));
  a_queue_order:  assert (!f_write_after_fetch);
  a_write_queued: assert (!f_write_queued || (!f_resident && !f_out_q[f_number] && !f_is_fill));
  // values
  a_fetched:      assert (!f_out_q[f_number] || f_fetched_q == f_mem_q);
  a_early:        assert (!f_early || f_base == f_mem_q);
  a_clean:        assert (!(f_resident && !f_dirty) || f_base == f_mem_q);
  a_dirty:        assert (!(f_data_here && data_write_q) || f_dirty);
  a_value:        assert (f_final == f_value_q);
  a_watch_ok:     assert (f_watch_ok && f_watch_named);
  a_watched:      assert (f_watched == 4'(f_watching_q));
  // order
  if (IdBits > 1) begin
    a_seconds:      assert (f_seconds == 4'(f_second_q) && f_second_named);
    a_second_later: assert (!f_watching_q || !f_second_q || f_first_at < f_second_at);
  end
end
// Every sector that is fetched or filled is so once and has a parked request, and only those have.
for (genvar x = 0; x < Numbers; x++) begin : f_any
  logic       parked;
  logic [1:0] wanted;
  always_comb begin
    wanted = 2'(f_out_q[x]) + 2'(phase_q != Idle && fill_addr_q == AddrBits'(x));
    for (int unsigned i = 0; i < MemSlots; i++) begin
      if (2'(i) < mem_count_q && f_mem_req_q[i*MemBits + SectorBits +: NumberBits] == NumberBits'(x) &&
          !f_mem_req_q[i*MemBits + MemBits - 1] && wanted != 2'd3) wanted = wanted + 2'd1;
    end
    parked = 1'b0;
    for (int unsigned p = 0; p < Parks; p++) begin
      if ((ParkCountBits + 1)'(p) < {1'b0, park_count_q} &&
          NumberBits'(parks_q[p*ParkBits + EntryBits + IdBits +: IndexBits] >> OffsetBits) == NumberBits'(x)) parked = 1'b1;
    end
  end
  always_ff @(posedge clk_i) if (rst_ni) assert (wanted == 2'(parked));
end
