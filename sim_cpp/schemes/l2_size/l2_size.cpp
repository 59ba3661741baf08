// l2_5mb: what a quarter more L2 gains instead of a scheme (CMD's comparison; decision C22): 4 MB of 16 ways
// become 5 MB of 20, sets and latency unchanged; the quarter machine's 1 MB becomes 1.25 MB.
#include <fmt/format.h>

#include "schemes/scheme.h"

namespace warpsieve::schemes {

namespace {

class L2Size final : public Scheme {
 public:
  explicit L2Size(std::uint32_t quarters) : quarters_(quarters) {}
  std::string name() const override { return "l2_5mb"; }
  void amend(memsys::Profile& profile) const override {
    if (profile.l2.ways * quarters_ % 4)
      throw ConfigError(fmt::format("l2_5mb: l2.ways = {}: expected a multiple of 4, {} quarters are added to the L2",
                                    profile.l2.ways, quarters_));
    profile.l2.ways += profile.l2.ways * quarters_ / 4;
  }
  nlohmann::ordered_json report() const override { return {{"parameters", {{"l2_5mb.quarters", quarters_}}}}; }

 private:
  std::uint32_t quarters_;
};

class L2SizeFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    return {{.name = "l2_5mb",
             .doc = "a quarter more ways in the L2: 5 MB instead of 4",
             .paper = "cmd",
             .profile = "cmd",
             .ports = {kL2Size},
             .reads_values = false,
             .area_note = "more ways in the L2 (l2_5mb.quarters): storage, no block beside it"}};
  }
  void declare(ParamSet& set) override {
    set.declare(quarters_, "l2_5mb.quarters", "quarters", 1, 1, 12, "ways added, in quarters of the machine's",
                "decision C22: 16 to 20 ways");
  }
  std::unique_ptr<Scheme> make(std::string_view, const BackendPlan&) const override {
    return std::make_unique<L2Size>(quarters_);
  }

 private:
  std::uint32_t quarters_ = 1;
};

}  // namespace

std::unique_ptr<SchemeFamily> l2_size_family() { return std::make_unique<L2SizeFamily>(); }

}  // namespace warpsieve::schemes
