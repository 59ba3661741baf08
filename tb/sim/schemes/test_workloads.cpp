// The workload suite through the schemes: the same statistics, byte for byte, whether the blocks are models
// or RTL and however often the run is repeated.
#include <gtest/gtest.h>

#include "support.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using workloads::Scale;

/// An L2 of 16 lines per slice, so that small inputs, too, are written back and read again.
Result run(const std::string& workload, const std::string& scheme, Backend backend, Scale scale = Scale::small,
           std::vector<std::string> set = {"l2.sets=4", "l2.ways=4"}) {
  const auto plugged = scheme_of(scheme, {}, backend);
  const auto program = workloads::make_workload(workload, {.scale = scale});
  return Gpu(load_profile("cmd-quarter", set), *plugged, *program).run();
}

class Suite : public ::testing::TestWithParam<const char*> {};

TEST_P(Suite, ModelAndRtlGiveTheSameStatistics) {
  for (const char* scheme :
       {"cmd", "cmd+verify", "cmd+domain", "cmd+secure", "sieve", "esd", "bpc", "bcd", "cmd+bpc"}) {
    const Result model = run(GetParam(), scheme, Backend::model), rtl = run(GetParam(), scheme, Backend::rtl);
    EXPECT_TRUE(model.clean) << scheme << model.integrity.dump();
    EXPECT_EQ(model.verify, "") << scheme;
    EXPECT_GT(model.stats["off_chip_requests"]["metadata_read"].get<std::uint64_t>(), 0u) << scheme;
    EXPECT_EQ(model.stats.dump(), rtl.stats.dump()) << scheme;
  }
}

TEST_P(Suite, SameRunTwiceGivesTheSameBytes) {
  EXPECT_EQ(run(GetParam(), "dedup+car", Backend::model).stats.dump(),
            run(GetParam(), "dedup+car", Backend::model).stats.dump());
}

TEST_P(Suite, EverySchemeReachesTheSameMemoryAndExecutesTheSameInstructions) {
  const Result baseline = run(GetParam(), "baseline", Backend::model);
  EXPECT_TRUE(baseline.clean);
  for (const char* scheme : {"dedup", "dedup+car", "cmd", "cmd+siphash", "cmd+verify", "cmd+domain", "cmd+secure",
                             "sieve", "esd", "bpc", "bcd", "cmd+bpc", "l2_5mb", "l2_5mb+cmd"}) {
    const Result other = run(GetParam(), scheme, Backend::model);
    EXPECT_TRUE(other.clean) << scheme << other.integrity.dump();
    EXPECT_EQ(other.verify, "") << scheme;
    EXPECT_EQ(other.warp_instructions, baseline.warp_instructions) << scheme;
    // A base of BCD and a shared difference cost writes of their own before they save any.
    const double allowed = scheme == std::string("bcd") ? 1.5 : 1.0;
    EXPECT_LE(other.stats["off_chip_requests"]["write"].get<double>(),
              allowed * baseline.stats["off_chip_requests"]["write"].get<double>())
        << scheme;
  }
}

TEST_P(Suite, QuarterScaleIsCleanAndRtlGivesTheBytesOfTheModels) {
  const Result model = run(GetParam(), "cmd", Backend::model, Scale::quarter, {});
  EXPECT_TRUE(model.clean) << model.integrity.dump();
  EXPECT_EQ(model.verify, "");
  const Result rtl = run(GetParam(), "cmd", Backend::rtl, Scale::quarter, {});
  EXPECT_EQ(model.stats.dump(), rtl.stats.dump());
}

INSTANTIATE_TEST_SUITE_P(Workloads, Suite, ::testing::Values("bfs", "pagerank", "kmeans", "cfd"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace warpsieve::tb
