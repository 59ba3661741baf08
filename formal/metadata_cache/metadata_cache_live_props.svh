// metadata_cache in time, with any memories and with FIFOs that keep what live-fifo and fifo_* prove (stub=fifo). A
// fill is taken at most FFill cycles after it is on offer: write-backs and replays take LIVE_K + 1 cycles each, the
// rest of a fill 4. When it ends, no request for its sector is parked. So a parked request is replayed at most FFill
// cycles after the fill of its sector is taken. How long the memory takes is not claimed. A response leaves at most
// 4 LIVE_K cycles after the data stage.
`include "reset.svh"
`include "live.svh"
`LIVE_SINK(live_mem, mem_req_valid_o, mem_req_ready_i)
always_comb if (f_started_q) begin
  m_rsp_fifo: assume (rsp_valid_o == (rsp_count_q != '0));
  m_mem_fifo: assume (mem_req_valid_o == (mem_count_q != '0));
  m_fetched:  assume (phase_q != Replay || waiting);  // the memory returns what was fetched; coherent proves it of such
end
`LIVE_STREAM(live, data_valid_q, 1'b1, rsp_valid_o, rsp_ready_i, RspSlots, 0)
localparam int unsigned FReplay = `LIVE_K + (Parks - 1) * (`LIVE_K + 1) + 1;  // from its first cycle to Idle
localparam int unsigned FWrite  = (Subs - 1) * (`LIVE_K + 1) + `LIVE_K + 1;   // write-backs
localparam int unsigned FFill   = 2 + FWrite + 1 + FReplay;
logic [15:0] f_mem, f_rsp, f_dirty, f_left;  // cycles to a free slot; sectors to be written back; cycles to Idle
assign f_mem   = {1'b0, mem_count_q} + 3'(back_valid_q) < 3'(MemSlots) ? 16'd0 : g_live_mem.f_left + 16'd1;
assign f_rsp   = rsp_room ? 16'd0 : g_live.f_left + 16'd1;
assign f_dirty = 16'($countones(victim_dirty_q));
always_comb begin
  unique case (phase_q)
    Idle:      f_left = 16'd0;
    Tags:      f_left = 16'(FFill);
    Choose:    f_left = 16'(FFill - 1);
    Writeback: f_left = f_mem + (f_dirty - 16'd1) * 16'(`LIVE_K + 1) + 16'(1 + 1 + FReplay);
    Write:     f_left = 16'(1 + FReplay);
    default:   f_left = f_rsp + (16'(park_count_q) - 16'd1) * 16'(`LIVE_K + 1) + 16'd1;
  endcase
end
`LIVE_ACCEPT(live_fill, mem_rsp_valid_i, mem_rsp_ready_o, f_left, FFill)
logic             f_filled_q;  // a fill has ended in the cycle before
logic [Parks-1:0] f_parked;    // for its sector
always_ff @(posedge clk_i) f_filled_q <= rst_ni && phase_q == Replay && phase_d == Idle;
always_comb begin
  for (int unsigned p = 0; p < Parks; p++) begin
    f_parked[p] = 32'(park_count_q) > p &&
      AddrBits'(parks_q[p*ParkBits + EntryBits + IdBits +: IndexBits] >> OffsetBits) == fill_addr_q;
  end
end
always_comb if (f_started_q) begin
  a_none_left: assert (!f_filled_q || f_parked == '0);
  a_phase: assert (phase_q <= Replay && (phase_q != Writeback || victim_dirty_q != '0));
  a_parks: assert (32'(park_count_q) + (phase_q == Idle || phase_q == Tags ? 32'(tag_valid_q && !tag_replay_q) : 32'd0) <= Parks);
  a_tag:   assert (!tag_valid_q || tag_replay_q || phase_q == Idle || phase_q == Tags);
  a_slots: assert (32'(rsp_count_q) + 32'(tag_valid_q) + 32'(data_valid_q) <= RspSlots);
  a_mem:   assert (32'(mem_count_q) + 32'(back_valid_q) + 32'(tag_valid_q && !tag_replay_q) <= MemSlots);
  a_held:  assert (g_live.f_held_q == 16'(rsp_count_q) && (!g_live.f_inside_q || g_live.f_ahead_q < g_live.f_held_q));
end
