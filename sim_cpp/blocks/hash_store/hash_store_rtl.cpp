#include <Vhash_store_min.h>
#include <Vhash_store_odd.h>
#include <Vhash_store_paper.h>
#include <Vhash_store_secure.h>
#include <Vhash_store_tiny.h>
#include <fmt/format.h>

#include "blocks/hash_store/hash_store_backends.h"
#include "cosim/stream_rtl.h"

namespace warpsieve::hash_store {

namespace {

std::uint32_t low_bits(unsigned bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

struct Fields {
  HashStoreParams params;
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
using HashStoreRtl = StreamRtl<V, HashStoreReq, HashStoreRsp, Fields, IdleWhen::ready>;

}  // namespace

std::unique_ptr<HashStore> make_hash_store_rtl(const HashStoreParams& p, const std::string& name) {
  if (p == HashStoreParams{1, 1, 2, 1, 1}) return std::make_unique<HashStoreRtl<Vhash_store_min>>(name, Fields{p});
  if (p == HashStoreParams{4, 3, 5, 3, 2}) return std::make_unique<HashStoreRtl<Vhash_store_odd>>(name, Fields{p});
  // A point with wider domains serves narrower ones: the bits above are 0.
  HashStoreParams plain = p;
  plain.domain_bits = 0;
  if (plain == HashStoreParams{2, 2, 128, 8, 3} && p.domain_bits <= 2)
    return std::make_unique<HashStoreRtl<Vhash_store_tiny>>(name, Fields{p});
  if (plain == HashStoreParams{128, 16, 128, 21, 16} && p.domain_bits == 0)
    return std::make_unique<HashStoreRtl<Vhash_store_paper>>(name, Fields{p});
  if (plain == HashStoreParams{128, 16, 128, 21, 16} && p.domain_bits <= 4)
    return std::make_unique<HashStoreRtl<Vhash_store_secure>>(name, Fields{p});
  throw std::invalid_argument(fmt::format(
      "hash_store: no RTL compiled for sets {} ways {} hash_bits {} ref_bits {} count_bits {} domain_bits {}: see "
      "rtl/hash_store/points.txt",
      p.sets, p.ways, p.hash_bits, p.ref_bits, p.count_bits, p.domain_bits));
}

}  // namespace warpsieve::hash_store
