#include <Vdup_detect_min.h>
#include <Vdup_detect_odd.h>
#include <Vdup_detect_paper.h>
#include <fmt/format.h>

#include "blocks/dup_detect/dup_detect_backends.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"

namespace warpsieve::dup_detect {

namespace {

template <class V>
class DupDetectRtl final : public DupDetect {
 public:
  DupDetectRtl(const DupDetectParams& params, const std::string& name)
      : sector_mask_(static_cast<std::uint8_t>((1u << params.sectors) - 1)),
        line_bytes_(params.sectors * params.sector_bits / 8), rtl_(name) {
    reset();
  }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().in_ready_o; }
  bool push(const DupDetectReq& req) override {
    rtl_.top().in_valid_i = 1;
    rtl_.top().in_old_mask_i = req.old_mask & sector_mask_;
    rtl_.top().in_new_mask_i = req.new_mask & sector_mask_;
    port_from_bytes(rtl_.top().in_data_i, std::span(req.data).first(line_bytes_));
    return ready();
  }
  const DupDetectRsp* front() const override { return rtl_.top().out_valid_o ? &rsp_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return !rtl_.top().out_valid_o; }

 private:
  void lower() {
    rtl_.top().in_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() {
    const auto& top = rtl_.top();
    rsp_ = {top.out_covered_o != 0, top.out_merged_mask_o, top.out_missing_o, top.out_intra_o != 0, top.out_value_o};
  }
  std::uint8_t sector_mask_;
  std::size_t line_bytes_;
  RtlClock<V> rtl_;
  DupDetectRsp rsp_;
};

}  // namespace

std::unique_ptr<DupDetect> make_dup_detect_rtl(const DupDetectParams& params, const std::string& name) {
  if (params == DupDetectParams{1, 8, 8}) return std::make_unique<DupDetectRtl<Vdup_detect_min>>(params, name);
  if (params == DupDetectParams{3, 96, 32}) return std::make_unique<DupDetectRtl<Vdup_detect_odd>>(params, name);
  if (params == DupDetectParams{4, 256, 32}) return std::make_unique<DupDetectRtl<Vdup_detect_paper>>(params, name);
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
