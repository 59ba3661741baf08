// Every workload under every data-filtering scheme: right results, clean bytes, the same instructions, and replies no
// larger than the baseline's.
#include <gtest/gtest.h>

#include "sim/schemes/support.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

Result run(const std::string& workload, const std::string& scheme, const char* profile,
           Backend backend = Backend::model) {
  const auto plugged = scheme_of(scheme, {}, backend);
  const auto program = workloads::make_workload(workload, {.scale = workloads::Scale::small});
  return Gpu(load_profile(profile), *plugged, *program).run();
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& info : workloads::workload_list()) out.push_back(info.name);
  return out;
}

class Suite : public ::testing::TestWithParam<std::string> {};

TEST_P(Suite, EverySchemeIsCleanOnMeshAndCrossbar) {
  for (const char* profile : {"dpc-quarter", "cmd-quarter"}) {
    const Result base = run(GetParam(), "baseline", profile);
    for (const char* scheme : {"dpc", "df_trunc", "df_man", "df_trunc+rc", "df_man+rc"}) {
      const Result other = run(GetParam(), scheme, profile);
      EXPECT_TRUE(other.clean) << profile << " " << scheme << other.integrity.dump();
      EXPECT_EQ(other.verify, "") << profile << " " << scheme;
      EXPECT_EQ(other.warp_instructions, base.warp_instructions) << profile << " " << scheme;
      const auto& counters = other.stats["counters"];
      EXPECT_LE(counters["dpc.reply_bytes"], counters["dpc.whole_bytes"]) << profile << " " << scheme;
      EXPECT_EQ(other.integrity.at("checked_sectors").at("reply_decoder"), counters["dpc.brought_sub_blocks"]);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Workloads, Suite, ::testing::ValuesIn(names()), [](const auto& info) { return info.param; });

TEST(Backends, WorkloadGivesTheSameBytesAsModelRtlAndShadow) {
  const std::string model = run("bfs", "df_man+rc", "dpc-quarter").stats.dump();
  EXPECT_EQ(run("bfs", "df_man+rc", "dpc-quarter", Backend::rtl).stats.dump(), model);
  EXPECT_EQ(run("bfs", "df_man+rc", "dpc-quarter", Backend::shadow).stats.dump(), model);
}

}  // namespace
}  // namespace warpsieve::tb
