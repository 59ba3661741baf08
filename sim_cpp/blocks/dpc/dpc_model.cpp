#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>
#include <stdexcept>

#include "blocks/dpc/dpc_backends.h"

namespace warpsieve::dpc {

namespace {

/// A function behind dpc_queue: two places of memory, then the head.
template <class Req, class Rsp>
class QueueModel final : public Block<Req, Rsp> {
 public:
  using Function = Rsp (*)(const DpcParams&, const Req&);
  QueueModel(const DpcParams& params, Function function) : params_(params), function_(function) {}
  void reset() override {
    held_ = 0;
    head_.reset();
    incoming_.reset();
    popped_ = false;
  }
  bool ready() const override { return held_ < 2; }
  bool push(const Req& item) override {
    if (!ready()) return false;
    incoming_ = function_(params_, item);
    return true;
  }
  const Rsp* front() const override { return head_ ? &*head_ : nullptr; }
  void pop() override { popped_ = head_.has_value(); }
  void tick() override {
    if (popped_) head_.reset();
    if (!head_ && held_ > 0) {
      head_ = memory_[0];
      memory_[0] = memory_[1];
      --held_;
    }
    if (incoming_) memory_[held_++] = *incoming_;
    popped_ = false;
    incoming_.reset();
  }
  bool idle() const override { return held_ == 0 && !head_; }

 private:
  DpcParams params_;
  Function function_;
  std::array<Rsp, 2> memory_{};
  unsigned held_ = 0;  // in memory_
  std::optional<Rsp> head_, incoming_;
  bool popped_ = false;
};

}  // namespace

void check_params(const DpcParams& params) {
  const auto refuse = [](std::string_view name, unsigned value, std::string_view range) {
    throw std::invalid_argument(fmt::format("dpc: {} is {}, must be {}", name, value, range));
  };
  if (params.sub_words < 2 || params.sub_words > 8) refuse("sub_words", params.sub_words, "2 to 8");
  if (params.planes < 2 || params.planes > 32) refuse("planes", params.planes, "2 to 32");
}

std::string describe(const EncodeReq& req) {
  return fmt::format("mask {:04b} words {:x}", req.mask, fmt::join(req.words, " "));
}
std::string describe(const EncodeRsp& rsp) {
  return fmt::format("{} bits, {}: {:02x}", rsp.length, rsp.compressed() ? "compressed" : "raw",
                     fmt::join(rsp.bits, ""));
}
std::string describe(const DecodeReq& req) {
  return fmt::format("mask {:04b} bits {:02x}", req.mask, fmt::join(req.bits, ""));
}
std::string describe(const DecodeRsp& rsp) { return fmt::format("words {:x}", fmt::join(rsp.words, " ")); }

std::unique_ptr<DpcEncoder> make_encoder_model(const DpcParams& params) {
  using Model = QueueModel<EncodeReq, EncodeRsp>;
  return std::make_unique<Model>(params, static_cast<Model::Function>(&encode));
}

std::unique_ptr<DpcDecoder> make_decoder_model(const DpcParams& params) {
  using Model = QueueModel<DecodeReq, DecodeRsp>;
  return std::make_unique<Model>(params, static_cast<Model::Function>(&decode));
}

}  // namespace warpsieve::dpc
