// dedup: random reads, stores, evictions and probes on a tiny memory against a plain array.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "support/long_run.h"
#include "support/property.h"
#include "world.h"

namespace warpsieve::dedup {
namespace {

struct Totals {
  DedupUnitStats stats;
  std::uint64_t operations = 0, copies = 0, forwards = 0, intras = 0, slot_reads = 0, dirty_probes = 0, cycles = 0,
                shared = 0, some_writes = 0;
  void add(const World& world) {
    const DedupUnitStats& s = world.stats();
    for (unsigned k = 0; k < kOutcomes; ++k) stats.outcomes[k] += s.outcomes[k];
    stats.no_entry += s.no_entry;
    stats.saturated += s.saturated;
    stats.partial_limit += s.partial_limit;
    stats.evicted += s.evicted;
    stats.scanned += s.scanned;
    stats.dedup_read_sectors += s.dedup_read_sectors;
    stats.verified += s.verified;
    stats.collisions += s.collisions;
    stats.verify_read_sectors += s.verify_read_sectors;
    stats.passed += s.passed;
    some_writes += world.some_writes;
    shared += world.shared;
    operations += world.operations;
    copies += world.copies;
    forwards += world.forwards;
    intras += world.intras;
    slot_reads += world.slot_reads;
    dirty_probes += world.dirty_probes;
    cycles += world.cycle();
  }
  /// Every outcome and every source must have occurred, or the test did not test it.
  void expect_everything() const {
    for (unsigned k = 0; k < kOutcomes; ++k) {
      EXPECT_GT(stats.outcomes[k], 0u) << to_string(static_cast<Outcome>(k));
    }
    EXPECT_GT(stats.no_entry, 0u);
    EXPECT_GT(stats.saturated, 0u);
    EXPECT_GT(stats.partial_limit, 0u);
    EXPECT_GT(stats.evicted, 0u);
    EXPECT_GT(stats.scanned, 0u);
    EXPECT_GT(stats.dedup_read_sectors, 0u);
    EXPECT_GT(copies, 0u);
    EXPECT_GT(forwards, 0u);
    EXPECT_GT(intras, 0u);
    EXPECT_GT(slot_reads, 0u);
    EXPECT_GT(dirty_probes, 0u);
  }
  void print() const {
    fmt::print("[ counted  ] operations {} cycles {} copies {} forwards {} intra replies {} slot reads {}\n",
               operations, cycles, copies, forwards, intras, slot_reads);
    for (unsigned k = 0; k < kOutcomes; ++k) {
      fmt::print("[ counted  ] {} {}\n", to_string(static_cast<Outcome>(k)), stats.outcomes[k]);
    }
    fmt::print("[ counted  ] no_entry {} saturated {} partial_limit {} evicted {} scanned {} dedup_read_sectors {}\n",
               stats.no_entry, stats.saturated, stats.partial_limit, stats.evicted, stats.scanned,
               stats.dedup_read_sectors);
    fmt::print("[ counted  ] verified {} collisions {} verify_read_sectors {} shared sectors {}\n", stats.verified,
               stats.collisions, stats.verify_read_sectors, shared);
    fmt::print("[ counted  ] passed {}, with byte masks {}\n", stats.passed, some_writes);
  }
};

/// Draws configuration, pressure and seed, runs one world, adds to the totals.
void run_case(DedupUnitParams params, const DedupUnitBackends& backends, unsigned operations, Totals& totals,
              bool secure = false) {
  params.hash_cycles_per_chunk = 0;
  params.metadata_cycles = *rc::gen::element(0u, 0u, 7u);
  params.hasher.steps_per_cycle = 4;
  params.config.car = *rc::gen::inRange(0, 8) != 0;
  params.config.hash = *rc::gen::inRange(0, 16) != 0;
  params.config.region = params.dedup.region_bits && *rc::gen::arbitrary<bool>();
  params.config.fresh = *rc::gen::inRange(0, 8) != 0;
  params.config.bypass_level = *rc::gen::element(0u, 0u, 0u, params.dedup.buffer_entries);
  // Many short lives see untouched and partly written lines, a long one sees everything full.
  const unsigned worlds = *rc::gen::element(1u, 10u);
  Knobs knobs{*rc::gen::element(100u, 100u, 60u, 20u),
              *rc::gen::element(1u, 4u, 40u),
              *rc::gen::inRange(1u, 1u << 30),
              *rc::gen::element(1u, 2u, 3u, 6u),
              *rc::gen::element(0u, 20u),
              *rc::gen::element(0u, 2u, 15u, 50u),
              *rc::gen::element(0u, 50u, 95u),
              *rc::gen::element(0xfu, 0xfu, 0xfu, 0x3u),
              *rc::gen::element(30u, 60u, 90u),
              *rc::gen::element(0u, 0u, 30u, 100u),
              *rc::gen::element(0u, 50u, 90u)};
  if (params.dedup.byte_masks) {
    knobs.some_percent = *rc::gen::element(0u, 10u, 50u, 90u);
    params.config.pass = *rc::gen::arbitrary<bool>();
  }
  if (secure) {  // few bits of the digest: most hits are collisions
    params.config.verify = true;
    params.digest_bits = *rc::gen::element(128u, 8u, 3u, 1u, 0u);
    if (*rc::gen::arbitrary<bool>()) {
      params.fingerprint = Fingerprint::siphash;
      params.siphash.half_rounds_per_cycle = 2;
      for (auto& byte : params.siphash.key) byte = *rc::gen::arbitrary<std::uint8_t>();
    }
    if (*rc::gen::inRange(0, 3)) knobs.domains = 1u << params.dedup.domain_bits;
  }
  if (*rc::gen::arbitrary<bool>()) {  // several partly written lines may share
    params.config.spare_lines += 6;
    params.config.total_lines += 6;
  }
  if (*rc::gen::arbitrary<bool>()) {  // 16 lines spread over the whole space: every map access misses
    params.config.total_lines = 1u << params.dedup.line_bits;
    knobs.stride = (params.config.total_lines - params.config.spare_lines) / 16;
  }
  for (unsigned k = 0; k < worlds; ++k, ++knobs.seed) {
    World world(params, backends, knobs);
    stress(world, operations / worlds);
    totals.add(world);
    if (!world.errors.empty()) RC_FAIL(fmt::format("seed {}: {}", knobs.seed, world.errors.front()));
  }
}

TEST(DedupStress, ModelAgreesWithPlainArrayFor300000Operations) {
  Totals totals;
  tb::check_property("dedup tiny model", 100,
                     [&] { run_case(tiny_unit(), DedupUnitBackends::all(Backend::model), 3000, totals); });
  totals.print();
  EXPECT_GE(totals.operations, 300000u);
  totals.expect_everything();
}

/// Many writes in process at a time, with and without the secure options.
TEST(DedupStress, DeepBufferModelAgreesWithPlainArray) {
  DedupUnitParams params = tiny_unit();
  params.config.total_lines = 42;
  params.dedup.buffer_entries = 12;
  params.dedup.lookups = 4;
  params.dedup.hash_units = 3;
  Totals totals;
  const auto all = DedupUnitBackends::all(Backend::model);
  tb::check_property("dedup deep model", 30, [&] { run_case(params, all, 3000, totals); });
  tb::check_property("dedup deep secure model", 30, [&] { run_case(params, all, 3000, totals, true); });
  totals.print();
  EXPECT_GE(totals.operations, 180000u);
  totals.expect_everything();
}

/// The paper's blocks, 32 writes in process, over a small memory.
TEST(DedupStress, PaperPointInShadowAgreesWithPlainArray) {
  DedupUnitParams params;
  params.config.total_lines = 42;
  params.config.spare_lines = 2;
  DedupUnitBackends backends = DedupUnitBackends::all(Backend::model);
  backends.dedup = Backend::shadow;
  Totals totals;
  tb::check_property("dedup paper shadow", 4, [&] { run_case(params, backends, 600, totals); });
  DedupUnitParams guarded = params;
  guarded.dedup.verify = true;
  guarded.dedup.domain_bits = guarded.store.domain_bits = 4;
  guarded.dedup.region_bits = 5;
  tb::check_property("dedup secure shadow", 4, [&] { run_case(guarded, backends, 600, totals, true); });
  totals.print();
}

TEST(DedupStress, ShadowAgreesWithPlainArrayFor30000Operations) {
  Totals totals;
  DedupUnitBackends backends = DedupUnitBackends::all(Backend::model);
  backends.dedup = Backend::shadow;
  tb::check_property("dedup tiny shadow", 20, [&] { run_case(tiny_unit(), backends, 1500, totals); });
  totals.print();
  EXPECT_GE(totals.operations, 30000u);
  totals.expect_everything();
}

/// Verification with digests so short that most hits are collisions; several domains; both fingerprints.
TEST(DedupStress, SecureModelSurvivesCollisionsAndKeepsDomainsApart) {
  Totals totals;
  tb::check_property("dedup tiny secure model", 60,
                     [&] { run_case(tiny_unit(), DedupUnitBackends::all(Backend::model), 3000, totals, true); });
  totals.print();
  EXPECT_GE(totals.operations, 180000u);
  totals.expect_everything();
  EXPECT_GT(totals.stats.collisions, 1000u);
  EXPECT_GT(totals.stats.verify_read_sectors, 1000u);
  EXPECT_GT(totals.shared, 100u);
}

TEST(DedupStress, SecureShadowSurvivesCollisionsAndKeepsDomainsApart) {
  Totals totals;
  DedupUnitBackends backends = DedupUnitBackends::all(Backend::model);
  backends.dedup = Backend::shadow;
  tb::check_property("dedup tiny secure shadow", 20, [&] { run_case(tiny_unit(), backends, 1500, totals, true); });
  totals.print();
  EXPECT_GT(totals.stats.collisions, 300u);
  EXPECT_GT(totals.stats.verified, 1000u);
}

TEST(DedupStress, OddPointInShadowAgreesWithPlainArray) {
  Totals totals;
  const DedupUnitParams params = odd_unit();
  DedupUnitBackends backends = DedupUnitBackends::all(Backend::model);
  backends.dedup = Backend::shadow;
  tb::check_property("dedup odd shadow", 10, [&] { run_case(params, backends, 1000, totals); });
  tb::check_property("dedup odd secure shadow", 10, [&] { run_case(params, backends, 1000, totals, true); });
  totals.print();
}

/// The third of three writes waits for the lookups of the others; the rest of its line comes one sector at a time. A
/// fourth write per round moves the ring on, so that every entry is the one that waits.
TEST(DedupStress, SectorsMergeIntoAWaitingWriteAtEveryPlaceOfTheOddBuffer) {
  DedupUnitBackends backends = DedupUnitBackends::all(Backend::model);
  backends.dedup = Backend::shadow;
  World world(odd_unit(), backends, {});
  for (unsigned round = 0; round < 12; ++round) {
    const auto write = [&](std::uint32_t line, unsigned mask, unsigned content) {
      world.offer_write(line, mask, pattern(content));
      world.until_taken();
    };
    write(1, 0xf, 3 * round);
    write(2, 0xf, 3 * round + 1);
    for (unsigned sector = 0; sector < 4; ++sector) write(5 + round, 1u << sector, 50 + 4 * round + sector);
    world.drain();
    world.read(5 + round, 0xf);
    world.write(3, 0xf, pattern(200 + round));
  }
  world.check_all();
  EXPECT_TRUE(world.errors.empty()) << world.errors.front();
}

/// The last writes scan the map for a free slot, for hundreds of cycles without a sign: the check of all lines must
/// wait for them, or it sees a slot that changes hands between two of its reads.
TEST(DedupStress, CheckOfAllLinesWaitsForWritesThatScan) {
  DedupUnitParams params = tiny_unit();
  params.hash_cycles_per_chunk = 0;
  params.hasher.steps_per_cycle = 4;
  params.metadata_cycles = 0;
  params.config.car = params.config.verify = true;
  params.digest_bits = 0;
  params.fingerprint = Fingerprint::siphash;
  params.siphash.half_rounds_per_cycle = 2;
  params.config.total_lines = 1u << params.dedup.line_bits;
  Knobs knobs{60, 1, 437449040, 2, 20, 0, 95, 0xf, 90, 0, 0};
  knobs.domains = 1u << params.dedup.domain_bits;
  knobs.stride = (params.config.total_lines - params.config.spare_lines) / 16;
  std::uint64_t scanned = 0;
  for (unsigned k = 0; k < 50; ++k, ++knobs.seed) {
    World world(params, DedupUnitBackends::all(Backend::model), knobs);
    stress(world, 350);
    EXPECT_THAT(world.errors, ::testing::IsEmpty()) << "seed " << knobs.seed;
    scanned += world.stats().scanned;
  }
  EXPECT_GT(scanned, 0u);
}

/// More than a million operations in lock step, over all points, with and without the secure options.
TEST(DedupStress, LongShadowRunAtEveryPoint) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million operations";
  DedupUnitBackends backends = DedupUnitBackends::all(Backend::model);
  backends.dedup = Backend::shadow;
  DedupUnitParams paper;  // the paper's blocks over a small memory
  paper.config.total_lines = 18;
  paper.config.spare_lines = 2;
  DedupUnitParams guarded = paper;
  guarded.dedup.verify = true;
  guarded.dedup.domain_bits = guarded.store.domain_bits = 4;
  Totals totals;
  const auto part = [&](const char* name, const DedupUnitParams& params, bool secure, int cases,
                        unsigned operations) {
    tb::check_property(name, cases, [&] { run_case(params, backends, operations, totals, secure); });
  };
  part("long tiny", tiny_unit(), false, 100, 3500);
  part("long tiny secure", tiny_unit(), true, 100, 3500);
  part("long odd", odd_unit(), false, 50, 3000);
  part("long odd secure", odd_unit(), true, 50, 3000);
  part("long paper", paper, false, 10, 1000);
  part("long secure", guarded, true, 10, 1000);
  totals.print();
  EXPECT_GE(totals.operations, 1000000u);
  tb::report_transactions(totals.operations);
  totals.expect_everything();
}

}  // namespace
}  // namespace warpsieve::dedup
