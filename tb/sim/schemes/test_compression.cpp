// bpc, bcd and cmd+bpc for hand-made traces: what they read and write, in sectors of 32 bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using ::testing::ElementsAre;

/// Word w of the line is f(w).
template <class F>
Pattern words_of(F f) {
  return [f](unsigned i) { return static_cast<std::uint8_t>(static_cast<std::uint32_t>(f(i / 4)) >> 8 * (i % 4)); };
}
const Pattern kCount = words_of([](unsigned w) { return 1000 + 3 * w; });   ///< one sector of BPC
const Pattern kOther = words_of([](unsigned w) { return 70000 + 5 * w; });  ///< one sector, too
const Pattern kNoise = words_of([](unsigned w) { return (w + 1) * 0x9e3779b9u ^ (w * w * 0x85ebca6bu) >> 7; });

// requests(): write, data_read, read_only, metadata_read, metadata_write, dedup_read, verify_read

TEST(Bpc, ALineThatCompressesTakesOneSectorEachWay) {
  const Steps steps = Steps().store(0, kCount).load(2).load(0);
  SchemeRun plain(scheme_of("baseline"), steps.workload()), run(scheme_of("bpc"), steps.workload());
  EXPECT_THAT(plain.requests(), ElementsAre(4, 4, 4, 0, 0, 0, 0));
  EXPECT_THAT(run.requests(), ElementsAre(1, 1, 4, 1, 0, 0, 0));  // lines 0 and 2 share a sector of sizes
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("bpc.lines_1"), 1u);
  EXPECT_EQ(run.stat("bpc.compressed_reads"), 1u);
}

TEST(Bpc, ALineThatDoesNotCompressStaysRawAndSectored) {
  SchemeRun run(scheme_of("bpc"), Steps().store(0, kNoise).load(2).load(0, 0x4).workload());
  EXPECT_THAT(run.requests(), ElementsAre(4, 1, 4, 1, 0, 0, 0));
  EXPECT_EQ(run.stat("bpc.lines_4"), 1u);
  EXPECT_TRUE(run.result.clean);
}

TEST(Bpc, OneSectorOfACompressedLineCostsTheWholeCode) {
  const Pattern twelve_bits = words_of([](unsigned w) { return (w * w + 1) * 0x9e3779b9u >> 20; });
  SchemeRun run(scheme_of("bpc"), Steps().store(0, twelve_bits).load(2).load(0, 0x1).workload());
  EXPECT_EQ(run.stat("bpc.lines_2"), 1u);
  EXPECT_THAT(run.requests(), ElementsAre(2, 2, 4, 1, 0, 0, 0));
  EXPECT_TRUE(run.result.clean);
}

TEST(Bpc, APartOfARawLineIsWrittenAsItIs) {
  SchemeRun run(scheme_of("bpc"), Steps().store(0, kCount, 0x6).load(2).load(0).workload());
  EXPECT_THAT(run.requests(), ElementsAre(2, 2, 4 + 2, 1, 0, 0, 0));
  EXPECT_EQ(run.stat("bpc.partial_raw"), 1u);
  EXPECT_TRUE(run.result.clean);
}

TEST(Bpc, APartOfACompressedLineIsMergedAndCompressedAgain) {
  SchemeRun run(scheme_of("bpc"), Steps().store(0, kCount).load(2).store(0, kOther, 0x8).load(2).load(0).workload());
  EXPECT_EQ(run.stat("bpc.rewrites"), 1u);
  EXPECT_EQ(run.stat("dram.requests_dedup_read"), 1u);
  EXPECT_EQ(run.gpu.golden().checks(Source::dedup_read), 3u);
  EXPECT_TRUE(run.result.clean);
  // A line that grows beyond three sectors is raw again.
  SchemeRun grown(scheme_of("bpc"),
                  Steps().store(0, kCount).load(2).store(0, kNoise, 0xe).load(2).load(0).workload());
  EXPECT_EQ(grown.stat("bpc.lines_4") + grown.stat("bpc.lines_3"), 1u);
  EXPECT_TRUE(grown.result.clean);
}

TEST(Bpc, SizesGoToDramAndComeBack) {
  Steps steps;  // one line of the size cache: 512 sizes of 4 sectors; every 128th line is in another sector
  for (unsigned line = 0; line < 512; line += 64) steps.store(line, kCount);
  for (unsigned line = 0; line < 512; line += 64) steps.load(line);
  SchemeRun run(scheme_of("bpc", {"bpc.size_sets=1", "bpc.size_ways=1"}), steps.workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("size_cache.misses"), run.stat("dram.requests_metadata_read"));
  EXPECT_EQ(run.stat("dram.requests_metadata_read"), 4u);
  EXPECT_EQ(run.stat("bpc.lines_1"), 8u);
}

TEST(Bpc, TheCodecsLatencyIsCharged) {
  const Steps steps = Steps().store(0, kCount).load(2).load(0);
  SchemeRun fast(scheme_of("bpc", {"bpc.decode_cycles=0"}), steps.workload()),
      slow(scheme_of("bpc", {"bpc.decode_cycles=500"}), steps.workload());
  EXPECT_EQ(slow.result.cycles - fast.result.cycles, 500u);
}

TEST(Bpc, BackendsAgree) {
  const Steps steps =
      Steps().store(0, kCount).store(2, kNoise).load(4).store(0, kOther, 0x8).load(2).load(0).load(2, 0x3);
  SchemeRun model(scheme_of("bpc"), steps.workload());
  EXPECT_TRUE(model.result.clean);
  for (const Backend backend : {Backend::rtl, Backend::shadow}) {
    SchemeRun run(scheme_of("bpc", {}, backend), steps.workload());
    EXPECT_EQ(run.result.stats.dump(), model.result.stats.dump());
  }
}

TEST(CmdWithBpc, UniqueLinesAreCompressedDuplicatesAreNotWritten) {
  const Steps steps = Steps().store(0, kCount).store(2, kCount).load(4).load(2).load(0);
  for (const Backend backend : {Backend::model, Backend::shadow}) {
    SchemeRun cmd(scheme_of("cmd", {}, backend), steps.workload()),
        both(scheme_of("cmd+bpc", {}, backend), steps.workload());
    EXPECT_TRUE(both.result.clean);
    EXPECT_EQ(cmd.stat("dram.requests_write"), 4u);
    EXPECT_EQ(both.stat("dram.requests_write"), 1u);
    EXPECT_EQ(both.stat("dedup.writes_inter"), 1u);
    EXPECT_EQ(both.stat("bpc.lines_1"), 1u);
    EXPECT_EQ(both.stat("car.reference_sectors"), cmd.stat("car.reference_sectors"));
    EXPECT_LT(both.stat("dram.requests_data_read"), cmd.stat("dram.requests_data_read"));
  }
}

TEST(CmdWithBpc, AReferenceThatLeavesItsHomeStaysReadable) {
  SchemeRun run(scheme_of("cmd+bpc"),
                Steps().store(0, kCount).store(2, kCount).store(0, kOther).load(4).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_unique_borrowed"), 1u);
  EXPECT_EQ(run.stat("dram.requests_write"), 2u);
}

TEST(CmdWithBpc, OldContentOfPartialWritesIsDecoded) {
  SchemeRun run(scheme_of("cmd+bpc"),
                Steps().store(0, kCount).load(2).store(0, kOther, 0x1).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  // The unit reads the three other sectors, which cost the code: one sector. In place, one sector of the line is
  // new: the compressed memory reads the code once more to merge it.
  EXPECT_EQ(run.stat("dram.requests_dedup_read"), 2u);
  EXPECT_EQ(run.gpu.golden().checks(Source::dedup_read), 3u);
}

// ---- bcd ----

/// Eight-byte words of one cluster; `spread` bits differ from word to word.
Pattern pointers(std::uint64_t base, std::uint64_t spread) {
  return [=](unsigned i) {
    const std::uint64_t word = base + (i / 8 + 1) * spread % (1ull << 40);
    return static_cast<std::uint8_t>(word >> 8 * (i % 8));
  };
}
/// The first half is pointers(), every word of the second differs from it by `difference`.
Pattern two_halves(std::uint64_t difference) {
  return [=](unsigned i) {
    const std::uint64_t word = (0x7fff123456780000ull + i % 64 / 8 * 0x1111) ^ (i < 64 ? 0 : difference);
    return static_cast<std::uint8_t>(word >> 8 * (i % 8));
  };
}

TEST(Bcd, TheSecondHalfIsADifferenceToTheFirst) {
  for (const auto& [difference, sectors, step] :
       {std::tuple(0x0full, 1u, 1), std::tuple(0xabcdefull, 1u, 2), std::tuple(0xffeeddccbbaaull, 2u, 3)}) {
    SchemeRun run(scheme_of("bcd"), Steps().store(0, two_halves(difference)).load(2).load(0).workload());
    EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
    EXPECT_EQ(run.stat("bcd.bases_made"), 1u);
    EXPECT_EQ(run.stat("bcd.writes_equal_to_base"), 1u);
    EXPECT_EQ(run.stat("bcd.writes_own_difference"), step < 3 ? 1u : 0u);
    EXPECT_EQ(run.stat("bcd.writes_raw"), step < 3 ? 0u : 1u);
    // The base, and the second half; reading finds the base on the chip. A sector of the table serves two lines.
    EXPECT_THAT(run.requests(), ElementsAre(2 + sectors, sectors, 4, 2, 0, 0, 0));
  }
}

TEST(Bcd, DifferencesSeenAgainAreShared) {
  const Pattern p = two_halves(0x0f);
  Steps steps;
  for (const unsigned line : {0u, 2u, 4u, 6u}) steps.store(line, p);
  steps.load(8);
  for (const unsigned line : {0u, 2u, 4u, 6u}) steps.load(line);
  SchemeRun run(scheme_of("bcd"), steps.workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("bcd.bases_made"), 1u);
  EXPECT_EQ(run.stat("bcd.writes_equal_to_base"), 4u);
  EXPECT_EQ(run.stat("bcd.writes_own_difference"), 1u);     // line 0
  EXPECT_EQ(run.stat("bcd.differences_placed"), 1u);        // line 2
  EXPECT_EQ(run.stat("bcd.writes_shared_difference"), 3u);  // lines 2, 4, 6
  EXPECT_EQ(run.stat("bcd.verified"), 0u) << "16 bytes need no comparison";
  EXPECT_EQ(run.stat("dram.requests_write"), 2u + 1 + 1);
  EXPECT_EQ(run.stat("dram.requests_data_read"), 4u);
}

TEST(Bcd, LongDifferencesAreComparedBeforeTheyAreShared) {
  const Pattern p = two_halves(0xabcdef);
  Steps steps;
  for (const unsigned line : {0u, 2u, 4u}) steps.store(line, p);
  SchemeRun run(scheme_of("bcd"), steps.load(8).load(4).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("bcd.verified"), 1u);  // line 4; line 2 brings the content itself
  EXPECT_EQ(run.stat("bcd.collisions"), 0u);
  EXPECT_EQ(run.stat("dram.requests_verify_read"), 1u);
}

TEST(Bcd, AHashOfNoBitsSharesNothingWrong) {
  Steps steps;
  for (unsigned line = 0; line < 12; line += 2) steps.store(line, two_halves(0x100000 + line / 4));
  steps.load(100);
  for (unsigned line = 0; line < 12; line += 2) steps.load(line);
  SchemeRun run(scheme_of("bcd", {"bcd.hash_bits=0"}), steps.workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_GT(run.stat("bcd.collisions"), 0u);
}

TEST(Bcd, PartsOfHalvesStayRawOrAreMerged) {
  SchemeRun run(scheme_of("bcd"), Steps()
                                      .store(0, two_halves(0x0f))
                                      .load(2)
                                      .store(0, two_halves(0xf0), 0x8)
                                      .store(4, kNoise, 0x5)
                                      .load(2)
                                      .load(0)
                                      .load(4)
                                      .workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("bcd.rewrites"), 1u);
  EXPECT_EQ(run.stat("bcd.partial_raw"), 2u);  // one sector in each half of line 4
  EXPECT_EQ(run.gpu.golden().checks(Source::dedup_read), 1u);
}

TEST(Bcd, BasesInUseStayAndOthersAreReadFromDramWhenTheyLeftTheChip) {
  Steps steps;  // three clusters, two places for bases, one content on the chip
  for (unsigned c = 0; c < 3; ++c) steps.store(2 * c, pointers(0x1000000000000000ull * (c + 1), 0x11));
  steps.load(100);
  for (unsigned c = 0; c < 3; ++c) steps.load(2 * c);
  SchemeRun run(
      scheme_of("bcd", {"bcd.base_sets=1", "bcd.base_ways=2", "bcd.base_cache_sets=1", "bcd.base_cache_ways=1"}),
      steps.workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("bcd.bases_made"), 2u);
  EXPECT_EQ(run.stat("bcd.no_base"), 2u);
  EXPECT_GT(run.stat("bcd.base_cache_misses"), 0u);
}

TEST(Bcd, BackendsAgree) {
  Steps steps;
  for (unsigned line = 0; line < 40; line += 2) steps.store(line, two_halves(0x100 << line % 7));
  for (unsigned line = 0; line < 40; line += 2) steps.load(line, 1 + line % 15);
  SchemeRun model(scheme_of("bcd"), steps.workload()),
      shadow(scheme_of("bcd", {}, Backend::shadow), steps.workload());
  EXPECT_TRUE(model.result.clean);
  EXPECT_EQ(model.result.stats.dump(), shadow.result.stats.dump());
}

}  // namespace
}  // namespace warpsieve::tb
