// affine_cache in time, whatever its memories, encoder and replacement order give, with any register slice that keeps
// what live-skid proves (stub=stream_skid: `room` at least once in LIVE_K cycles). The answer of a load, store or
// fill enters the slice at most (Slots + 2) LIVE_K + 1 cycles after its request was taken, that of a flush at most
// Sets (Ways (Slots LIVE_K + 2) + 1) + LIVE_K + 1 cycles after. A request waits as long as the one before it takes.
`include "reset.svh"
`include "live.svh"
`LIVE_SINK(live_room, 1'b1, room)
localparam int unsigned FSweep = Slots * `LIVE_K;          // a victim, from the first cycle of the sweep to its last
localparam int unsigned FWay   = FSweep + 2;               // a way of a set in a flush
localparam int unsigned FSet   = Ways * FWay + 1;
localparam int unsigned FShort = (Slots + 2) * `LIVE_K + 1;
localparam int unsigned FFlush = Sets * FSet + `LIVE_K + 1;
localparam int unsigned FLong  = FFlush > FShort ? FFlush : FShort;
logic        f_flush;
logic [15:0] f_slots, f_swept, f_ways, f_sets, f_behind, f_left;  // still to come; cycles
assign f_flush  = op_q == Flush;
assign f_slots  = 16'(Slots) - 16'(count_q) + 16'(read_q);
assign f_swept  = read_q ? (f_slots - 16'd1) * 16'(`LIVE_K) + g_live_room.f_left : f_slots * 16'(`LIVE_K);
assign f_ways   = 16'(Ways - 1) - 16'(victim_q);
assign f_sets   = 16'(Sets - 1) - 16'(set);
assign f_behind = f_ways * 16'(FWay) + f_sets * 16'(FSet) + 16'(`LIVE_K);  // behind this way, with the answer
always_comb begin
  unique case (phase_q)
    Run:     f_left = f_flush ? 16'(FFlush - 1) : g_live_room.f_left + 16'd1 + 16'(FSweep + `LIVE_K);
    Sweep:   f_left = f_swept + (f_flush ? f_behind : 16'(`LIVE_K));
    Finish:  f_left = g_live_room.f_left;
    Row:     f_left = 16'(FSet) + f_sets * 16'(FSet) + 16'(`LIVE_K) - 16'd1;
    default: f_left = 16'(FWay - 1) + f_behind;
  endcase
end
`LIVE_LEAVE(live_access, valid_q && !f_flush, run || finish, f_left, FShort)
`LIVE_LEAVE(live_flush, valid_q && f_flush, finish, f_left, FFlush)
`LIVE_ACCEPT(live_request, req_valid_i, req_ready_o, valid_q ? f_left + 16'd1 : 16'd0, FLong)
always_comb begin
  m_oldest: assume (32'(oldest) < Ways);  // of plru_tree, proved there
  if (f_started_q) begin
    a_busy:   assert (phase_q == Run || valid_q);
    a_phase:  assert (phase_q <= Pick && (f_flush || phase_q < Row));
    a_sweep:  assert (phase_q == Run || (32'(count_q) <= Slots && (phase_q == Sweep ? read_q || count_q == '0
                                                                                    : !read_q && count_q == '0)));
    a_read:   assert (!read_q || count_q != '0 || phase_q == Run);
    a_victim: assert (phase_q == Run || !f_flush || 32'(victim_q) < Ways);
    a_first:  assert (!(valid_q && f_flush && phase_q == Run) || set == '0);
  end
end
