#include "blocks/dup_detect/dup_detect_backends.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"
#include "rtl_points/dup_detect/dup_detect.h"

namespace warpsieve::dup_detect {

namespace {

struct Fields {
  DupDetectParams params;
  void put(auto& top, const DupDetectReq& req) const {
    const unsigned sector_mask = (1u << params.sectors) - 1;
    top.in_old_mask_i = req.old_mask & sector_mask;
    top.in_new_mask_i = req.new_mask & sector_mask;
    port_from_bytes(top.in_data_i, std::span(req.data).first(params.sectors * params.sector_bits / 8));
  }
  DupDetectRsp get(const auto& top) const {
    return {top.out_covered_o != 0, top.out_merged_mask_o, top.out_missing_o, top.out_intra_o != 0, top.out_value_o};
  }
};

template <class V>
using DupDetectRtl = StreamRtl<V, DupDetectReq, DupDetectRsp, Fields>;

}  // namespace

std::unique_ptr<DupDetect> make_dup_detect_rtl(const DupDetectParams& params, const std::string& name) {
  return make_at_point<rtl_points::dup_detect, DupDetect>(
      {{"Sectors", params.sectors}, {"SectorBits", params.sector_bits}, {"WordBits", params.word_bits}},
      [&]<class V>() { return std::make_unique<DupDetectRtl<V>>(name, Fields{params}); });
}

std::unique_ptr<DupDetect> make_dup_detect(const DupDetectParams& params, Backend backend, std::string name) {
  return make_backend<DupDetectReq, DupDetectRsp>(
      backend, name, [&] { return make_dup_detect_model(params); },
      [&] { return make_dup_detect_rtl(params, name); });
}

}  // namespace warpsieve::dup_detect
