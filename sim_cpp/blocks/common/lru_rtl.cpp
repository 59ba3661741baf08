#include "blocks/common/lru_rtl.h"

#include <algorithm>
#include <bit>

#include "cosim/verilated.h"
#include "rtl_points/common/lru.h"

namespace warpsieve::common {

namespace {

template <class V>
class LruRtlAt final : public LruRtl {
 public:
  LruRtlAt(unsigned ways, const std::string& name)
      : ways_(ways), way_bits_(std::max<unsigned>(1, std::bit_width(ways - 1))), top_(&context_, name.c_str()) {}
  ~LruRtlAt() override { top_.final(); }
  LruRtlResult eval(std::span<const std::uint8_t> order, unsigned way, std::uint64_t eligible) override {
    std::vector<std::uint8_t> bytes((ways_ * way_bits_ + 7) / 8);
    for (unsigned i = 0; i < ways_ * way_bits_; ++i) {
      if (order[i / way_bits_] >> (i % way_bits_) & 1) bytes[i / 8] |= 1u << (i % 8);
    }
    port_from_bytes(top_.order_i, bytes);
    top_.way_i = way;
    top_.eligible_i = eligible;
    top_.eval();
    port_to_bytes(top_.order_o, bytes);
    LruRtlResult result{std::vector<std::uint8_t>(ways_), std::nullopt};
    for (unsigned i = 0; i < ways_ * way_bits_; ++i) {
      if (bytes[i / 8] >> (i % 8) & 1) result.order[i / way_bits_] |= 1u << (i % way_bits_);
    }
    if (top_.victim_valid_o) result.victim = top_.victim_o;
    return result;
  }

 private:
  unsigned ways_, way_bits_;
  VerilatedContext context_;
  V top_;
};

}  // namespace

std::unique_ptr<LruRtl> make_lru_rtl(unsigned ways, const std::string& name) {
  return make_at_point<rtl_points::lru, LruRtl>({{"Ways", ways}},
                                                [&]<class V>() { return std::make_unique<LruRtlAt<V>>(ways, name); });
}

}  // namespace warpsieve::common
