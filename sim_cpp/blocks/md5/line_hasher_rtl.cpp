#include "blocks/md5/line_hash_fields.h"
#include "blocks/md5/md5_backends.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/md5/line_hasher.h"

namespace warpsieve::md5 {

namespace {

template <class V>
using LineHasherRtl = StreamRtl<V, LineHashReq, LineHashRsp, LineHashFields, IdleWhen::ready>;

}  // namespace

std::unique_ptr<LineHasher> make_line_hasher_rtl(const LineHasherParams& params, const std::string& name) {
  line_hash_latency(params, 0);  // refuses a wrong steps_per_cycle
  return make_at_point<rtl_points::line_hasher, LineHasher>(
      {{"StepsPerCycle", params.steps_per_cycle}},
      [&]<class V>() { return std::make_unique<LineHasherRtl<V>>(name); });
}

std::unique_ptr<LineHasher> make_line_hasher(const LineHasherParams& params, Backend backend, std::string name) {
  return make_backend<LineHashReq, LineHashRsp>(
      backend, name, [&] { return make_line_hasher_model(params); },
      [&] { return make_line_hasher_rtl(params, name); });
}

}  // namespace warpsieve::md5
