#include "blocks/bloom_predictor/bloom_backends.h"
#include "cosim/verilated.h"
#include "rtl_points/bloom_predictor/counting_bloom.h"

namespace warpsieve::bloom_predictor {

namespace {

template <class V>
class CountingBloomRtl final : public CountingBloom {
 public:
  CountingBloomRtl(const CountingBloomParams& p, const std::string& name)
      : key_mask_(p.key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << p.key_bits) - 1), rtl_(name),
        lookup_(*this), rsp_(*this) {
    reset();
  }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  void insert(std::uint64_t key) override {
    rtl_.top().insert_valid_i = 1;
    rtl_.top().insert_key_i = key & key_mask_;
  }
  void remove(std::uint64_t key) override {
    rtl_.top().remove_valid_i = 1;
    rtl_.top().remove_key_i = key & key_mask_;
  }
  void clear() override { rtl_.top().clear_i = 1; }
  InPort<BloomLookup>& lookup() override { return lookup_; }
  OutPort<BloomFound>& rsp() override { return rsp_; }
  bool idle() const override { return !rtl_.top().rsp_valid_o; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }

 private:
  struct Lookup final : InPort<BloomLookup> {
    explicit Lookup(CountingBloomRtl& filter) : f(filter) {}
    bool ready() const override { return f.rtl_.top().lookup_ready_o; }
    bool push(const BloomLookup& lookup) override {
      f.rtl_.top().lookup_valid_i = 1;
      f.rtl_.top().lookup_key_i = lookup.key & f.key_mask_;
      return ready();
    }
    CountingBloomRtl& f;
  };
  struct Rsp final : OutPort<BloomFound> {
    explicit Rsp(CountingBloomRtl& filter) : f(filter) {}
    const BloomFound* front() const override { return f.rtl_.top().rsp_valid_o ? &item : nullptr; }
    void pop() override { f.rtl_.top().rsp_ready_i = 1; }
    CountingBloomRtl& f;
    BloomFound item;
  };
  void lower() {
    V& top = rtl_.top();
    top.insert_valid_i = 0;
    top.remove_valid_i = 0;
    top.clear_i = 0;
    top.lookup_valid_i = 0;
    top.rsp_ready_i = 0;
  }
  void fetch() { rsp_.item.found = rtl_.top().rsp_found_o; }
  std::uint64_t key_mask_;
  RtlClock<V> rtl_;
  Lookup lookup_;
  Rsp rsp_;
};

}  // namespace

std::unique_ptr<CountingBloom> make_counting_bloom_rtl(const CountingBloomParams& p, const std::string& name) {
  return make_at_point<rtl_points::counting_bloom, CountingBloom>(
      {{"Counters", p.counters}, {"CounterBits", p.counter_bits}, {"KeyBits", p.key_bits}, {"Seed", p.seed}},
      [&]<class V>() { return std::make_unique<CountingBloomRtl<V>>(p, name); });
}

}  // namespace warpsieve::bloom_predictor
