// The secure options of the CMD schemes end to end: published MD5 collisions, what a verification reads, and
// tenants whose lines never share.
#include <gtest/gtest.h>

#include "schemes/path/request_kinds.h"
#include "support.h"
#include "support/md5_collisions.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

Pattern secure_bytes(const std::array<std::uint8_t, kLineBytes>& data) {
  return [data](unsigned i) { return data.at(i); };
}
const Pattern kSecureP = ramp(3);

/// Line 0 gets the first message, line 2 the second; both are read back from DRAM.
Steps collide(const CollisionPair& pair) {
  return Steps()
      .store(0, secure_bytes(pair.first), pair.mask)
      .store(2, secure_bytes(pair.second), pair.mask)
      .load(4)
      .load(2)
      .load(0);
}

void survive(const std::vector<CollisionPair>& pairs, Backend backend) {
  for (const CollisionPair& pair : pairs) {
    SchemeRun paper(scheme_of("cmd", {}, backend), collide(pair).workload());
    EXPECT_FALSE(paper.result.clean) << pair.name << ": the golden memory must see the wrong message";
    EXPECT_GT(paper.gpu.golden().checks(Source::reference), 0u);
    for (const char* name : {"cmd+siphash", "cmd+verify", "cmd+secure"}) {
      SchemeRun run(scheme_of(name, {}, backend), collide(pair).workload());
      EXPECT_TRUE(run.result.clean) << name << " " << pair.name << run.result.integrity.dump();
      EXPECT_EQ(run.stat("dedup.writes_inter"), 0u) << name << " " << pair.name;
      EXPECT_EQ(run.stat("dedup.writes_unique_home"), 2u);
      EXPECT_EQ(run.stat("dedup.collisions"), name == std::string("cmd+verify")) << name << " " << pair.name;
    }
  }
}

TEST(Collisions, PaperModeCorruptsAndSecureModesSurvive) { survive(collision_pairs(), Backend::model); }
TEST(Collisions, PaperModeCorruptsAndSecureModesSurviveInShadow) { survive(collision_pairs(), Backend::shadow); }

TEST(Collisions, EveryPublishedPairThatFillsWholeSectors) {
  const auto pairs = all_collision_pairs();
  if (pairs.empty()) GTEST_SKIP() << tb::without_shared_input("md5/collisions.txt");
  EXPECT_GE(pairs.size(), 15u);
  survive(pairs, Backend::model);
}

TEST(Verify, HitReadsTheReferenceOnceAndIsStillRemoved) {
  const Steps steps = Steps().store(0, kSecureP).store(2, kSecureP).load(4).load(2);
  SchemeRun paper(scheme_of("cmd"), steps.workload());
  SchemeRun run(scheme_of("cmd+verify"), steps.workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  EXPECT_EQ(run.stat("dedup.verified"), 1u);
  EXPECT_EQ(run.stat("dedup.collisions"), 0u);
  EXPECT_EQ(run.stat("dram.requests_verify_read"), 4u);
  auto expected = paper.requests();
  expected[static_cast<unsigned>(schemes::kVerifyRead)] = 4;
  EXPECT_EQ(run.requests(), expected) << "nothing else changes";
  EXPECT_EQ(run.result.stats["off_chip_requests"]["verify_read"], 4);
}

TEST(Verify, UniqueWritesPayNothing) {
  const Steps steps = Steps().store(0, kSecureP).store(2, ramp(7, 1)).load(4).load(2).load(0);
  SchemeRun paper(scheme_of("cmd"), steps.workload());
  SchemeRun run(scheme_of("cmd+verify"), steps.workload());
  EXPECT_EQ(run.stat("dedup.verified"), 0u);
  EXPECT_EQ(run.requests(), paper.requests());
  EXPECT_EQ(run.result.cycles, paper.result.cycles);
}

TEST(Verify, CleanCopyInTheL2SavesTheRead) {
  // Line 1 with P stays clean in slice 1 while line 0, a duplicate, is written back from slice 0.
  SchemeRun run(scheme_of("cmd+verify"),
                Steps().store(1, kSecureP).load(3).load(1).store(0, kSecureP).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  EXPECT_EQ(run.stat("dedup.verified"), 1u);
  EXPECT_EQ(run.stat("dram.requests_verify_read"), 0u);
  EXPECT_EQ(run.stat("car.probes"), 2u);  // one to verify, one to read line 0
}

// The memory has 512 lines: with one bit, lines 0 to 255 belong to tenant 0, the others to tenant 1.
TEST(Domains, TwoTenantsWithEqualLinesShareOnlyWithoutDomains) {
  const Steps steps = Steps().store(0, kSecureP).store(510, kSecureP).load(4).load(510).load(0);
  SchemeRun paper(scheme_of("cmd"), steps.workload());
  EXPECT_EQ(paper.stat("dedup.writes_inter"), 1u);
  for (const Backend backend : {Backend::model, Backend::shadow}) {
    SchemeRun run(scheme_of("cmd+domain", {}, backend), steps.workload());
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("dedup.writes_inter"), 0u);
    EXPECT_EQ(run.stat("dedup.writes_unique_home"), 2u);
    EXPECT_EQ(run.stat("dram.requests_write"), 8u);
  }
}

TEST(Domains, LinesOfOneTenantStillShare) {
  for (const unsigned other : {2u, 254u}) {
    SchemeRun run(scheme_of("cmd+domain"),
                  Steps().store(0, kSecureP).store(other, kSecureP).load(4).load(other).workload());
    EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  }
  SchemeRun apart(scheme_of("cmd+domain"), Steps().store(0, kSecureP).store(256, kSecureP).load(4).workload());
  EXPECT_EQ(apart.stat("dedup.writes_inter"), 0u);
  SchemeRun four(scheme_of("cmd+domain", {"cmd.domain_bits=2"}),
                 Steps().store(0, kSecureP).store(126, kSecureP).store(128, kSecureP).load(4).workload());
  EXPECT_EQ(four.stat("dedup.writes_inter"), 1u);
}

TEST(Secure, AnotherBootKeyChangesNoStatisticOfALegitimateRun) {
  const Steps steps = Steps().store(0, kSecureP).store(2, kSecureP).store(0, ramp(7, 1)).load(4).load(2).load(0);
  SchemeRun one(scheme_of("cmd+siphash"), steps.workload());
  SchemeRun two(scheme_of("cmd+siphash", {"cmd.hash_key=99"}), steps.workload());
  EXPECT_EQ(one.result.stats["counters"], two.result.stats["counters"]);
  EXPECT_EQ(one.stat("dedup.writes_inter"), 1u);
}

TEST(Secure, NamesOfTheSchemes) {
  for (const char* name : {"cmd+siphash", "cmd+verify", "cmd+domain", "cmd+secure"})
    EXPECT_EQ(scheme_of(name)->name(), name);
}

}  // namespace
}  // namespace warpsieve::tb
