#include "blocks/bloom_predictor/counting_bloom.h"

#include <fmt/format.h>

#include <bit>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "blocks/bloom_predictor/bloom_backends.h"
#include "blocks/bloom_predictor/bloom_hash.h"
#include "cosim/model_ports.h"
#include "cosim/shadow.h"

namespace warpsieve::bloom_predictor {

namespace {

class CountingBloomModel final : public CountingBloom {
 public:
  explicit CountingBloomModel(const CountingBloomParams& p)
      : key_mask_(p.key_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << p.key_bits) - 1),
        full_(static_cast<std::uint8_t>((1u << p.counter_bits) - 1)), hash_(p.counters, p.key_bits, p.seed),
        counts_(p.counters) {
    connect_ports(*this, lookup_, rsp_);
    reset();
  }
  void reset() override {
    counts_.assign(counts_.size(), 0);
    lookup_.clear();
    lookup_.open = true;
    rsp_ = {};
    spare_.reset();
    forget_offers();
  }
  void insert(std::uint64_t key) override { insert_ = key; }
  void remove(std::uint64_t key) override { remove_ = key; }
  void clear() override { clear_ = true; }
  bool idle() const override { return !rsp_.item; }
  void tick() override {
    if (rsp_.popped()) {
      rsp_.settle(false);
      rsp_.item = std::exchange(spare_, std::nullopt);
    }
    if (const auto& taken = lookup_.taken()) {
      bool found = true;
      for (const auto place : hash_(taken->key & key_mask_)) found = found && counts_[place] != 0;
      (rsp_.item ? spare_ : rsp_.item) = BloomFound{found};
    }
    lookup_.clear();
    lookup_.open = !spare_;
    count();
    forget_offers();
  }

 private:
  void count() {
    if (clear_) {
      counts_.assign(counts_.size(), 0);
      return;
    }
    std::vector<std::uint32_t>& up = up_;
    up.clear();
    if (insert_) {
      for (const auto place : hash_(*insert_ & key_mask_)) up.push_back(place);
    }
    if (remove_) {
      for (const auto place : hash_(*remove_ & key_mask_)) {
        if (std::erase(up, place) == 0 && counts_[place] != 0 && counts_[place] != full_) --counts_[place];
      }
    }
    for (const auto place : up) counts_[place] += counts_[place] != full_;
  }
  void forget_offers() {
    insert_.reset();
    remove_.reset();
    clear_ = false;
  }
  std::uint64_t key_mask_;
  std::uint8_t full_;
  BloomHash hash_;
  std::vector<std::uint8_t> counts_;
  std::vector<std::uint32_t> up_;
  std::optional<std::uint64_t> insert_, remove_;
  bool clear_ = false;
  ModelIn<BloomLookup> lookup_;
  ModelOut<BloomFound> rsp_;
  std::optional<BloomFound> spare_;
};

class CountingBloomShadow final : public PortShadow<CountingBloom, true> {
 public:
  using PortShadow::PortShadow;
  void insert(std::uint64_t key) override {
    model_->insert(key);
    rtl_->insert(key);
  }
  void remove(std::uint64_t key) override {
    model_->remove(key);
    rtl_->remove(key);
  }
  void clear() override {
    model_->clear();
    rtl_->clear();
  }
};

}  // namespace

std::string describe(const BloomFound& found) { return found.found ? "found" : "absent"; }

std::unique_ptr<CountingBloom> make_counting_bloom_model(const CountingBloomParams& params) {
  return std::make_unique<CountingBloomModel>(params);
}

std::unique_ptr<CountingBloom> make_counting_bloom(const CountingBloomParams& p, Backend backend, std::string name) {
  if (p.counters < 8 || !std::has_single_bit(p.counters) || p.counter_bits < 1 || p.counter_bits > 8 ||
      p.key_bits < 2 || p.key_bits > 64 || p.key_bits + 2 < static_cast<unsigned>(std::countr_zero(p.counters))) {
    throw std::invalid_argument(
        fmt::format("counting_bloom: parameters out of range: counters {} counter_bits {} "
                    "key_bits {}",
                    p.counters, p.counter_bits, p.key_bits));
  }
  return make_backend<CountingBloomShadow>(
      backend, name, [&] { return make_counting_bloom_model(p); }, [&] { return make_counting_bloom_rtl(p, name); });
}

}  // namespace warpsieve::bloom_predictor
