#include "blocks/siphash/siphash_backends.h"
#include "cosim/one_at_a_time.h"

namespace warpsieve::siphash {

std::unique_ptr<SiphashCore> make_siphash_core_model(const SiphashCoreParams& params) {
  const unsigned halves = params.half_rounds_per_cycle;
  siphash_latency(halves, 1);  // refuses a wrong half_rounds_per_cycle
  return make_one_at_a_time<SiphashMessage, LineHashRsp>(
      [params](const SiphashMessage& message) { return LineHashRsp{siphash_tag(params.key, message.bytes)}; },
      [halves](const SiphashMessage& message) { return siphash_latency(halves, message.bytes.size() / 8 + 1); });
}

}  // namespace warpsieve::siphash
