#include "blocks/siphash/siphash_backends.h"
#include "cosim/one_at_a_time.h"

namespace warpsieve::siphash {

std::unique_ptr<LineHasher> make_line_hasher_model(const LineHasherParams& params) {
  line_hash_latency(params, 0);  // refuses a wrong half_rounds_per_cycle
  return make_one_at_a_time<LineHashReq, LineHashRsp>(
      [params](const LineHashReq& req) { return LineHashRsp{line_tag(params.key, req.mask, req.data)}; },
      [params](const LineHashReq& req) { return line_hash_latency(params, req.mask); });
}

}  // namespace warpsieve::siphash
