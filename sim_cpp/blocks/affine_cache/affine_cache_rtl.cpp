#include "blocks/affine/affine_fields.h"
#include "blocks/affine_cache/affine_cache_backends.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/affine_cache/affine_cache.h"

namespace warpsieve::affine_cache {

namespace {

struct Fields {
  AffineCacheParams params;
  void put(auto& top, const AvcReq& req) const {
    const std::uint64_t lines = std::uint64_t{1} << params.line_bits;
    top.req_op_i = static_cast<std::uint8_t>(req.op);
    top.req_line_i = static_cast<std::uint32_t>(req.line & (lines - 1));
    top.req_mask_i = req.mask & params.vector.lane_mask();
    port_from_bytes(top.req_data_i, affine::pack(params.vector, req.data));
  }
  AvcRsp get(const auto& top) const {
    affine::Bytes bytes{};
    port_to_bytes(top.rsp_data_o, bytes);
    return {top.rsp_write_back_o != 0, top.rsp_affine_o != 0, top.rsp_line_o, top.rsp_mask_o,
            affine::unpack(params.vector, bytes)};
  }
};

template <class V>
std::unique_ptr<AffineCache> make(const AffineCacheParams& params, const std::string& name) {
  return std::make_unique<StreamRtl<V, AvcReq, AvcRsp, Fields, IdleWhen::not_busy>>(name, Fields{params});
}

}  // namespace

std::unique_ptr<AffineCache> make_affine_cache_rtl(const AffineCacheParams& p, const std::string& name) {
  return make_at_point<rtl_points::affine_cache, AffineCache>({{"Lanes", p.vector.lanes},
                                                               {"Width", p.vector.width},
                                                               {"StrideBits", p.vector.stride_bits},
                                                               {"Slots", p.slots},
                                                               {"Sets", p.sets},
                                                               {"Ways", p.ways},
                                                               {"LineBits", p.line_bits}},
                                                              [&]<class V>() { return make<V>(p, name); });
}

}  // namespace warpsieve::affine_cache
