#include "blocks/bloom_predictor/bloom_backends.h"
#include "cosim/rtl_block.h"
#include "rtl_points/bloom_predictor/counting_bloom.h"

namespace warpsieve::bloom_predictor {

namespace {

struct CountingBloomFields {
  static constexpr std::array<std::string_view, 2> other_streams{"insert", "remove"};
  std::uint64_t key_mask;
  void lower(auto& top) const { top.insert_valid_i = top.remove_valid_i = top.clear_i = 0; }
  void put(auto& top, const BloomLookup& lookup) const { top.lookup_key_i = lookup.key & key_mask; }
  void get(const auto& top, BloomFound& found) const { found.found = top.rsp_found_o; }
};

template <class V>
class CountingBloomRtl final : public RtlBlock<V, rtl_points::counting_bloom, CountingBloom, CountingBloomFields> {
 public:
  using Base = RtlBlock<V, rtl_points::counting_bloom, CountingBloom, CountingBloomFields>;
  using Base::Base;
  void insert(std::uint64_t key) override {
    this->top().insert_valid_i = 1;
    this->top().insert_key_i = key & this->fields().key_mask;
  }
  void remove(std::uint64_t key) override {
    this->top().remove_valid_i = 1;
    this->top().remove_key_i = key & this->fields().key_mask;
  }
  void clear() override { this->top().clear_i = 1; }
  bool idle() const override { return !this->top().rsp_valid_o; }
};

}  // namespace

std::unique_ptr<CountingBloom> make_counting_bloom_rtl(const CountingBloomParams& p, const std::string& name) {
  const CountingBloomFields fields{p.key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << p.key_bits) - 1};
  return make_at_point<rtl_points::counting_bloom, CountingBloom>(
      {{"Counters", p.counters}, {"CounterBits", p.counter_bits}, {"KeyBits", p.key_bits}, {"Seed", p.seed}},
      [&]<class V>() { return std::make_unique<CountingBloomRtl<V>>(name, fields); });
}

}  // namespace warpsieve::bloom_predictor
