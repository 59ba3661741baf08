// Each guard of the schemes that can be removed from outside, removed: the golden memory must report
// corruption, and the same trace must be clean with the guard in place.
#include <gtest/gtest.h>

#include "faulty.h"
#include "support/md5_collisions.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

const Pattern kP = ramp(3), kQ = ramp(7, 1);

struct Outcome {
  bool clean;
  std::uint64_t by_source(Source source) const {
    return report["mismatched_by_source"].value(memsys::name(source), 0u);
  }
  nlohmann::ordered_json report;
};

Outcome run(const std::string& scheme, const Faults& faults, ToyWorkload w, std::vector<std::string> set = {}) {
  FaultyScheme faulty(scheme, faults, std::move(set));
  Gpu gpu(one_line_slices(), faulty, w);
  faulty.golden = &gpu.golden();
  const Result result = gpu.run();
  return {result.clean, result.integrity};
}

TEST(Hazards, FifoThatKeepsWrittenSectorsIsReported) {
  const Steps steps = Steps().load(0).load(2).store(0, kP).load(2).load(0);
  EXPECT_TRUE(run("cmd", {}, steps.workload()).clean);
  const Outcome bad = run("cmd", {.keep_written_victims = true}, steps.workload());
  EXPECT_FALSE(bad.clean);
  EXPECT_GT(bad.by_source(Source::victim_fifo), 0u);
}

/// Line 0 is written back when line 2 comes and read again at once.
ToyWorkload read_after_write_back() {
  ToyWorkload w(Steps::kBytes);
  WarpBuilder warp;
  warp.store(word_lanes(0, 0xf), 4, [](unsigned lane, unsigned byte) { return kP(lane * 4 + byte); });
  const std::uint32_t other = warp.load(word_lanes(2, 0xf), 4);
  warp.load({{0, 4 * 128}}, 4, {other});
  warp.load(word_lanes(0, 0xf), 4, {other});
  w.add({warp});
  return w;
}

TEST(Hazards, ReadThatPassesAPendingWriteOfItsLineIsReported) {
  for (const char* scheme : {"baseline", "dedup", "dedup+car", "cmd"}) {
    EXPECT_TRUE(run(scheme, {}, read_after_write_back()).clean) << scheme;
    EXPECT_TRUE(run(scheme, {.hold_writes = 5000}, read_after_write_back()).clean) << scheme;
    EXPECT_FALSE(run(scheme, {.hold_writes = 5000, .reads_wait = false}, read_after_write_back()).clean) << scheme;
  }
}

TEST(Hazards, DramWriteThatArrivesLateIsReported) {
  for (const char* scheme : {"baseline", "dedup", "dedup+car", "cmd"})
    EXPECT_FALSE(run(scheme, {.hold_dram_writes = 20000}, read_after_write_back()).clean) << scheme;
}

TEST(Hazards, ReferenceReadBeforeItsContentArrivedIsReported) {
  ToyWorkload w(Steps::kBytes);
  WarpBuilder warp;  // one launch, so that the late write is still late
  std::vector<std::uint32_t> last;
  for (const unsigned line : {0u, 2u}) {
    warp.store(word_lanes(line, 0xf), 4, [](unsigned lane, unsigned byte) { return kP(lane * 4 + byte); });
    for (const unsigned other : {10u, 12u, 14u, 16u}) last = {warp.load(word_lanes(line * 10 + other, 0xf), 4, last)};
  }
  warp.load(word_lanes(2, 0xf), 4, last);
  w.add({warp});
  EXPECT_TRUE(run("dedup", {}, w).clean);
  const Outcome bad = run("dedup", {.hold_dram_writes = 90000}, w);  // less than gpu.patience
  EXPECT_FALSE(bad.clean);
  EXPECT_GT(bad.by_source(Source::reference) + bad.by_source(Source::dram), 0u);
}

TEST(Hazards, CopyOfADirtyReferenceIsReported) {
  const Steps steps = Steps().store(1, kP).load(3).load(1).store(0, kP).load(2).store(1, kQ, 0x8).load(0);
  EXPECT_TRUE(run("dedup+car", {}, steps.workload()).clean);
  const Outcome bad = run("dedup+car", {.copy_dirty = true}, steps.workload());
  EXPECT_FALSE(bad.clean);
  EXPECT_EQ(bad.by_source(Source::cache_assisted), 1u);  // the dirty sector
}

TEST(Hazards, LostMetadataIsReported) {
  Steps steps;
  for (unsigned i = 0; i < 8; ++i) steps.store(32 * i, words(static_cast<std::uint8_t>(i * 16 + 1)));
  for (unsigned i = 0; i < 8; ++i) steps.load(32 * i);
  EXPECT_TRUE(run("dedup", {}, steps.workload(), {"cmd.address_sets=1"}).clean);
  const Outcome bad = run("dedup", {.drop_metadata = true}, steps.workload(), {"cmd.address_sets=1"});
  EXPECT_FALSE(bad.clean);
  EXPECT_GT(bad.by_source(Source::generated), 0u);
}

Pattern bytes(const std::array<std::uint8_t, kLineBytes>& data) {
  return [data](unsigned i) { return data.at(i); };
}

TEST(Hazards, TwoLinesOfOneMd5AreMergedAndTheGoldenMemorySaysSo) {
  for (const CollisionPair& pair : collision_pairs()) {
    const Steps steps = Steps()
                            .store(0, bytes(pair.first), pair.mask)
                            .store(2, bytes(pair.second), pair.mask)
                            .load(4)
                            .load(2)
                            .load(0);
    EXPECT_TRUE(run("baseline", {}, steps.workload()).clean);
    for (const char* scheme : {"dedup", "dedup+car", "cmd"}) {
      const Outcome bad = run(scheme, {}, steps.workload());
      EXPECT_FALSE(bad.clean) << scheme << " " << pair.name;
      // Each sector of the first pair differs in at least one byte, both of the second do.
      EXPECT_EQ(bad.by_source(Source::reference), count_sectors(pair.mask)) << scheme << " " << pair.name;
    }
  }
  // Two lines that differ in one bit and do not collide stay apart.
  const auto first = collision_pairs().front().first;
  const Pattern other = [=](unsigned i) { return static_cast<std::uint8_t>(first[i] ^ (i == 5)); };
  EXPECT_TRUE(
      run("dedup", {}, Steps().store(0, bytes(first)).store(2, other).load(4).load(2).load(0).workload()).clean);
}

}  // namespace
}  // namespace warpsieve::tb
