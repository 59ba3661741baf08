// Every workload at its small size under the four systems: right results, no corrupt byte, the same bytes of
// statistics whatever the predictor's backend and however often it is run.
#include <gtest/gtest.h>

#include "sim/schemes/support.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

Result run(const std::string& workload, const std::string& scheme, Backend backend = Backend::model) {
  const auto plugged = scheme_of(scheme, {}, backend);
  const auto program = workloads::make_workload(workload, {.scale = workloads::Scale::small});
  return Gpu(load_profile("justit-quarter"), *plugged, *program).run();
}

class Suite : public ::testing::TestWithParam<std::string> {};

TEST_P(Suite, IsCleanUnderTheFourSystemsAndLamarIsTheBaseline) {
  const Result baseline = run(GetParam(), "baseline");
  for (const char* scheme : {"lamar", "lamar+bypass", "lamar+shm", "justit"}) {
    const Result r = run(GetParam(), scheme);
    EXPECT_TRUE(r.clean) << scheme << r.integrity.dump();
    EXPECT_EQ(r.verify, "") << scheme;
    EXPECT_EQ(r.warp_instructions, baseline.warp_instructions) << scheme;
    if (std::string(scheme) != "lamar") continue;
    EXPECT_EQ(r.cycles, baseline.cycles);
    for (const auto& [name, value] : baseline.stats["counters"].items())
      EXPECT_EQ(r.stats["counters"][name], value) << name;
  }
}

TEST_P(Suite, ModelRtlAndShadowGiveTheSameBytesAndSoDoesTheNextRun) {
  for (const char* scheme : {"lamar+bypass", "lamar+shm", "justit"}) {
    const std::string model = run(GetParam(), scheme).stats.dump();
    EXPECT_EQ(model, run(GetParam(), scheme, Backend::rtl).stats.dump()) << scheme;
    EXPECT_EQ(model, run(GetParam(), scheme, Backend::shadow).stats.dump()) << scheme;
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& info : workloads::workload_list()) out.push_back(info.name);
  return out;
}

INSTANTIATE_TEST_SUITE_P(Workloads, Suite, ::testing::ValuesIn(names()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpsieve::tb
