#include <Vdup_detect_min.h>
#include <Vdup_detect_odd.h>
#include <Vdup_detect_paper.h>
#include <fmt/format.h>

#include "blocks/dup_detect/dup_detect_backends.h"
#include "cosim/shadow.h"
#include "cosim/stream_rtl.h"

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
  if (params == DupDetectParams{1, 8, 8})
    return std::make_unique<DupDetectRtl<Vdup_detect_min>>(name, Fields{params});
  if (params == DupDetectParams{3, 96, 32})
    return std::make_unique<DupDetectRtl<Vdup_detect_odd>>(name, Fields{params});
  if (params == DupDetectParams{4, 256, 32})
    return std::make_unique<DupDetectRtl<Vdup_detect_paper>>(name, Fields{params});
  throw std::invalid_argument(
      fmt::format("dup_detect: no RTL compiled for {} sectors of {} bits, words of {} bits: see "
                  "rtl/dup_detect/points.txt",
                  params.sectors, params.sector_bits, params.word_bits));
}

std::unique_ptr<DupDetect> make_dup_detect(const DupDetectParams& params, Backend backend, std::string name) {
  return make_backend<DupDetectReq, DupDetectRsp>(
      backend, name, [&] { return make_dup_detect_model(params); },
      [&] { return make_dup_detect_rtl(params, name); });
}

}  // namespace warpsieve::dup_detect
