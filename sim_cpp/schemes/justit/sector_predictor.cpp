#include "schemes/justit/sector_predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <stdexcept>
#include <vector>

#include "blocks/common/h3_hash.h"
#include "cosim/ask.h"

namespace warpsieve::schemes {

namespace bloom = bloom_predictor;

bool ExactHistory::seen(std::uint64_t sector, bool clearing) {
  Counts& counts = counts_[sector];
  const bool seen = counts[active_]++ >= threshold_;
  if (clearing) return seen;
  ++counts[active_ ^ 1];
  if (++taken_ == period_) {
    for (auto at = counts_.begin(); at != counts_.end();) {
      at.value()[active_] = 0;
      at = at->second[active_ ^ 1] ? std::next(at) : counts_.erase(at);
    }
    active_ ^= 1;
    taken_ = 0;
    clear_left_ = clear_cycles_;
  }
  return seen;
}

bool ExactHistory::tick() {
  if (!clear_left_) return false;
  --clear_left_;
  return true;
}

void ExactHistory::clear() {
  counts_.clear();
  taken_ = clear_left_ = 0;
}

SectorPredictor::SectorPredictor(Stats& s)
    : requests_(s.add("justit.predictions", "line requests", "one-sector loads shown to the predictor")),
      seen_(s.add("justit.predicted_again", "line requests", "of these: taken for seen before")),
      false_positives_(s.add("justit.false_positives", "line requests", "of these: not in the exact history")) {}

bool SectorPredictor::seen(Cycle now, std::uint32_t line, unsigned sector) {
  const Answer answer = ask(now, line, sector);
  if (answer.exact && !answer.filter)
    throw std::logic_error(
        fmt::format("1-1 predictor: sector {} of line {} was seen and the filter denies it", sector, line));
  ++requests_;
  if (answer.filter) ++seen_;
  if (answer.filter && !answer.exact) ++false_positives_;
  return answer.filter;
}

namespace {

/// The block behind a synchronous call.
class BlockPredictor final : public SectorPredictor {
 public:
  BlockPredictor(const bloom::PredictorParams& params, Backend backend, const std::string& name, Stats& stats)
      : SectorPredictor(stats), block_(bloom::make_bloom_predictor(params, backend, name)),
        exact_(params.threshold, params.period, params.clear_cycles()) {
    block_->reset();
    block_->enable(true, true);
    wait_until_ready();
  }
  void forget() override {
    block_->flush();
    exact_.clear();
    tick();
    wait_until_ready();
  }

 protected:
  Answer ask(Cycle now, std::uint32_t line, unsigned sector) override {
    for (; time_ < now && !block_->idle();) tick();
    time_ = std::max(time_, now);
    offer(block_->req(), {line, static_cast<std::uint8_t>(1u << sector)}, "1-1 predictor");
    tick();
    Answer answer{};
    answer.exact = exact_.seen(std::uint64_t{line} * memsys::kSectors + sector, tick());
    const bloom::PredictRsp* response = block_->rsp().front();
    if (!response) throw std::logic_error("1-1 predictor: a request was not answered after two cycles");
    answer.filter = response->choice == bloom::Choice::shared_memory;
    block_->rsp().pop();
    return answer;
  }

 private:
  bool tick() {
    block_->tick();
    ++time_;
    return exact_.tick();
  }
  void wait_until_ready() {
    while (!block_->req().ready()) tick();
  }

  std::unique_ptr<bloom::BloomPredictor> block_;
  ExactHistory exact_;
  Cycle time_ = 0;
};

/// Any number of H3 hashes over one array of counters; clears take no time.
class TextbookPredictor final : public SectorPredictor {
 public:
  TextbookPredictor(const PredictorSizes& sizes, Stats& stats)
      : SectorPredictor(stats), sizes_(sizes), exact_(sizes.threshold, sizes.period, 0) {
    const auto bits = static_cast<unsigned>(std::countr_zero(sizes.counters));
    for (std::uint32_t h = 0; h < sizes.hashes; ++h) hashes_.emplace_back(common::H3Params{35, bits, 100 + h});
    for (auto& array : arrays_) array.assign(sizes.counters, 0);
  }
  void forget() override {
    for (auto& array : arrays_) array.assign(sizes_.counters, 0);
    taken_ = 0;
    exact_.clear();
  }

 protected:
  Answer ask(Cycle, std::uint32_t line, unsigned sector) override {
    const std::uint64_t key = std::uint64_t{line} * memsys::kSectors + sector;
    std::vector<std::uint32_t> places;
    for (const common::H3Hash& hash : hashes_) places.push_back(hash(key));
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    Answer answer{true, exact_.seen(key, false)};
    for (const std::uint32_t place : places) {
      answer.filter = answer.filter && arrays_[active_][place] >= sizes_.threshold;
      for (auto& array : arrays_) array[place] += array[place] + 1u < 1u << sizes_.counter_bits;
    }
    if (++taken_ == sizes_.period) {
      arrays_[active_].assign(sizes_.counters, 0);
      active_ ^= 1;
      taken_ = 0;
    }
    return answer;
  }

 private:
  PredictorSizes sizes_;
  ExactHistory exact_;
  std::vector<common::H3Hash> hashes_;
  std::vector<std::uint8_t> arrays_[2];
  unsigned active_ = 0;
  std::uint32_t taken_ = 0;
};

}  // namespace

std::unique_ptr<SectorPredictor> make_sector_predictor(const PredictorSizes& sizes, Backend backend,
                                                       const std::string& name, Stats& stats) {
  if (sizes.hashes == 3) {
    bloom::PredictorParams params{.counters = sizes.counters,
                                  .counter_bits = sizes.counter_bits,
                                  .threshold = sizes.threshold,
                                  .period = sizes.period};
    params.lanes = std::min(16u, std::max(1u, sizes.counters / 128));
    return std::make_unique<BlockPredictor>(params, backend, name, stats);
  }
  if (!std::has_single_bit(sizes.counters) || sizes.counters < 8 || sizes.counter_bits < 1 ||
      sizes.counter_bits > 8 || sizes.hashes < 1 || sizes.threshold + 1 >= 1u << sizes.counter_bits || !sizes.period)
    throw std::invalid_argument(
        fmt::format("{}: parameters out of range: counters {} counter_bits {} hashes {} threshold {} period {}", name,
                    sizes.counters, sizes.counter_bits, sizes.hashes, sizes.threshold, sizes.period));
  if (backend != Backend::model)
    throw std::invalid_argument(
        fmt::format("{}: no RTL compiled for {} hashes: the block has 3", name, sizes.hashes));
  return std::make_unique<TextbookPredictor>(sizes, stats);
}

}  // namespace warpsieve::schemes
