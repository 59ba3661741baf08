// The sizes of the paper's studies (V.D, Figures 17 and 18) can be set, work, and do what a size should.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

/// Two rounds of writes and reads of 40 lines with 10 contents, in an L2 of one line per slice.
Steps traffic() {
  Steps steps;
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned i = 0; i < 40; ++i)
      steps.store(12 * i, i % 3 ? ramp(3 + 2 * (i % 10), round) : words(static_cast<std::uint8_t>(16 * (i % 5))));
    for (unsigned i = 0; i < 40; ++i) steps.load(12 * i);
  }
  return steps;
}

SchemeRun run(std::vector<std::string> set) { return {scheme_of("cmd", std::move(set)), traffic().workload()}; }

TEST(Sensitivity, HashStoresOf77To538KilobytesOnEightControllers) {
  // {sets, ways} of 22-byte entries: 77, 352 (the default), 539 KB.
  std::uint64_t last = ~0ull;
  for (const auto& [sets, ways] : {std::pair(1, 2), {64, 7}, {128, 16}, {64, 49}, {512, 8}}) {
    SchemeRun r = run({fmt::format("cmd.hash_sets={}", sets), fmt::format("cmd.hash_ways={}", ways)});
    EXPECT_TRUE(r.result.clean) << sets << " " << ways;
    EXPECT_LE(r.stat("dram.requests_write"), last);
    last = r.stat("dram.requests_write");
  }
  EXPECT_LT(last, run({"cmd.hash_sets=1", "cmd.hash_ways=2"}).stat("dram.requests_write"));
}

TEST(Sensitivity, ALargerHashStoreLeavesFewerLines) {
  // 12 bits of index: 2^20 lines of 128 bytes, so 128 MB per controller; the memory of this test fits.
  SchemeRun r = run({"cmd.hash_sets=64", "cmd.hash_ways=49"});
  EXPECT_EQ(r.result.stats["scheme_report"]["parameters"]["cmd.hash_ways"], 49);
  EXPECT_TRUE(r.result.clean);
}

TEST(Sensitivity, MetadataCachesFromOneSetUp) {
  for (const char* cache : {"type", "mask", "address", "lent"}) {
    std::uint64_t last = ~0ull;
    for (const unsigned sets : {1u, 2u, 4u, 8u, 16u, 32u, 64u, 128u, 256u}) {
      SchemeRun r = run({fmt::format("cmd.{}_sets={}", cache, sets)});
      EXPECT_TRUE(r.result.clean) << cache << " " << sets;
      const std::uint64_t misses = r.stat(fmt::format("{}_cache.misses", cache));
      EXPECT_LE(misses, last) << cache << " " << sets;
      last = misses;
    }
  }
}

TEST(Sensitivity, FifosOfOneToThirtyTwoSectors) {
  std::uint64_t last = 0;
  for (const unsigned entries : {1u, 2u, 4u, 8u, 16u, 32u}) {
    SchemeRun r(scheme_of("cmd", {fmt::format("cmd.fifo_entries={}", entries)}),
                Steps().load(0).load(2).load(4).load(0).load(2).load(4).workload());
    EXPECT_TRUE(r.result.clean) << entries;
    EXPECT_GE(r.stat("victim_fifo.hits"), last) << entries;
    last = r.stat("victim_fifo.hits");
  }
  EXPECT_EQ(last, 12u);
}

TEST(Sensitivity, EveryParameterStatesItsUnitAndSource) {
  const std::string help = schemes::scheme_parameter_help();
  for (const char* name :
       {"cmd.hash_sets", "cmd.hash_ways", "cmd.type_sets", "cmd.mask_sets", "cmd.address_sets", "cmd.fifo_entries",
        "bpc.size_sets", "bcd.base_sets", "bcd.difference_sets", "bcd.translation_sets", "l2_5mb.quarters"}) {
    EXPECT_TRUE(schemes::is_scheme_parameter(name)) << name;
    EXPECT_NE(help.find(name), std::string::npos);
  }
}

}  // namespace
}  // namespace warpsieve::tb
