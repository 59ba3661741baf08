// Area of schemes: the data, the join of synthesis and CACTI, the papers' figures.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "cost/area.h"
#include "cost/cacti/recorded.h"
#include "cost/claims.h"
#include "cost/timing.h"
#include "support.h"

namespace warpsieve::cost {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

AreaReport cmd_report(std::uint32_t node = 16) {
  Recorded sweep;
  return area_of(scheme_blocks("cmd"), *find_machine("cmd"), sweep, node);
}

const Finding& finding(const std::vector<Finding>& all, const std::string& id) {
  const auto it = std::find_if(all.begin(), all.end(), [&](const Finding& f) { return f.id == id; });
  if (it == all.end()) throw std::runtime_error("no finding " + id);
  return *it;
}

std::vector<Finding> everything() {
  Recorded sweep;
  std::vector<Finding> all;
  for (const char* paper : {"cmd", "rata", "justit", "dpc", "avc", "sieve"})
    for (Finding& f : findings(paper, sweep)) all.push_back(std::move(f));
  return all;
}

TEST(Schemes, EverySchemeHasItsOwnMachineAndAnArea) {
  Recorded sweep;
  for (const SchemeBlocks& scheme : all_schemes()) {
    SCOPED_TRACE(scheme.name);
    const Machine* machine = find_machine(scheme.profile);
    ASSERT_NE(machine, nullptr);
    const AreaReport r = area_of(scheme, *machine, sweep, 16);
    EXPECT_EQ(r.blocks.size(), scheme.blocks.size());
    for (const BlockArea& b : r.blocks) EXPECT_GT(b.count, 0u) << b.use.module;
    EXPECT_EQ(r.total_mm2() == 0, scheme.blocks.empty());
  }
}

TEST(Schemes, UnknownNamesSayTheNearest) {
  try {
    scheme_blocks("ratta");
    FAIL();
  } catch (const CostError& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("unknown scheme 'ratta'"), HasSubstr("did you mean rata?")));
  }
  EXPECT_EQ(find_machine("ratta"), nullptr);
}

TEST(Schemes, ACombinationHasTheBlocksOfItsParts) {
  const SchemeBlocks &dpc = scheme_blocks("dpc"), &car = scheme_blocks("dedup+car");
  const SchemeBlocks& both = scheme_blocks("dpc+dedup+car");  // not dpc + dedup, whatever car is
  EXPECT_EQ(both.profile, dpc.profile);
  ASSERT_EQ(both.blocks.size(), dpc.blocks.size() + car.blocks.size());
  EXPECT_EQ(both.blocks.front().module, dpc.blocks.front().module);
  EXPECT_EQ(both.blocks.back().module, car.blocks.back().module);
  EXPECT_EQ(both.dram_bits.size(), car.dram_bits.size());
  EXPECT_EQ(&both, &scheme_blocks("dpc+dedup+car"));
  Recorded sweep;
  const Machine& machine = *find_machine("cmd");
  EXPECT_NEAR(area_of(both, machine, sweep, 16).total_mm2(),
              area_of(dpc, machine, sweep, 16).total_mm2() + area_of(car, machine, sweep, 16).total_mm2(), 1e-9);
  for (const char* bad : {"dpc+", "+cmd", "dpc++cmd", "dpc+nosuch", "nosuch+cmd", "+"})
    EXPECT_THROW(scheme_blocks(bad), CostError) << bad;
}

TEST(Schemes, EsdHasTheUnitThatComparesAndAStoreWithADomain) {  // C22: every match is verified; the mask's 4 bits
  std::vector<std::string> points;
  for (const BlockUse& use : scheme_blocks("esd").blocks) points.push_back(use.module + "@" + use.point);
  EXPECT_THAT(points, ::testing::IsSupersetOf({"dedup@secure", "hash_store@secure"}));
  EXPECT_THAT(points, ::testing::Not(::testing::Contains("dedup@paper")));
}

TEST(Schemes, TablesInDramAreListed) {
  const auto bits = [](const char* scheme) {
    std::uint32_t sum = 0;
    for (const DramBits& d : scheme_blocks(scheme).dram_bits) sum += d.bits;
    return sum;
  };
  EXPECT_EQ(bits("bcd"), 2u * 64);  // a translation entry of each half line
  EXPECT_EQ(bits("bpc"), 2u);
  EXPECT_EQ(bits("cmd+bpc"), bits("cmd") + 2);
}

TEST(Area, WaysThatASchemeAddsToTheL2AreItsStorage) {
  Recorded sweep;
  Machine machine = *find_machine("cmd");
  const AreaReport before = area_of(scheme_blocks("l2_5mb"), machine, sweep, 16);
  machine.l2_added_ways = 4;
  const AreaReport r = area_of(scheme_blocks("l2_5mb"), machine, sweep, 16);
  EXPECT_EQ(before.total_mm2(), 0);
  ASSERT_EQ(r.blocks.size(), 1u);
  EXPECT_EQ(r.blocks[0].bits * r.blocks[0].count, 8u << 20);  // 1 MB
  EXPECT_EQ(*r.l2_mm2, *before.l2_mm2);
  EXPECT_GT(r.total_mm2(), 0.1 * *r.l2_mm2);
  EXPECT_LT(r.total_mm2(), 0.4 * *r.l2_mm2);
  EXPECT_EQ(r.total_mm2(), r.storage_mm2);
  EXPECT_THAT(r.notes, ::testing::Contains(HasSubstr("l2: 20 ways are not recorded, figures of 16 ways")));
}

TEST(Schemes, ListedArraysHoldWhatSynthesisFinds) {
  for (const SchemeBlocks& scheme : all_schemes()) {
    for (const BlockUse& use : scheme.blocks) {
      const auto s = synthesis(use.block, use.module, use.point);
      if (!s || use.arrays.empty()) continue;
      std::uint64_t bits = 0;
      for (const Array& a : use.arrays) bits += a.bits();
      EXPECT_EQ(bits, s->storage_bits) << use.module << "@" << use.point;
    }
  }
}

TEST(Synthesis, MissingBlockModuleOrPointIsNothing) {
  EXPECT_TRUE(synthesis("md5", "line_hasher", "s1").has_value());
  EXPECT_FALSE(synthesis("md5", "line_hasher", "s3").has_value());
  EXPECT_FALSE(synthesis("md5", "line_hash", "s1").has_value());
  EXPECT_FALSE(synthesis("no_block", "x", "paper").has_value());
}

TEST(Area, AFullyAssociativeCacheThatIsNotRecordedIsRefused) {
  Recorded sweep;
  std::vector<std::string> notes;
  Query query{.kind = Kind::cache, .bytes = 3 << 20, .word_bits = 256, .line_bytes = 128, .ways = 0};
  EXPECT_THROW(cache_figures(sweep, query, "l2", notes), CactiError);
  query.ways = 4000;  // down to one way
  query.bytes = 1;
  EXPECT_THROW(cache_figures(sweep, query, "l2", notes), CactiError);
}

TEST(Plan, WordsOfAPowerOfTwoBytesAndAtLeast32OfThem) {
  const auto plan = [](std::uint32_t width, std::uint32_t depth) {
    return plan_storage(width, depth, Ports::r1w1, 22);
  };
  EXPECT_EQ(plan(64, 1024).query.bytes, 8192u);
  EXPECT_EQ(plan(64, 1024).query.word_bits, 64u);
  EXPECT_EQ(plan(21, 256).query.bytes, 672u);  // 21 bits: bytes as they are, words of 32 bits
  EXPECT_EQ(plan(21, 256).query.word_bits, 32u);
  EXPECT_EQ(plan(496, 64).lanes, 2u);
  EXPECT_EQ(plan(496, 64).query.bytes, 1984u);
  EXPECT_EQ(plan(256, 16).query.bytes, 512u);  // 16 rows are too few: twice as many of half the width
  EXPECT_EQ(plan(256, 16).query.word_bits, 128u);
  EXPECT_EQ(plan(100, 4).query.bytes, 64u);  // 50 bytes: the least there is
  EXPECT_EQ(plan(100, 4).query.word_bits, 16u);
}

TEST(Plan, EveryPlanInRangeIsRecorded) {
  Recorded sweep;
  for (const std::uint32_t width : {1u, 3u, 8u, 21u, 64u, 126u, 149u, 256u, 257u, 496u, 1500u}) {
    for (std::uint32_t depth = 1; depth <= 4096; depth = depth * 3 / 2 + 1) {
      if (std::uint64_t{width} * depth > 8u * 1024 * 1024) continue;
      for (const Ports ports : {Ports::rw1, Ports::r1w1}) {
        // Words of 1 and 2 bytes are recorded up to 16 KB.
        const StoragePlan plan = plan_storage(width, depth, ports, 22);
        EXPECT_NO_THROW(sweep.at(plan.query)) << width << " x " << depth << ": " << plan.query.describe();
      }
    }
  }
}

TEST(Area, TotalsAreTheSumOfInstances) {
  const AreaReport r = cmd_report();
  double logic = 0, storage = 0;
  for (const BlockArea& b : r.blocks) logic += b.count * b.logic_mm2, storage += b.count * b.storage_mm2;
  EXPECT_DOUBLE_EQ(r.logic_mm2, logic);
  EXPECT_DOUBLE_EQ(r.storage_mm2, storage);
  EXPECT_DOUBLE_EQ(r.total_mm2(), logic + storage);
  EXPECT_GT(r.single_ported_mm2, 0.3 * r.storage_mm2);
  EXPECT_LT(r.single_ported_mm2, r.storage_mm2);
  EXPECT_TRUE(r.notes.empty()) << r.notes.front();
}

TEST(Area, CountsPerControllerAndPerSlice) {
  for (const BlockArea& b : cmd_report().blocks)  // 8 controllers with 16 hashers each, 16 slices
    EXPECT_EQ(b.count, b.use.block == "md5" ? 256u : b.use.block == "victim_fifo" ? 16u : 8u) << b.use.module;
}

TEST(Area, LogicIsTheLibrarysAreaTimesTheSquareOfTheFeatureSizes) {
  const AreaReport r = cmd_report();
  const auto s = synthesis("md5", "line_hasher", "s1");
  ASSERT_TRUE(s);
  EXPECT_EQ(r.blocks.front().use.module, "line_hasher");
  EXPECT_DOUBLE_EQ(r.blocks.front().logic_mm2, s->area_um2 * 16 * 16 / (180.0 * 180.0) / 1e6);
  EXPECT_NEAR(s->area_um2 / s->ge, Library::kNand2, 0.01);
}

TEST(Area, L2IsSixteenSlicesOfTheSweep) {
  const AreaReport r = cmd_report();
  Query slice = cache(262144, 128, 16, 256, 22);
  slice.access = Access::sequential;
  Recorded sweep;
  EXPECT_DOUBLE_EQ(r.l2_mm2.value(), 16 * sweep.at(slice).area_mm2() * (16 / 22.0) * (16 / 22.0));
}

TEST(Area, NodeScalesBothParts) {
  const AreaReport a = cmd_report(16), b = cmd_report(22);
  EXPECT_NEAR(a.total_mm2() / b.total_mm2(), 16 * 16 / (22.0 * 22.0), 1e-9);
}

TEST(Area, MissingBaselineIsSaidAndStorageKept) {
  SchemeBlocks scheme;
  scheme.name = "toy";
  BlockUse use;
  use.block = "no_block", use.module = "no_module", use.point = "paper", use.per = Per::cluster;
  use.paper_bits = 31744;
  scheme.blocks.push_back(use);
  Recorded sweep;
  const AreaReport r = area_of(scheme, *find_machine("rata"), sweep, 16);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_THAT(r.notes.front(), HasSubstr("no_module@paper: no synthesis baseline (synth/baseline/no_block.json)"));
  EXPECT_EQ(r.logic_mm2, 0);
  EXPECT_EQ(r.blocks.front().bits, 31744u);
  EXPECT_GT(r.storage_mm2, 0);
  EXPECT_TRUE(to_json(r)["blocks"][0]["ge"].is_null());
}

TEST(Area, ArraysThatDisagreeWithSynthesisAreSaid) {
  SchemeBlocks scheme = scheme_blocks("cmd");
  for (BlockUse& use : scheme.blocks) {
    if (use.block == "victim_fifo") use.arrays.front().depth = 15;
  }
  Recorded sweep;
  const AreaReport r = area_of(scheme, *find_machine("cmd"), sweep, 16);
  ASSERT_EQ(r.notes.size(), 1u);
  EXPECT_THAT(r.notes.front(), HasSubstr("the arrays listed hold 3840 bits, synthesis finds 4096 bits"));
}

TEST(Area, BlockPerWhatTheMachineHasNotIsSaid) {
  Recorded sweep;
  const AreaReport r = area_of(scheme_blocks("rata"), *find_machine("cmd"), sweep, 16);
  ASSERT_FALSE(r.notes.empty());
  EXPECT_THAT(r.notes.front(), HasSubstr("rata@paper: one per cluster, and profile 'cmd' has none"));
  EXPECT_EQ(r.total_mm2(), 0);
}

TEST(Area, SameJsonTwice) { EXPECT_EQ(to_json(cmd_report()).dump(), to_json(cmd_report()).dump()); }

TEST(Claims, FileIsTheSharedOne) {
  EXPECT_EQ(all_claims().size(), 85u);
  EXPECT_EQ(all_claims().front().id, "cmd.offchip_ratio");
  std::set<std::string> ids;
  for (const Claim& c : all_claims()) ids.insert(c.id);
  EXPECT_EQ(ids.size(), all_claims().size());
}

TEST(Claims, EveryHardwareClaimHasAFinding) {
  const auto found = everything();
  std::size_t hardware = 0;
  for (const Claim& c : all_claims()) {
    if (c.unit == "%" && c.id != "cmd.dram_overhead") continue;
    ++hardware;
    const Finding& f = finding(found, c.id);
    EXPECT_EQ(f.paper, c.value);
    EXPECT_TRUE(f.in_claims);
  }
  EXPECT_EQ(hardware, 11u);
  for (const Finding& f : found) {
    EXPECT_FALSE(f.why.empty()) << f.id;
    EXPECT_FALSE(f.arithmetic.empty()) << f.id;
    EXPECT_TRUE(f.ours.has_value()) << f.id;
  }
}

/// Figures that the data's README gives, found again.
TEST(Findings, MetadataArraysAreAsInTheDatasReadme) {
  const auto found = everything();
  const Finding& f = finding(found, "cmd.meta_area");
  std::string all;
  for (const std::string& line : f.arithmetic) all += line + "\n";
  EXPECT_THAT(all,
              AllOf(HasSubstr("8 B 0.359, 16 B 0.381, 32 B 0.356"), HasSubstr("8 B 0.478, 16 B 0.438, 32 B 0.466")));
  EXPECT_THAT(f.why, HasSubstr("does not include tags"));
}

TEST(Findings, ArithmeticOfThePapersIsRight) {
  const auto found = everything();
  EXPECT_NEAR(finding(found, "cmd.dram_overhead").ours.value(), 100 * (39 + 16) / 1024.0, 1e-9);
  EXPECT_NEAR(finding(found, "avc.sram_energy").ours.value(), 9.99, 0.005);
  EXPECT_NEAR(finding(found, "avc.sram_5kbit_area").ours.value(), 1196, 0.5);
  EXPECT_NEAR(finding(found, "cmd.cache_1mb_area").ours.value(), 0.435, 5e-4);
  EXPECT_EQ(finding(found, "rata.bits_per_cluster").ours, 31744.0);
  EXPECT_EQ(finding(found, "justit.bits_per_sm").ours, 16384.0);
  EXPECT_EQ(finding(found, "avc.side_bits").ours, 16384.0);
  const auto hasher = synthesis("md5", "line_hasher", "s1");
  EXPECT_EQ(finding(found, "cmd.md5_cycles").ours, 194.0 * path_cycles(paced_fo4(*hasher, 1365), 1365));
  EXPECT_NEAR(finding(found, "cmd.md5_area").ours.value(), 8 * hasher->ge * 24 * 16 * 16 / (180.0 * 180.0) / 1e6,
              1e-6);
}

TEST(Findings, TotalIsTheReportsTotal) {
  EXPECT_DOUBLE_EQ(finding(everything(), "cmd.total_area").ours.value(), cmd_report().total_mm2());
}

}  // namespace
}  // namespace warpsieve::cost
