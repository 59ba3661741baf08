#include "blocks/hash_store/hash_store_backends.h"
#include "cosim/bits.h"
#include "cosim/noise.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/hash_store/hash_store.h"

namespace warpsieve::hash_store {

namespace {

struct Fields {
  HashStoreParams params;
  Noise noise{};
  void setup(auto& top) const { top.flip_i = 0; }
  void spoil(auto& top) {
    HashStoreReq req{.op = static_cast<HashStoreOp>(noise(3)),
                     .ref = static_cast<std::uint32_t>(noise(32)),
                     .index = static_cast<std::uint32_t>(noise(32)),
                     .domain = static_cast<std::uint8_t>(noise(8))};
    noise(req.hash);
    put(top, req);
  }
  void put(auto& top, const HashStoreReq& req) const {
    top.req_op_i = static_cast<unsigned>(req.op);
    std::array<std::uint8_t, 17> hash{};  // {domain, hash}
    std::copy(req.hash.begin(), req.hash.end(), hash.begin());
    for (unsigned bit = params.hash_bits; bit < 128; ++bit)
      hash[bit / 8] &= static_cast<std::uint8_t>(~(1u << bit % 8));
    hash[16] = static_cast<std::uint8_t>(req.domain & low_bits(params.domain_bits));
    port_from_bytes(top.req_hash_i, hash);
    top.req_ref_i = req.ref & low_bits(params.ref_bits);
    top.req_index_i = req.index & low_bits(params.index_bits());
  }
  HashStoreRsp get(const auto& top) const {
    return {.hit = top.rsp_hit_o != 0,
            .index = top.rsp_index_o,
            .ref = top.rsp_ref_o,
            .count = top.rsp_count_o,
            .ok = top.rsp_ok_o != 0,
            .evicted = top.rsp_evicted_o != 0,
            .evicted_ref = top.rsp_evicted_ref_o};
  }
};

template <class V>
class HashStoreRtl final : public StreamRtl<V, HashStoreReq, HashStoreRsp, Fields, IdleWhen::ready, HashStore> {
 public:
  using StreamRtl<V, HashStoreReq, HashStoreRsp, Fields, IdleWhen::ready, HashStore>::StreamRtl;
  void set_flips(std::uint32_t flips) override { this->top().flip_i = flips; }
  bool corrected() const override { return this->top().corrected_o; }
  bool fatal() const override { return this->top().fatal_o; }
};

}  // namespace

std::unique_ptr<HashStore> make_hash_store_rtl(const HashStoreParams& p, const std::string& name) {
  // A point with wider domains serves narrower ones: the bits above are 0. Flips name bits, so theirs is the width.
  return make_at_point<rtl_points::hash_store, HashStore>(
      {{"Sets", p.sets},
       {"Ways", p.ways},
       {"HashBits", p.hash_bits + p.domain_bits, p.hash_bits == 128 && !p.secded},
       {"RefBits", p.ref_bits},
       {"CountBits", p.count_bits},
       {"RefSets", p.ref_sets},
       {"RefWays", p.ref_ways},
       {"Secded", p.secded}},
      [&]<class V>() { return std::make_unique<HashStoreRtl<V>>(name, Fields{p}); });
}

}  // namespace warpsieve::hash_store
