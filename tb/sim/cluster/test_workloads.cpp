// The workload suite on the RATA machine: clean under every scheme, and the same bytes of statistics whether the
// tables are models, RTL or both, however often the run is repeated.
#include <gtest/gtest.h>

#include "support.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using workloads::Scale;

Result run(const std::string& workload, const std::string& scheme, Backend backend = Backend::model,
           std::vector<std::string> set = {}, std::vector<std::string> machine = {}) {
  const auto plugged =
      schemes::make_scheme(scheme, {.set = std::move(set), .backend = backend, .backends = {}, .machine = nullptr});
  const auto program = workloads::make_workload(workload, {.scale = Scale::small});
  return Gpu(load_profile("rata-quarter", machine), *plugged, *program).run();
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& info : workloads::workload_list()) out.push_back(info.name);
  return out;
}

class RataSuite : public ::testing::TestWithParam<std::string> {};

TEST_P(RataSuite, EverySchemeReachesTheSameMemory) {
  const Result baseline = run(GetParam(), "baseline");
  EXPECT_TRUE(baseline.clean) << baseline.integrity.dump();
  EXPECT_EQ(baseline.verify, "");
  for (const char* scheme : {"rata", "rata_ideal", "rata+lamar", "rata+df_trunc"}) {
    const Result other = run(GetParam(), scheme);
    EXPECT_TRUE(other.clean) << scheme << other.integrity.dump();
    EXPECT_EQ(other.verify, "") << scheme;
    EXPECT_EQ(other.warp_instructions, baseline.warp_instructions) << scheme;
  }
}

TEST_P(RataSuite, ModelRtlAndShadowGiveTheSameBytes) {
  for (const char* ways : {"rata.ways=16", "rata.ways=6"}) {
    const std::string model = run(GetParam(), "rata", Backend::model, {ways}).stats.dump();
    EXPECT_EQ(run(GetParam(), "rata", Backend::model, {ways}).stats.dump(), model);
    EXPECT_EQ(run(GetParam(), "rata", Backend::rtl, {ways}).stats.dump(), model);
    EXPECT_EQ(run(GetParam(), "rata", Backend::shadow, {ways}).stats.dump(), model);
  }
}

TEST_P(RataSuite, TinyTablesAndL1sStayClean) {
  const std::vector<std::string> machine = {"l1.sets=2", "l1.set_hash=0", "l1.ways=2", "noc.response_buffer=4",
                                            "l2.sets=4"};
  for (const char* option : {"rata.fill_on_remote=0", "rata.fill_on_remote=1"}) {
    const Result r = run(GetParam(), "rata", Backend::model, {"rata.sets=2", "rata.ways=2", option}, machine);
    EXPECT_TRUE(r.clean) << r.integrity.dump();
    EXPECT_EQ(r.verify, "");
  }
}

// Found by an audit: the table stayed empty where L1s are not filled by whole lines.
TEST(RataSectored, RedirectsWithEverySchemeThatFetchesPartsOfLines) {
  for (const char* name : {"rata+lamar", "rata+justit", "rata+df_trunc", "rata+df_man+rc"}) {
    const auto counters = run("cfd", name).stats["counters"];
    EXPECT_GE(counters["cluster.remote_hits"].get<std::uint64_t>(), 10u) << name;
    EXPECT_GT(counters["cluster.captured"].get<std::uint64_t>() * 2,
              counters["cluster.replicated_misses"].get<std::uint64_t>())
        << name;
  }
}

TEST(RataSectored, IdealTagsMissNothing) {
  const auto counters = run("cfd", "rata_ideal+lamar").stats["counters"];
  EXPECT_GE(counters["cluster.remote_hits"], 10);
  EXPECT_EQ(counters["cluster.false_negatives"], 0);
  EXPECT_EQ(counters["cluster.false_positives"], 0);
}

INSTANTIATE_TEST_SUITE_P(Workloads, RataSuite, ::testing::ValuesIn(names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

}  // namespace
}  // namespace warpsieve::tb
