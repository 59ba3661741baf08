// Every workload of the suite, at its small size, through the memory model: right result, clean memory.
#include <gtest/gtest.h>

#include "support.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

class EveryWorkload : public ::testing::TestWithParam<std::string> {};

/// An L2 of 16 lines per slice, so that small inputs, too, are written back and read again.
TEST_P(EveryWorkload, IsRightAndCleanUnderBaselineAndCmd) {
  std::uint64_t instructions = 0;
  for (const char* scheme : {"baseline", "cmd"}) {
    const auto plugged = scheme_of(scheme, {}, Backend::model);
    const auto program = workloads::make_workload(GetParam(), {.scale = workloads::Scale::small});
    const memsys::Result r =
        memsys::Gpu(memsys::load_profile("cmd-quarter", {"gpu.image_in_l2=0", "l2.sets=4", "l2.ways=4"}), *plugged,
                    *program)
            .run();
    EXPECT_TRUE(r.clean) << scheme << r.integrity.dump();
    EXPECT_EQ(r.verify, "") << scheme;
    EXPECT_GT(r.stats["off_chip_requests"]["total"].get<std::uint64_t>(), 0u) << scheme;
    if (instructions == 0) instructions = r.warp_instructions;
    EXPECT_EQ(r.warp_instructions, instructions) << scheme;
  }
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const workloads::WorkloadInfo& i : workloads::workload_list()) names.push_back(i.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, EveryWorkload, ::testing::ValuesIn(all_names()), [](const auto& i) { return i.param; });

}  // namespace
}  // namespace warpsieve::tb
