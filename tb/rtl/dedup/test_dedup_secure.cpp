// dedup: the secure options. What a verification reads and costs, published MD5
// collisions, guards of the verification removed one by one, and tenants that never share.
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/md5_collisions.h"
#include "world.h"

namespace warpsieve::dedup {
namespace {

DedupUnitBackends secure_shadow() {
  DedupUnitBackends backends;
  backends.dedup = Backend::shadow;
  return backends;
}

DedupUnitParams verify_unit() {
  DedupUnitParams p = quick_unit();
  p.config.verify = true;
  return p;
}
/// Every fingerprint of a set is the same: only the comparison tells lines apart.
DedupUnitParams one_digest_unit() {
  DedupUnitParams p = verify_unit();
  p.digest_bits = 0;
  return p;
}
DedupUnitParams siphash_unit() {
  DedupUnitParams p = quick_unit();
  p.fingerprint = Fingerprint::siphash;
  p.siphash.key = {7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, 2};
  return p;
}

using Log = std::vector<std::pair<DramKind, std::uint32_t>>;
Log dram(World& world) {
  Log out;
  for (const DramReq& req : world.take_dram_log()) out.emplace_back(req.kind, req.line);
  return out;
}

// ---- verify-on-hit --------------------------------------------------------------------------------

TEST(DedupVerify, HitIsComparedWithTheSlotInDram) {
  World world(verify_unit(), secure_shadow(), {});
  EXPECT_FALSE(world.write(3, 0xf, pattern(1)).verified);  // no hit, nothing to pay
  dram(world);
  const DoneEvent event = world.write(5, 0xf, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::inter);
  EXPECT_TRUE(event.verified);
  EXPECT_FALSE(event.collision);
  EXPECT_EQ(event.verify_read, 0xf);
  EXPECT_EQ(dram(world), (Log{{DramKind::verify_read, 3}}));
  EXPECT_EQ(world.read(5, 0xf), pattern(1));
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

TEST(DedupVerify, SectorsTheL2HoldsCleanAreComparedThere) {
  for (const unsigned held : {0xfu, 0x7u, 0x1u, 0x0u}) {
    World world(verify_unit(), secure_shadow(), {});
    world.write(3, 0xf, pattern(1));
    world.l2_hold(3, held);
    dram(world);
    const DoneEvent event = world.write(5, 0xf, pattern(1));
    EXPECT_EQ(event.outcome, Outcome::inter);
    EXPECT_EQ(event.verify_read, 0xf & ~held);
    EXPECT_EQ(dram(world), held == 0xf ? Log{} : (Log{{DramKind::verify_read, 3}}));
  }
}

TEST(DedupVerify, WithoutCacheAssistedReadTheL2IsNotAsked) {
  DedupUnitParams params = verify_unit();
  params.config.car = false;
  World world(params, secure_shadow(), {});
  world.write(3, 0xf, pattern(1));
  world.l2_hold(3, 0xf);
  EXPECT_EQ(world.write(5, 0xf, pattern(1)).verify_read, 0xf);
}

TEST(DedupVerify, OnlyWrittenSectorsAreCompared) {
  World world(verify_unit(), secure_shadow(), {});
  world.write(3, 0x5, pattern(1));
  const DoneEvent event = world.write(6, 0x5, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::inter);
  EXPECT_EQ(event.verify_read, 0x5);
}

TEST(DedupVerify, RewriteOfTheSameContentComparesTheNewSectorsOnly) {
  World world(verify_unit(), secure_shadow(), {});
  world.write(3, 0xf, pattern(1));
  const DoneEvent event = world.write(3, 0x4, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::silent);
  EXPECT_EQ(event.read, 0xb);  // these came from the slot itself
  EXPECT_EQ(event.verify_read, 0x4);
}

TEST(DedupVerify, DifferenceInAnySectorMakesTheWriteUnique) {
  for (unsigned byte = 0; byte < 128; byte += 9) {
    for (const unsigned held : {0x0u, 0x6u, 0xfu}) {
      World world(one_digest_unit(), secure_shadow(), {});
      world.write(3, 0xf, pattern(1));
      world.l2_hold(3, held);
      LineData other = pattern(1);
      other[byte] ^= 0x10;
      const DoneEvent event = world.write(5, 0xf, other);
      EXPECT_EQ(event.outcome, Outcome::unique_home);
      EXPECT_TRUE(event.verified);
      EXPECT_TRUE(event.collision);
      EXPECT_TRUE(event.no_entry);
      // A difference that the L2 copy shows saves the read.
      EXPECT_EQ(event.verify_read, held >> (byte / 32) & 1 ? 0 : 0xf & ~held);
      EXPECT_EQ(world.read(5, 0xf), other);
      EXPECT_EQ(world.read(3, 0xf), pattern(1));
      EXPECT_EQ(world.stats().collisions, 1u);
    }
  }
}

TEST(DedupVerify, RewriteThatCollidesWithItsOwnOldContentIsNotDropped) {
  World world(one_digest_unit(), secure_shadow(), {});
  world.write(3, 0xf, pattern(1));
  const DoneEvent event = world.write(3, 0xf, pattern(2));
  EXPECT_EQ(event.outcome, Outcome::unique_in_place);
  EXPECT_TRUE(event.collision);
  EXPECT_EQ(world.read(3, 0xf), pattern(2));
}

TEST(DedupVerify, RewriteThatCollidesUnderAWiderMaskIsNotDropped) {
  World world(one_digest_unit(), secure_shadow(), {});
  world.write(3, 0x1, pattern(1));
  LineData home = world.content(3);  // as DRAM has it: the comparison of contents would not notice
  const DoneEvent event = world.write(3, 0x2, home);
  EXPECT_FALSE(event.collision);  // the mask is a part of the fingerprint
  EXPECT_EQ(event.verify_read, 0);
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

// Line 5 would use a slot whose sector 1 is that of line 3, and could write it there.
TEST(DedupVerify, LinesWithOtherSectorsThatCollideDoNotShare) {
  World world(one_digest_unit(), secure_shadow(), {});
  world.write(3, 0x1, pattern(1));
  const LineData home = world.content(3);  // sector 1 as DRAM has it: the comparison of contents would not notice
  const DoneEvent event = world.write(5, 0x3, home);
  EXPECT_NE(event.outcome, Outcome::inter);
  EXPECT_FALSE(event.collision);
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

TEST(DedupVerify, EntryIsFreeAgainAfterItsCollidingOwnerLeft) {
  World world(one_digest_unit(), secure_shadow(), {});
  world.write(3, 0xf, pattern(1));
  EXPECT_TRUE(world.write(3, 0xf, pattern(2)).collision);  // takes its own entry away
  EXPECT_FALSE(world.write(5, 0xf, pattern(4)).no_entry);
  EXPECT_EQ(world.write(6, 0xf, pattern(4)).outcome, Outcome::inter);
}

TEST(DedupVerify, UniqueWritesTakeNotOneCycleMore) {
  const auto cycles = [](const DedupUnitParams& params) {
    World world(params, {}, {.max_latency = 1});
    world.write(3, 0xf, pattern(1));
    const std::uint64_t start = world.cycle();
    world.write(3, 0xf, pattern(2));
    return world.cycle() - start;
  };
  EXPECT_EQ(cycles(verify_unit()), cycles(quick_unit()));
}

// ---- what a write costs ----------------------------------------------------------------------------

/// Cycles of one write of a whole line with the paper's latencies (76 per MD5 chunk, 20 per metadata access), all
/// metadata in the caches, DRAM and L2 answering at once.
struct WriteCosts {
  std::uint64_t unique, duplicate, duplicate_in_l2;
  bool operator==(const WriteCosts&) const = default;
};
std::ostream& operator<<(std::ostream& out, const WriteCosts& c) {
  return out << "unique " << c.unique << " duplicate " << c.duplicate << " duplicate_in_l2 " << c.duplicate_in_l2;
}
WriteCosts write_costs(Fingerprint fingerprint, bool verify) {
  DedupUnitParams params;
  params.config.total_lines = 18;
  params.config.spare_lines = 2;
  params.fingerprint = fingerprint;
  params.dedup.verify = params.config.verify = verify;
  World world(params, {}, {.max_latency = 1});
  const auto cost = [&](std::uint32_t line, const LineData& data) {
    const std::uint64_t start = world.cycle();
    world.write(line, 0xf, data);
    return world.cycle() - start;
  };
  WriteCosts costs{};
  for (std::uint32_t line = 3; line < 7; ++line) world.write(line, 0xf, pattern(line));
  costs.unique = cost(3, pattern(20));
  costs.duplicate = cost(5, pattern(20));
  world.l2_hold(3, 0xf);
  costs.duplicate_in_l2 = cost(6, pattern(20));
  return costs;
}
TEST(DedupCosts, OfAWholeLineWithThePapersLatencies) {
  EXPECT_EQ(write_costs(Fingerprint::md5, false), (WriteCosts{273, 275, 275}));
  EXPECT_EQ(write_costs(Fingerprint::md5, true), (WriteCosts{273, 305, 300}));
  EXPECT_EQ(write_costs(Fingerprint::siphash, false), (WriteCosts{88, 90, 90}));
  EXPECT_EQ(write_costs(Fingerprint::siphash, true), (WriteCosts{88, 120, 115}));
}

// ---- guards of the verification -------------------------------------------------------------------

/// 5's new content is that of 3's next write, which waits in the buffer and was forwarded to the L2.
void verify_against_newer_copy(World& world) {
  world.write(3, 0xf, pattern(1));
  world.offer_write(5, 0xf, pattern(2));
  world.until_taken();
  world.offer_write(3, 0xf, pattern(2));
  world.until_taken();
  world.l2_hold(3, 0xf);
  world.drain();
  world.check_all();
}
/// 3's slot holds what 5 shares; 3 itself lives elsewhere, and the L2 has 3's own content.
void verify_against_moved_reference(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(1));
  world.write(3, 0xf, pattern(2));
  world.l2_hold(3, 0xf);
  world.write(6, 0xf, pattern(2));
  world.check_all();
}
void collide_in_dram(World& world) {
  world.write(3, 0xf, pattern(1));
  world.write(5, 0xf, pattern(2));
  world.check_all();
}
void collide_in_l2(World& world) {
  world.write(3, 0xf, pattern(1));
  world.l2_hold(3, 0xf);
  world.write(5, 0xf, pattern(2));
  world.check_all();
}

struct VerifyGuard {
  const char* name;
  DedupFaults faults;
  void (*race)(World&);
};
class DedupVerifyGuards : public ::testing::TestWithParam<VerifyGuard> {};
INSTANTIATE_TEST_SUITE_P(
    Removed, DedupVerifyGuards,
    ::testing::Values(VerifyGuard{"read", {.believe_read = true}, collide_in_dram},
                      VerifyGuard{"copy", {.believe_copy = true}, collide_in_l2},
                      VerifyGuard{"resident_check", {.verify_ignores_type = true}, verify_against_moved_reference},
                      VerifyGuard{"buffer_check", {.verify_ignores_buffer = true}, verify_against_newer_copy}),
    [](const auto& info) { return std::string(info.param.name); });
TEST_P(DedupVerifyGuards, RemovedGuardCorrupts) {
  World sound(one_digest_unit(), {}, {});
  GetParam().race(sound);
  EXPECT_TRUE(sound.errors.empty()) << sound.errors.front();
  EXPECT_GT(sound.stats().collisions, 0u);
  World broken(one_digest_unit(), {}, {}, GetParam().faults);
  GetParam().race(broken);
  EXPECT_FALSE(broken.errors.empty());
}

// ---- published collisions -------------------------------------------------------------------------

/// Line 5 gets the second message while line 3 holds the first; what came of it.
DoneEvent second_message(World& world, const tb::CollisionPair& pair) {
  world.write(3, pair.mask, pair.first);
  const DoneEvent event = world.write(5, pair.mask, pair.second);
  world.check_all();
  return event;
}
void survive(const std::vector<tb::CollisionPair>& pairs) {
  for (const tb::CollisionPair& pair : pairs) {
    World paper(quick_unit(), {}, {});
    EXPECT_EQ(second_message(paper, pair).outcome, Outcome::inter) << pair.name;
    EXPECT_FALSE(paper.errors.empty()) << pair.name;
    World verify(verify_unit(), secure_shadow(), {});
    EXPECT_TRUE(second_message(verify, pair).collision) << pair.name;
    EXPECT_TRUE(verify.errors.empty()) << pair.name << verify.errors.front();
    World siphash(siphash_unit(), DedupUnitBackends{.hasher = Backend::shadow}, {});
    const DoneEvent event = second_message(siphash, pair);
    EXPECT_EQ(event.outcome, Outcome::unique_home) << pair.name;
    EXPECT_FALSE(event.no_entry) << pair.name;  // two fingerprints
    EXPECT_TRUE(siphash.errors.empty()) << pair.name << siphash.errors.front();
  }
}

TEST(DedupCollisions, PaperModeCorruptsVerifyAndSipHashSurvive) { survive(tb::collision_pairs()); }

TEST(DedupCollisions, EveryPublishedPairThatFillsWholeSectors) {
  const auto pairs = tb::all_collision_pairs();
  if (pairs.empty()) GTEST_SKIP() << tb::without_shared_input("md5/collisions.txt");
  EXPECT_GE(pairs.size(), 15u);
  survive(pairs);
}

TEST(DedupSipHash, AnotherKeyGivesOtherFingerprintsAndTheSameSharing) {
  for (unsigned k = 0; k < 4; ++k) {
    DedupUnitParams params = siphash_unit();
    params.siphash.key[k] ^= 0x40;
    World world(params, {}, {});
    world.write(3, 0xf, pattern(1));
    EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
    world.check_all();
    EXPECT_TRUE(world.errors.empty());
  }
}

// ---- domains --------------------------------------------------------------------------------------

TEST(DedupDomains, EqualLinesOfTwoTenantsShareOnlyWithoutDomains) {
  World world(quick_unit(), secure_shadow(), {});
  world.write(3, 0xf, pattern(1), 1);
  EXPECT_EQ(world.write(5, 0xf, pattern(1), 2).outcome, Outcome::unique_home);
  EXPECT_EQ(world.write(6, 0xf, pattern(1), 2).outcome, Outcome::inter);  // within a tenant they do
  EXPECT_EQ(world.write(7, 0xf, pattern(1), 1).outcome, Outcome::inter);
  dram(world);
  world.read(6, 0xf);
  world.read(7, 0xf);
  EXPECT_EQ(dram(world), (Log{{DramKind::slot_read, 5}, {DramKind::slot_read, 3}}));
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();

  DedupUnitParams one = quick_unit();
  one.dedup.domain_bits = one.store.domain_bits = 0;
  World without(one, secure_shadow(), {});
  without.write(3, 0xf, pattern(1), 1);
  EXPECT_EQ(without.write(5, 0xf, pattern(1), 2).outcome, Outcome::inter);
}

TEST(DedupDomains, LineThatChangesItsTenantLeavesTheOldOnesSharers) {
  World world(quick_unit(), secure_shadow(), {});
  world.write(3, 0xf, pattern(1), 1);
  world.write(5, 0xf, pattern(1), 1);
  EXPECT_EQ(world.write(5, 0xf, pattern(1), 2).outcome, Outcome::unique_home);  // same content, not silent
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

TEST(DedupDomains, MergedWriteHasTheDomainOfTheLastOne) {
  World world(quick_unit(), secure_shadow(), {});
  world.write(3, 0xf, pattern(1), 2);
  world.offer_write(4, 0xf, pattern(2), 1);
  world.until_taken();
  world.offer_write(5, 0x3, pattern(1), 1);
  world.until_taken();
  world.offer_write(5, 0xc, pattern(1), 2);
  world.until_taken();
  world.drain();
  EXPECT_EQ(world.stats().outcomes[static_cast<unsigned>(Outcome::inter)], 1u);
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

TEST(DedupSecure, VerificationNeedsAUnitThatHasIt) {
  DedupUnitParams params = verify_unit();
  params.dedup.verify = false;
  EXPECT_THROW(DedupUnit(params, {}), std::invalid_argument);
  EXPECT_THROW(make_dedup({.domain_bits = 5}, {}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_dedup({.domain_bits = 9}, {}, Backend::model), std::invalid_argument);
  params = quick_unit();
  params.store.domain_bits = 1;
  EXPECT_THROW(DedupUnit(params, {}), std::invalid_argument);
}

TEST(DedupSecure, ShadowNoticesAModelThatBelievesTheRead) {  // a deliberately wrong model is caught
  World world(one_digest_unit(), secure_shadow(), {}, {.believe_read = true});
  world.write(3, 0xf, pattern(1));
  EXPECT_THROW(world.write(5, 0xf, pattern(2)), std::runtime_error);
}

}  // namespace
}  // namespace warpsieve::dedup
