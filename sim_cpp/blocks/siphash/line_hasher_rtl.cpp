#include "blocks/md5/line_hash_fields.h"
#include "blocks/siphash/siphash_backends.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/siphash/siphash_line_hasher.h"
#include "rtl_points/siphash/siphash_line_hashers.h"

namespace warpsieve::siphash {

namespace {

struct Fields : md5::LineHashFields {
  explicit Fields(const Key& key) : key(key) {}
  void setup(auto& top) const { port_from_bytes(top.key_i, key); }
  Key key;
};

template <class V>
using LineHasherRtl = StreamRtl<V, LineHashReq, LineHashRsp, Fields, IdleWhen::ready>;
template <class V>
using LineHashersRtl = StreamRtl<V, LineHashReq, LineHashRsp, Fields, IdleWhen::not_busy>;

}  // namespace

std::unique_ptr<LineHasher> make_line_hasher_rtl(const LineHasherParams& params, const std::string& name) {
  line_hash_latency(params, 0);  // refuses a wrong half_rounds_per_cycle
  return make_at_point<rtl_points::siphash_line_hasher, LineHasher>(
      {{"HalfRoundsPerCycle", params.half_rounds_per_cycle}},
      [&]<class V>() { return std::make_unique<LineHasherRtl<V>>(name, Fields(params.key)); });
}

std::unique_ptr<LineHasher> make_line_hashers_rtl(const LineHashersParams& params, const std::string& name) {
  return make_at_point<rtl_points::siphash_line_hashers, LineHasher>(
      {{"Units", params.units}, {"HalfRoundsPerCycle", params.hasher.half_rounds_per_cycle}},
      [&]<class V>() { return std::make_unique<LineHashersRtl<V>>(name, Fields(params.hasher.key)); });
}

std::unique_ptr<LineHasher> make_line_hasher(const LineHasherParams& params, Backend backend, std::string name) {
  return make_backend<LineHashReq, LineHashRsp>(
      backend, name, [&] { return make_line_hasher_model(params); },
      [&] { return make_line_hasher_rtl(params, name); });
}

std::unique_ptr<LineHasher> make_line_hashers(const LineHashersParams& params, Backend backend, std::string name) {
  return make_backend<LineHashReq, LineHashRsp>(
      backend, name, [&] { return make_line_hashers_model(params); },
      [&] { return make_line_hashers_rtl(params, name); });
}

}  // namespace warpsieve::siphash
