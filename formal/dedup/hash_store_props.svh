// hash_store keeps its side of the contract with dedup_write, whatever its memories hold. (In formal/dedup, as it is
// the deduplication unit that relies on it; what the operations do is proved in formal/hash_store.)
  `include "reset.svh"
  `define PROMISE_USER assume
  `define PROMISE_STORE assert
  if (1) begin : g_contract
    localparam int unsigned CReqBits = 3 + RefBits + IndexBits, CRspBits = 3 + IndexBits + 2 * RefBits + CountBits;
    logic c_req_valid, c_req_ready, c_rsp_valid, c_rsp_ready;
    logic [CReqBits-1:0] c_req;
    logic [CRspBits-1:0] c_rsp;
    assign c_req_valid = req_valid_i;
`ifdef PLANT_STORE_READY_EARLY
    assign c_req_ready = req_ready_o || rsp_valid_o;  // planted bug: the next operation while an answer waits
`else
    assign c_req_ready = req_ready_o;
`endif
    assign c_req       = {req_op_i, req_ref_i, req_index_i};
    assign c_rsp_valid = rsp_valid_o;
    assign c_rsp_ready = rsp_ready_i;
    assign c_rsp       = {rsp_hit_o, rsp_ok_o, rsp_evicted_o, rsp_index_o, rsp_ref_o, rsp_evicted_ref_o, rsp_count_o};
    `include "hash_store/hash_store_contract.svh"
  end
  `undef PROMISE_USER
  `undef PROMISE_STORE
  always_comb if (f_started_q) begin
    a_open: assert (g_contract.g_store_answer.f_open_q == 16'(seek_q || work_q || rsp_valid_q));
    a_once: assert ($onehot0({seek_q, work_q, rsp_valid_q}));
  end
