#include "blocks/bloom_predictor/bloom_predictor.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "blocks/bloom_predictor/bloom_backends.h"
#include "cosim/shadow.h"

namespace warpsieve::bloom_predictor {

namespace {

class PredictorShadow final : public PortShadow<BloomPredictor, true> {
 public:
  using PortShadow::PortShadow;
  void enable(bool bypass, bool shared_memory) override {
    model_->enable(bypass, shared_memory);
    rtl_->enable(bypass, shared_memory);
  }
  void flush() override {
    model_->flush();
    rtl_->flush();
  }
};

}  // namespace

std::string describe(const PredictReq& req) {
  return fmt::format("line {:#x} sectors {:#06b}", req.line, req.sectors);
}

std::string describe(const PredictRsp& rsp) {
  static constexpr const char* names[] = {"L1", "bypass", "shared memory"};
  const auto at = static_cast<unsigned>(rsp.choice);
  return at < 3 ? names[at] : fmt::format("choice {}", at);
}

std::unique_ptr<BloomPredictor> make_bloom_predictor(const PredictorParams& p, Backend backend, std::string name) {
  const bool shape = std::has_single_bit(p.counters) && std::has_single_bit(p.lanes) && p.counters >= 8 * p.lanes &&
                     p.counter_bits >= 1 && p.counter_bits <= 8 && p.line_bits >= 1 && p.line_bits <= 60 &&
                     p.line_bits + 4 >= static_cast<unsigned>(std::countr_zero(p.counters));
  if (!shape || p.threshold + 1 >= 1u << p.counter_bits || p.period == 0) {
    throw std::invalid_argument(fmt::format(
        "bloom_predictor: parameters out of range: counters {} counter_bits {} lanes {} line_bits {} threshold {} "
        "period {}",
        p.counters, p.counter_bits, p.lanes, p.line_bits, p.threshold, p.period));
  }
  return make_backend<PredictorShadow>(
      backend, name, [&] { return make_bloom_predictor_model(p); },
      [&] { return make_bloom_predictor_rtl(p, name); });
}

}  // namespace warpsieve::bloom_predictor
