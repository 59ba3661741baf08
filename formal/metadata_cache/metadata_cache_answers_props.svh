// metadata_cache answers only what was asked, by id: the promise that dedup_write and dedup_front rely on. One id is
// chosen freely. The memories are free; requests of one id may overlap.
`include "reset.svh"
`include "answer_rule.svh"
(* anyconst *) logic [IdBits-1:0] f_id;
`ANSWER_RULE(answer, assert, req_valid_i && req_ready_o && req_id_i == f_id, rsp_valid_o && rsp_id_o == f_id, rsp_ready_i)
always_comb if (f_started_q) m_fetched: assume (phase_q != Replay || waiting);  // the memory returns what was fetched
