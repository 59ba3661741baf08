#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <deque>
#include <stdexcept>

#include "blocks/md5/md5_backends.h"

namespace warpsieve::md5 {

static_assert(std::endian::native == std::endian::little, "MD5 words are copied, not assembled");

Digest md5_initial_chain() {
  constexpr std::uint32_t words[4] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  Digest chain;
  std::memcpy(chain.data(), words, sizeof words);
  return chain;
}

Digest md5_compress(const Digest& chain, const std::array<std::uint8_t, 64>& block) {
  static const std::array<std::uint32_t, 64> sines = [] {
    std::array<std::uint32_t, 64> table{};
    for (unsigned i = 0; i < 64; ++i)
      table[i] = static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(i + 1.0)) * 4294967296.0));
    return table;
  }();
  constexpr unsigned shifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
  std::uint32_t state[4], words[16];
  std::memcpy(state, chain.data(), sizeof state);
  std::memcpy(words, block.data(), sizeof words);
  std::uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  for (unsigned i = 0; i < 64; ++i) {
    std::uint32_t f = 0;
    unsigned word = 0;
    switch (i / 16) {
      case 0: f = (b & c) | (~b & d), word = i; break;
      case 1: f = (b & d) | (c & ~d), word = 5 * i + 1; break;
      case 2: f = b ^ c ^ d, word = 3 * i + 5; break;
      default: f = c ^ (b | ~d), word = 7 * i;
    }
    const std::uint32_t sum = a + f + words[word % 16] + sines[i];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, static_cast<int>(shifts[i / 16][i % 4]));
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  Digest result;
  std::memcpy(result.data(), state, sizeof state);
  return result;
}

unsigned md5_pipeline_latency(const Md5PipelineParams& params) {
  if (params.steps_per_stage == 0 || 64 % params.steps_per_stage != 0)
    throw std::invalid_argument(
        fmt::format("md5_pipeline: {} steps per stage: expected a divisor of 64", params.steps_per_stage));
  return 64 / params.steps_per_stage + 2;
}

namespace {

class Md5PipelineModel final : public Md5Pipeline {
 public:
  explicit Md5PipelineModel(const Md5PipelineParams& params)
      : latency_(md5_pipeline_latency(params)), places_(latency_ + 1) {}
  void reset() override {
    inside_.clear();
    now_ = 0;
    taken_ = popped_ = false;
  }
  bool ready() const override { return inside_.size() < places_; }
  bool push(const Md5PipelineReq& req) override {
    if (!ready()) return false;
    incoming_ = req;
    taken_ = true;
    return true;
  }
  const LineHashRsp* front() const override {
    return inside_.empty() || inside_.front().visible > now_ ? nullptr : &inside_.front().rsp;
  }
  void pop() override { popped_ = front() != nullptr; }
  void tick() override {
    if (popped_) inside_.pop_front();
    if (taken_) inside_.push_back({{md5_compress(incoming_.chain, incoming_.bytes)}, now_ + latency_});
    ++now_;
    taken_ = popped_ = false;
  }
  bool idle() const override { return inside_.empty(); }

 private:
  struct Item {
    LineHashRsp rsp;
    std::uint64_t visible;  ///< cycle from which front() shows it
  };
  unsigned latency_, places_;
  std::deque<Item> inside_;
  std::uint64_t now_ = 0;
  bool taken_ = false, popped_ = false;
  Md5PipelineReq incoming_;
};

}  // namespace

std::string describe(const Md5PipelineReq& req) {
  return fmt::format("chain {:02x} bytes {:02x}", fmt::join(req.chain, ""), fmt::join(req.bytes, ""));
}

std::unique_ptr<Md5Pipeline> make_md5_pipeline_model(const Md5PipelineParams& params) {
  return std::make_unique<Md5PipelineModel>(params);
}

}  // namespace warpsieve::md5
