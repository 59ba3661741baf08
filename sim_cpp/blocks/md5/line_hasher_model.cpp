#include "blocks/md5/md5_backends.h"
#include "cosim/one_at_a_time.h"

namespace warpsieve::md5 {

std::unique_ptr<LineHasher> make_line_hasher_model(const LineHasherParams& params) {
  line_hash_latency(params, 0);  // refuses a wrong steps_per_cycle
  return make_one_at_a_time<LineHashReq, LineHashRsp>(
      [](const LineHashReq& req) { return LineHashRsp{line_digest(req.mask, req.data)}; },
      [params](const LineHashReq& req) { return line_hash_latency(params, req.mask); });
}

}  // namespace warpsieve::md5
