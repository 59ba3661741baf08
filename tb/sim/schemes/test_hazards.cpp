// Each guard of the schemes that can be removed from outside, removed: the golden memory must report
// corruption, and the same trace must be clean with the guard in place.
#include <gtest/gtest.h>

#include <string_view>

#include "faulty.h"

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
  const Outcome bad = run("dedup", {.hold_dram_writes = 200000}, w);
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

// X. Wang, H. Yu, "How to Break MD5 and Other Hash Functions", EUROCRYPT 2005: two 128-byte messages, six
// bytes apart, of one MD5. The padding and the mask byte that follow are the same for both.
constexpr std::string_view kCollision[2] = {
    "d131dd02c5e6eec4693d9a0698aff95c2fcab58712467eab4004583eb8fb7f8955ad340609f4b30283e488832571415a"
    "085125e8f7cdc99fd91dbdf280373c5bd8823e3156348f5bae6dacd436c919c6dd53e2b487da03fd02396306d248cda0"
    "e99f33420f577ee8ce54b67080a80d1ec69821bcb6a8839396f9652b6ff72a70",
    "d131dd02c5e6eec4693d9a0698aff95c2fcab50712467eab4004583eb8fb7f8955ad340609f4b30283e4888325f1415a"
    "085125e8f7cdc99fd91dbd7280373c5bd8823e3156348f5bae6dacd436c919c6dd53e23487da03fd02396306d248cda0"
    "e99f33420f577ee8ce54b67080280d1ec69821bcb6a8839396f965ab6ff72a70"};

Pattern message(unsigned which) {
  std::string bytes;
  for (std::size_t i = 0; i < kCollision[which].size(); i += 2)
    bytes.push_back(static_cast<char>(std::stoi(std::string(kCollision[which].substr(i, 2)), nullptr, 16)));
  return [bytes](unsigned i) { return static_cast<std::uint8_t>(bytes.at(i)); };
}

TEST(Hazards, TwoLinesOfOneMd5AreMergedAndTheGoldenMemorySaysSo) {
  const Steps steps = Steps().store(0, message(0)).store(2, message(1)).load(4).load(2).load(0);
  EXPECT_TRUE(run("baseline", {}, steps.workload()).clean);
  for (const char* scheme : {"dedup", "dedup+car", "cmd"}) {
    const Outcome bad = run(scheme, {}, steps.workload());
    EXPECT_FALSE(bad.clean) << scheme;
    EXPECT_EQ(bad.by_source(Source::reference), 4u) << scheme;  // each sector differs in at least one byte
  }
  // Two lines that differ in one bit and do not collide stay apart.
  const Pattern other = [](unsigned i) { return static_cast<std::uint8_t>(message(0)(i) ^ (i == 5)); };
  EXPECT_TRUE(
      run("dedup", {}, Steps().store(0, message(0)).store(2, other).load(4).load(2).load(0).workload()).clean);
}

}  // namespace
}  // namespace warpsieve::tb
