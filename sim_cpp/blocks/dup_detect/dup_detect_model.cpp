#include <fmt/format.h>
#include <fmt/ranges.h>

#include <deque>
#include <optional>
#include <stdexcept>

#include "blocks/dup_detect/dup_detect_backends.h"

namespace warpsieve::dup_detect {

DupDetectRsp detect(const DupDetectReq& req, const DupDetectParams& params) {
  const unsigned sector_bytes = params.sector_bits / 8, word_bytes = params.word_bits / 8;
  const auto word = [&](unsigned at) {
    std::uint32_t value = 0;
    for (unsigned b = 0; b < word_bytes; ++b) value |= std::uint32_t{req.data[at + b]} << (8 * b);
    return value;
  };
  DupDetectRsp rsp{covers(req.old_mask, req.new_mask), merge(req.old_mask, req.new_mask),
                   static_cast<std::uint8_t>(req.old_mask & ~req.new_mask), false, 0};
  for (unsigned sector = 0; sector < params.sectors; ++sector) {
    if (!(rsp.merged_mask >> sector & 1)) continue;
    const unsigned begin = sector * sector_bytes;
    const bool lowest = (rsp.merged_mask & ((1u << sector) - 1)) == 0;
    if (lowest) {
      rsp.intra = true;
      rsp.value = word(begin);
    }
    for (unsigned at = begin; rsp.intra && at < begin + sector_bytes; at += word_bytes)
      rsp.intra = word(at) == rsp.value;
  }
  return rsp;
}

std::string describe(const DupDetectReq& req) {
  return fmt::format("old {:#x} new {:#x} data {:02x}", req.old_mask, req.new_mask, fmt::join(req.data, ""));
}
std::string describe(const DupDetectRsp& rsp) {
  return fmt::format("covered {} merged {:#x} missing {:#x} intra {} value {:#x}", rsp.covered, rsp.merged_mask,
                     rsp.missing, rsp.intra, rsp.value);
}

namespace {

class DupDetectModel final : public DupDetect {
 public:
  explicit DupDetectModel(const DupDetectParams& params) : params_(params) {
    const auto [sectors, sector_bits, word_bits] = params;
    if (sectors < 1 || sectors > 8 || word_bits < 8 || word_bits > 32 || word_bits % 8 != 0 || sector_bits == 0 ||
        sector_bits % word_bits != 0 || sectors * sector_bits > 1024) {
      throw std::invalid_argument(fmt::format("dup_detect: {} sectors of {} bits, words of {} bits: out of range",
                                              sectors, sector_bits, word_bits));
    }
  }
  void reset() override {
    held_.clear();
    incoming_.reset();
    popped_ = false;
  }
  bool ready() const override { return held_.size() < 2; }
  bool push(const DupDetectReq& req) override {
    if (!ready()) return false;
    incoming_ = detect(req, params_);
    return true;
  }
  const DupDetectRsp* front() const override { return held_.empty() ? nullptr : &held_.front(); }
  void pop() override { popped_ = !held_.empty(); }
  void tick() override {
    if (popped_) held_.pop_front();
    if (incoming_) held_.push_back(*incoming_);
    popped_ = false;
    incoming_.reset();
  }
  bool idle() const override { return held_.empty(); }

 private:
  DupDetectParams params_;
  std::deque<DupDetectRsp> held_;
  std::optional<DupDetectRsp> incoming_;
  bool popped_ = false;
};

}  // namespace

std::unique_ptr<DupDetect> make_dup_detect_model(const DupDetectParams& params) {
  return std::make_unique<DupDetectModel>(params);
}

}  // namespace warpsieve::dup_detect
