// Coherence of metadata_cache, in the module's own scope (see README.md beside this file).
//
// One symbolic entry f_index is followed. f_value takes its writes in request order; one arbitrary
// request to it is watched (it alone carries id 1) and its response must be the value at its place in
// that order. Where ids have two bits, one later request to the sector is watched, too (id 2), and must be
// answered later. The memory is honest about the entry and about which sectors were fetched, arbitrary
// otherwise.
`ifdef FORMAL_METADATA_CACHE_LIVE
  `include "metadata_cache_live_props.svh"
`elsif FORMAL_METADATA_CACHE_ANSWERS
  `include "metadata_cache_answers_props.svh"
`elsif FORMAL_METADATA_CACHE_HALTS
  `include "metadata_cache_halts_props.svh"
`else
`include "reset.svh"
(* anyconst *) logic [IndexBits-1:0] f_index;
(* anyconst *) logic [EntryBits-1:0] f_initial;
(* anyseq *)   logic                 f_pick, f_pick_second;
localparam int unsigned Numbers = 1 << NumberBits;
logic [NumberBits-1:0]  f_number;    // sector of the entry
logic [OffsetWidth-1:0] f_offset;
assign f_number = NumberBits'(f_index >> OffsetBits);
assign f_offset = OffsetWidth'(f_index & IndexBits'((1 << OffsetBits) - 1));

logic [EntryBits-1:0] f_value_q, f_mem_q, f_fetched_q, f_expected_q, f_mem_req_entry, f_mem_rsp_entry;
logic [Numbers-1:0]   f_out_q;       // fetched and not returned
logic                 f_watching_q, f_second_q, f_req_fire, f_rsp_fire, f_fill_fire, f_first, f_second;
assign f_req_fire  = req_valid_i && req_ready_o;
assign f_rsp_fire  = rsp_valid_o && rsp_ready_i;
assign f_fill_fire = mem_rsp_valid_i && mem_rsp_ready_o;
assign f_first  = f_pick && req_index_i == f_index && !f_watching_q && !f_second_q;
assign f_second = IdBits > 1 && f_pick_second && f_watching_q && !f_second_q &&
                  NumberBits'(req_index_i >> OffsetBits) == f_number;
always_comb begin
  f_mem_req_entry = '0;
  f_mem_rsp_entry = '0;
  for (int unsigned e = 0; e < SectorBits / EntryBits; e++) begin
    if (f_offset == OffsetWidth'(e)) begin
      f_mem_req_entry = mem_req_data_o[e*EntryBits +: EntryBits];
      f_mem_rsp_entry = mem_rsp_data_i[e*EntryBits +: EntryBits];
    end
  end
end

logic                  f_waiting_q;  // mem_rsp was offered and not taken
logic [NumberBits-1:0] f_wait_sector_q;
logic [SectorBits-1:0] f_wait_data_q;
always_ff @(posedge clk_i) begin
  f_waiting_q     <= rst_ni && mem_rsp_valid_i && !mem_rsp_ready_o;
  f_wait_sector_q <= mem_rsp_sector_i;
  f_wait_data_q   <= mem_rsp_data_i;
  if (!f_started_q) f_mem_q <= f_initial;
  else if (mem_fire && mem_req_write_o && mem_req_sector_o == f_number && rst_ni) f_mem_q <= f_mem_req_entry;
  if (!f_started_q) f_value_q <= f_initial;
  else if (!rst_ni) f_value_q <= f_mem_q;  // reset loses what the memory does not hold
  else if (f_req_fire && req_write_i && req_index_i == f_index) f_value_q <= req_data_i;
  if (!rst_ni) begin
    f_out_q      <= '0;
    f_watching_q <= 1'b0;
    f_second_q   <= 1'b0;
  end else begin
    if (f_fill_fire) f_out_q[mem_rsp_sector_i] <= 1'b0;
    if (mem_fire && !mem_req_write_o) f_out_q[mem_req_sector_o] <= 1'b1;
    if (f_req_fire && req_id_i == IdBits'(1)) f_watching_q <= 1'b1;
    else if (f_rsp_fire && rsp_id_o == IdBits'(1)) f_watching_q <= 1'b0;
    if (f_req_fire && f_second) f_second_q <= 1'b1;
    else if (f_rsp_fire && rsp_id_o == IdBits'(2)) f_second_q <= 1'b0;
  end
  if (mem_fire && !mem_req_write_o && mem_req_sector_o == f_number) f_fetched_q <= f_mem_q;
  if (f_req_fire && req_id_i == IdBits'(1)) f_expected_q <= f_value_q;
end

always_comb begin
  // The watched request names the entry, the second one its sector, and there is one of each at a time.
  m_id: assume (!req_valid_i || req_id_i == IdBits'({f_second, f_first}));
  // The memory answers what was asked, once, and truthfully for the entry.
  m_fetched: assume (!mem_rsp_valid_i || f_out_q[mem_rsp_sector_i]);
  m_honest:  assume (!mem_rsp_valid_i || mem_rsp_sector_i != f_number || f_mem_rsp_entry == f_fetched_q);
  m_stays:   assume (!rst_ni || !f_waiting_q || (mem_rsp_valid_i && mem_rsp_sector_i == f_wait_sector_q &&
                                                 mem_rsp_data_i == f_wait_data_q));
end

always_ff @(posedge clk_i) if (rst_ni) begin
  a_coherent:        assert (!(rsp_valid_o && rsp_id_o == IdBits'(1)) || rsp_data_o == f_expected_q);
  a_answered_once:   assert (!(rsp_valid_o && rsp_id_o == IdBits'(1)) || f_watching_q);
  a_in_order:        assert (IdBits == 1 || !(rsp_valid_o && rsp_id_o == IdBits'(2)) || (f_second_q && !f_watching_q));
  a_one_fetch:       assert (!(mem_req_valid_o && !mem_req_write_o && mem_req_sector_o == f_number) || !f_out_q[f_number]);
  c_miss_answered:   cover (f_rsp_fire && rsp_id_o == IdBits'(1) && rsp_missed_o);
  c_hit_answered:    cover (f_rsp_fire && rsp_id_o == IdBits'(1) && !rsp_missed_o && rsp_data_o != f_initial);
  c_refetched:       cover (mem_fire && !mem_req_write_o && mem_req_sector_o == f_number && f_mem_q != f_initial);
end

`ifdef LEMMAS
`include "metadata_cache_lemmas.svh"
`endif
`endif
