// What hash_store and dedup_write promise each other: included by both, behind reset.svh and inside a generate block
// that declares
//   CReqBits, CRspBits                               of the vectors below
//   c_req_valid, c_req_ready, c_req                  {op, ref, index}; the hash comes from dedup_front
//   c_rsp_valid, c_rsp_ready, c_rsp                  all fields of the response
// `PROMISE_USER is `assert` in dedup_write (formal/dedup/dedup_write_props.svh) and `assume` in hash_store
// (formal/dedup/hash_store_props.svh), `PROMISE_STORE the other way round.
  `include "stream_rule.svh"
  `include "answer_rule.svh"
  `STREAM_RULE(store_req, `PROMISE_USER, CReqBits, c_req_valid, c_req_ready, c_req)
  `STREAM_RULE(store_rsp, `PROMISE_STORE, CRspBits, c_rsp_valid, c_rsp_ready, c_rsp)
  `ANSWER_RULE(store_answer, `PROMISE_STORE, c_req_valid && c_req_ready, c_rsp_valid, c_rsp_ready)
  logic c_open;  // an operation is in flight: at most one, and its response is taken at once
  assign c_open = g_store_answer.f_open_q != '0;
  always_comb if (f_started_q) begin
    p_one:   `PROMISE_STORE (!c_req_ready || !c_open);
    p_waits: `PROMISE_USER (!c_open || (c_rsp_ready && !c_req_valid));
  end
