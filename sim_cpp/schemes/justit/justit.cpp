#include "schemes/justit/justit.h"

#include <fmt/format.h>

#include <algorithm>

#include "memsys/profile.h"
#include "schemes/justit/justit_port.h"
#include "schemes/power_of_two.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

using namespace memsys;

JustitParams::JustitParams() {
  ParamSet set;
  declare(set);
}

void JustitParams::declare(ParamSet& set) {
  set.declare(counters, "justit.counters", "counters", 4096, 32, 65536,
              "of each of the predictor's two arrays, a power of two", "decision J4");
  set.declare(counter_bits, "justit.counter_bits", "bits", 2, 1, 8, "of a counter, saturating", "decision J4");
  set.declare(hashes, "justit.hashes", "hashes", 3, 1, 8, "counters of a sector; other than 3: model only",
              "decision J4");
  set.declare(threshold, "justit.threshold", "count", 1, 0, 254,
              "seen: all its counters are above this after the insertion", "decisions J4, J5");
  set.declare(period, "justit.period", "inserts", 512, 1, 1048576, "between two changes of the arrays' roles",
              "decision J6");
  set.declare(forget_per_kernel, "justit.forget_per_kernel", "switch", 0, 0, 1,
              "1: the predictor starts each kernel empty", "decision J13");
  set.declare(tag_cycles, "justit.tag_cycles", "cycles", 1, 0, 100,
              "shared memory's time for the tags of an access, before one for the data", "decision J8");
  set.declare(measure_blocks, "justit.measure_blocks", "switch", 1, 0, 1,
              "1: count what becomes of L1 blocks (l1_blocks.*)", "JUSTIT paper, figures 1 and 2");
}

namespace {

const std::vector<JustitVariant>& justit_variants() {
  static const std::vector<JustitVariant> list = {
      {.name = "lamar", .doc = "LAMAR: sectored L1 and L2, 32-byte DRAM bursts"},
      {.name = "lamar+bypass", .doc = "... and one-sector loads used once do not fill the L1", .bypass = true},
      {.name = "lamar+shm",
       .doc = "lamar, and one-sector loads used again are kept in spare shared memory",
       .shared_memory = true},
      {.name = "justit", .doc = "JUSTIT paper: both", .bypass = true, .shared_memory = true},
  };
  return list;
}

class Justit final : public Scheme {
 public:
  Justit(const JustitVariant& variant, const JustitParams& params, const BackendPlan& backends)
      : variant_(variant), params_(params), backends_(backends) {}
  std::string name() const override { return variant_.name; }
  /// All fetch only the sectors asked for.
  void amend(Profile& profile) const override { profile.l1.line_fill = 0; }
  std::unique_ptr<L1Port> make_l1_port(unsigned sm, L1PortOwner& host, Stats& stats) override {
    const std::string instance = fmt::format("sm{}", sm);
    return std::make_unique<JustitPort>(params_, variant_, backends_.of("bloom_predictor", instance), instance, host,
                                        stats);
  }
  nlohmann::ordered_json report() const override { return {{"parameters", values_of(params_)}}; }

 private:
  JustitVariant variant_;
  JustitParams params_;
  BackendPlan backends_;
};

class JustitFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    std::vector<SchemeInfo> out;
    for (const JustitVariant& v : justit_variants()) {
      out.push_back({.name = v.name,
                     .doc = v.doc,
                     .paper = "justit",
                     .profile = "justit",
                     .ports = {kL1},
                     .reads_values = false,
                     .area_note = "sectored L1 and L2 as in the machine: no block more"});
      if (!v.predicts()) continue;
      SchemeInfo& info = out.back();
      info.blocks.push_back({"bloom_predictor", Place::sm});
      info.area_note = "1-1 predictor, one per SM";
      if (v.shared_memory) info.area_note += "; one-sector blocks go to shared memory that is there already";
      info.hardware.push_back(
          {.block = "bloom_predictor",
           .module = "bloom_predictor",
           .point = "paper",
           .what = "2 arrays x 4,096 counters x 2 bits (J4)",
           .place = Place::sm,
           .memories = {{"counters", 32, 64, 8}},
           .sizes = {{"justit.counters", 4096}, {"justit.counter_bits", 2}, {"justit.hashes", 3}}});
    }
    return out;
  }
  void declare(ParamSet& set) override { params_.declare(set); }
  std::unique_ptr<Scheme> make(std::string_view name, const BackendPlan& backends) const override {
    expect_powers_of_two({{"justit.counters", params_.counters}});
    const std::uint32_t most = (1u << params_.counter_bits) - 2;  // a saturated counter stays above it
    if (params_.threshold > most)
      throw ConfigError(fmt::format("justit.threshold = {}: expected at most {} with counters of {} bits",
                                    params_.threshold, most, params_.counter_bits));
    const auto variant = std::find_if(justit_variants().begin(), justit_variants().end(),
                                      [&](const JustitVariant& v) { return v.name == name; });
    return std::make_unique<Justit>(*variant, params_, backends);
  }

 private:
  JustitParams params_;
};

}  // namespace

std::unique_ptr<SchemeFamily> justit_family() { return std::make_unique<JustitFamily>(); }

}  // namespace warpsieve::schemes
