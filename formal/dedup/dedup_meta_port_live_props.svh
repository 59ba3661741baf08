// dedup_meta_port in time: with a cache that takes a request within LIVE_K cycles, each of the Contexts + 2
// requesters is served at most (Contexts + 2) LIVE_K - 1 cycles after it began to ask, whatever the others do. A
// denied one counts as served. Its request leaves at most LIVE_K cycles later.
  `include "reset.svh"
  `include "live.svh"
  (* anyconst *) logic [PickBits-1:0] f_who;
  logic [Contexts+1:0] f_want, f_grant;
  assign f_want  = {seq_want_i, front_want_i, want_i};
  assign f_grant = {seq_grant_o, front_grant_o, grant_o};
  always_comb m_who: assume (32'(f_who) < Contexts + 2);
  `LIVE_SINK(live_cache, req_valid_o, req_ready_i)
  `LIVE_ACCEPT(live_grant, f_want[f_who], f_grant[f_who], 0, (Contexts + 2) * `LIVE_K - 1)
