#include "schemes/avc/avc.h"

#include <fmt/format.h>

#include <algorithm>

#include "schemes/power_of_two.h"

namespace warpsieve::schemes {

using namespace memsys;
using affine_cache::AffineCache;
using affine_cache::AffineCacheParams;
using affine_cache::AvcOp;

namespace {

/// Passes requests and answers between the two vocabularies.
class AvcPort final : public LocalPort {
 public:
  AvcPort(std::unique_ptr<AffineCache> block, bool fill_full) : block_(std::move(block)), fill_full_(fill_full) {
    block_->reset();
  }
  bool ready() const override { return block_->ready(); }
  void push(const LocalRequest& r) override {
    static constexpr AvcOp ops[] = {AvcOp::load, AvcOp::store, AvcOp::fill, AvcOp::flush};
    block_->push({ops[static_cast<unsigned>(r.op)], r.line, r.mask, r.words});
  }
  const LocalAnswer* front() override {
    const affine_cache::AvcRsp* rsp = block_->front();
    if (!rsp) return nullptr;
    answer_ = {rsp->write_back, rsp->affine, rsp->line, rsp->mask, rsp->data};
    return &answer_;
  }
  void pop() override { block_->pop(); }
  void tick() override { block_->tick(); }
  bool idle() const override { return block_->idle(); }
  bool fill_full() const override { return fill_full_; }

 private:
  std::unique_ptr<AffineCache> block_;
  LocalAnswer answer_;
  bool fill_full_;
};

struct Configuration {
  const char* name;
  const char* doc;
  AffineCacheParams params;
  const char* point;  ///< of rtl/affine_cache/points.txt
  const char* area_note;
};
constexpr Configuration kConfigurations[] = {
    {"avc", "AVC paper: 16 KB of the L1, 2 ways, keep private vectors as base and stride", affine_cache::paper_point,
     "paper", "affine vector cache beside the L1"},
    {"avc8", "... 8 KB, direct-mapped", affine_cache::direct_point, "direct",
     "affine vector cache beside the L1, 8 KB direct-mapped"},
    {"avc24", "... 24 KB, 3 ways", affine_cache::way3_point, "way3", "affine vector cache beside the L1, 24 KB"},
};

/// Each way keeps 8 KB of vectors: 64 sets of 16 vectors of 128 bytes, as base and stride.
HardwareBlock hardware(const Configuration& c) {
  const std::uint32_t ways = c.params.ways, vectors = 1024;
  return {.block = "affine_cache",
          .module = "affine_cache",
          .point = c.point,
          .what = fmt::format("{} KB of vectors, encoder and decoder inside (4, 5.2)", 8 * ways),
          .place = Place::sm,
          .memories = {{"base, valid bits", 64, vectors, ways},
                       {"stride, dirty", 4, vectors, ways},
                       {"tags", 16 * ways, 64}},
          .sizes = {{"avc.sets", 64}}};
}

struct Options {
  std::uint32_t sets, fill_full;
};

class Avc final : public Scheme {
 public:
  Avc(const Configuration& c, const Options& options, const BackendPlan& backends)
      : name_(c.name), params_(c.params), options_(options), backends_(backends) {
    params_.sets = options.sets;
  }
  std::string name() const override { return name_; }
  /// The L1 gives as many ways as the cache has lines.
  void amend(Profile& profile) const override {
    const std::uint32_t lines = params_.sets * params_.ways;
    const std::uint32_t ways = lines / profile.l1.sets;
    if (lines % profile.l1.sets || ways >= profile.l1.ways)
      throw ConfigError(fmt::format(
          "{}: its {} lines of 128 bytes come from the L1 as whole ways: expected an L1 of more than {} ways with a "
          "number of sets that divides {} (l1.sets = {}, l1.ways = {}, avc.sets = {})",
          name_, lines, ways, lines, profile.l1.sets, profile.l1.ways, params_.sets));
    profile.l1.ways -= ways;
  }
  std::unique_ptr<LocalPort> make_local_port(unsigned sm, Stats&) override {
    const std::string instance = fmt::format("sm{}", sm);
    const Backend backend = backends_.of("affine_cache", instance);
    return make_avc_port(affine_cache::make_affine_cache(params_, backend, instance + ".affine_cache"),
                         options_.fill_full != 0);
  }
  nlohmann::ordered_json report() const override {
    return {{"capacity_bytes", params_.capacity_bytes()},
            {"parameters", {{"avc.sets", options_.sets}, {"avc.fill_full", options_.fill_full}}}};
  }

 private:
  std::string name_;
  AffineCacheParams params_;
  Options options_;
  BackendPlan backends_;
};

class AvcFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    std::vector<SchemeInfo> out;
    for (const Configuration& c : kConfigurations)
      out.push_back({.name = c.name,
                     .doc = c.doc,
                     .paper = "avc",
                     .profile = "avc",
                     .blocks = {{"affine_cache", Place::sm}},
                     .ports = {kPrivateMemory},
                     .area_note = c.area_note,
                     .hardware = {hardware(c)}});
    return out;
  }
  void declare(ParamSet& set) override {
    set.declare(options_.sets, "avc.sets", "sets", 64, 2, 4096, "sets of the affine vector cache; RTL exists for 64",
                "AVC paper, table 3; decision A8");
    set.declare(options_.fill_full, "avc.fill_full", "", 0, 0, 1,
                "1: a fetched line is tried whole before the words asked for", "decision A11");
  }
  std::unique_ptr<Scheme> make(std::string_view name, const BackendPlan& backends) const override {
    expect_powers_of_two({{"avc.sets", options_.sets}});
    const auto* c = std::find_if(std::begin(kConfigurations), std::end(kConfigurations),
                                 [&](const Configuration& k) { return name == k.name; });
    return std::make_unique<Avc>(*c, options_, backends);
  }

 private:
  Options options_{};
};

}  // namespace

std::unique_ptr<LocalPort> make_avc_port(std::unique_ptr<AffineCache> block, bool fill_full) {
  return std::make_unique<AvcPort>(std::move(block), fill_full);
}

std::unique_ptr<SchemeFamily> avc_family() { return std::make_unique<AvcFamily>(); }

}  // namespace warpsieve::schemes
