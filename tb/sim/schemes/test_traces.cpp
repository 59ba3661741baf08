// What the CMD schemes do with single lines, counted by hand. requests(): write, data_read, read_only,
// metadata_read, metadata_write, dedup_read, verify_read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using ::testing::ElementsAre;

const Pattern kTraceP = ramp(3), kTraceQ = ramp(7, 1);

Steps intra() { return Steps().store(0, words(0x5a)).load(2).load(0).load(2); }

TEST(Intra, BaselineWritesTheLineAndReadsItBack) {
  SchemeRun run(scheme_of("baseline"), intra().workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_THAT(run.requests(), ElementsAre(4, 4, 8, 0, 0, 0, 0));
}

TEST(Intra, WriteIsRemovedAndTheReadIsGenerated) {
  for (const char* name : {"dedup", "dedup+car", "cmd"}) {
    SchemeRun run(scheme_of(name), intra().workload());
    EXPECT_TRUE(run.result.clean) << name;
    EXPECT_EQ(run.stat("dram.requests_write"), 0u);
    EXPECT_EQ(run.stat("dram.requests_data_read"), 0u);
    EXPECT_EQ(run.stat("dedup.writes"), 1u);
    EXPECT_EQ(run.stat("dedup.writes_intra"), 1u);
    EXPECT_EQ(run.stat("dedup.write_sectors"), 4u);
    EXPECT_EQ(run.stat("dedup.sectors_written"), 0u);
    EXPECT_EQ(run.stat("dedup.intra_sectors"), 4u);
    EXPECT_EQ(run.gpu.golden().checks(Source::generated), 4u);
    EXPECT_EQ(run.stat("dedup.hashed_chunks"), 0u) << "an intra-duplicate needs no fingerprint";
  }
}

TEST(Intra, MetadataCostsOneSectorOfEachTable) {
  // Type and mask when the first read comes, the map when the value is stored; nothing is evicted again.
  SchemeRun run(scheme_of("dedup"), intra().workload());
  EXPECT_THAT(run.requests(), ElementsAre(0, 0, 8, 3, 0, 0, 0));
}

TEST(Intra, OneSectorOfAValueIsEnough) {
  SchemeRun run(scheme_of("dedup"), Steps().store(0, words(9), 0x2).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_intra"), 1u);
  EXPECT_EQ(run.stat("dram.requests_write"), 0u);
  EXPECT_EQ(run.stat("dedup.intra_sectors"), 1u);          // the written sector
  EXPECT_EQ(run.stat("dram.requests_read_only"), 4u + 3);  // line 2, and the sectors never written
}

TEST(Metadata, MapSectorsAreReadAndDirtyOnesWrittenWhenTheyNoLongerFit) {
  // 8 values in 8 lines of the map (32 entries per 128 bytes), 6 ways: 8 fetched, 2 written back.
  // 4 sectors of masks (64 entries each), 2 of types (128 each).
  Steps steps;
  for (unsigned i = 0; i < 8; ++i) steps.store(32 * i, words(static_cast<std::uint8_t>(i * 16)));
  steps.load(2);
  SchemeRun run(scheme_of("dedup", {"cmd.address_sets=1"}), steps.workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_intra"), 8u);
  EXPECT_THAT(run.requests(), ElementsAre(0, 0, 4, 8 + 4 + 2, 2, 0, 0));
  EXPECT_EQ(run.stat("address_cache.requests"), 8u);
}

Steps inter() { return Steps().store(0, kTraceP).store(2, kTraceP).load(4).load(2); }

TEST(Inter, BaselineWritesBothCopies) {
  SchemeRun run(scheme_of("baseline"), inter().workload());
  EXPECT_THAT(run.requests(), ElementsAre(8, 4, 4, 0, 0, 0, 0));
}

TEST(Inter, SecondCopyIsNotWrittenAndItsReadGoesToTheReference) {
  SchemeRun run(scheme_of("dedup"), inter().workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_unique_home"), 1u);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  EXPECT_EQ(run.stat("dedup.hashed_chunks"), 2u * 3);
  EXPECT_EQ(run.stat("dram.requests_write"), 4u);
  EXPECT_EQ(run.stat("dram.requests_data_read"), 4u);  // line 2 was written back before, so it is no read-only data
  EXPECT_EQ(run.stat("dram.requests_read_only"), 4u);
  EXPECT_EQ(run.stat("dram.requests_dedup_read"), 0u);
  EXPECT_EQ(run.stat("car.reference_sectors"), 4u);
  EXPECT_EQ(run.gpu.golden().checks(Source::reference), 4u);
  EXPECT_EQ(run.stat("car.probes"), 0u);
}

TEST(Inter, WritingTheSameAgainIsSilent) {
  SchemeRun run(scheme_of("dedup"), Steps().store(0, kTraceP).load(2).store(0, kTraceP).load(2).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_silent"), 1u);
  EXPECT_EQ(run.stat("dram.requests_write"), 4u);
}

TEST(Inter, ReferenceSurvivesAnOverwriteOfItsHome) {
  // Line 0 holds P at home, line 2 refers to it; then line 0 gets Q: it must leave its home to line 2.
  SchemeRun run(scheme_of("dedup"),
                Steps().store(0, kTraceP).store(2, kTraceP).store(0, kTraceQ).load(4).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  EXPECT_EQ(run.stat("dedup.writes_unique_borrowed"), 1u);
  EXPECT_EQ(run.stat("dram.requests_write"), 8u);
  EXPECT_EQ(run.stat("car.reference_sectors"), 8u);  // both lines now live elsewhere
}

// Line 1 with P stays clean in slice 1, line 0 is a duplicate of it.
Steps car() { return Steps().store(1, kTraceP).load(3).load(1).store(0, kTraceP).load(2).load(0); }

TEST(CacheAssisted, ReadIsCopiedFromTheL2) {
  SchemeRun run(scheme_of("dedup+car"), car().workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  EXPECT_EQ(run.stat("car.probes"), 1u);
  EXPECT_EQ(run.stat("car.copied_sectors"), 4u);
  EXPECT_EQ(run.stat("car.reference_sectors"), 0u);
  EXPECT_EQ(run.gpu.golden().checks(Source::cache_assisted), 4u);
  EXPECT_EQ(run.stat("dram.requests_write"), 4u);
  EXPECT_EQ(run.stat("dram.requests_data_read"), 4u);  // line 1 after its eviction; line 0 costs nothing
}

TEST(CacheAssisted, WithoutItTheSameReadCostsFourRequests) {
  SchemeRun run(scheme_of("dedup"), car().workload());
  EXPECT_EQ(run.stat("dram.requests_data_read"), 8u);
  EXPECT_EQ(run.stat("car.reference_sectors"), 4u);
}

TEST(CacheAssisted, OnlyTheSectorsInTheL2AreCopied) {
  SchemeRun run(scheme_of("dedup+car"),
                Steps().store(1, kTraceP).load(3).load(1, 0x5).store(0, kTraceP).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("car.copied_sectors"), 2u);
  EXPECT_EQ(run.stat("car.reference_sectors"), 2u);
}

TEST(CacheAssisted, DirtySectorsOfTheReferenceAreNotCopied) {
  SchemeRun run(
      scheme_of("dedup+car"),
      Steps().store(1, kTraceP).load(3).load(1).store(0, kTraceP).load(2).store(1, kTraceQ, 0x8).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("car.probes"), 1u);
  EXPECT_EQ(run.stat("car.copied_sectors"), 3u);
  EXPECT_EQ(run.stat("car.reference_sectors"), 1u);
}

TEST(PartialWrite, ReadsTheRestOfTheLineForItsFingerprint) {
  // Line 0 holds P; then only sector 0 changes: the other three are fetched.
  SchemeRun run(scheme_of("dedup"),
                Steps().store(0, kTraceP).load(2).store(0, kTraceQ, 0x1).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes"), 2u);
  EXPECT_EQ(run.stat("dram.requests_dedup_read"), 3u);
  EXPECT_EQ(run.gpu.golden().checks(Source::dedup_read), 3u);
  EXPECT_EQ(run.stat("dedup.writes_unique_in_place"), 1u);
  EXPECT_EQ(run.stat("dram.requests_write"), 4u + 1);
}

TEST(PartialWrite, OfALineNeverWrittenNeedsNoRead) {
  SchemeRun run(scheme_of("dedup"), Steps().store(0, kTraceQ, 0x3).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dram.requests_dedup_read"), 0u);
  EXPECT_EQ(run.stat("dram.requests_write"), 2u);
}

TEST(ReadOnlyFifo, CleanVictimsComeBackWithoutDram) {
  SchemeRun run(scheme_of("cmd"), Steps().load(0).load(2).load(0).load(2).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("victim_fifo.lookups"), 16u);
  EXPECT_EQ(run.stat("victim_fifo.hits"), 8u);      // the third and fourth load
  EXPECT_EQ(run.stat("victim_fifo.inserted"), 8u);  // line 0, 2; the last one still waits
  EXPECT_EQ(run.stat("dram.requests_read_only"), 8u);
  EXPECT_EQ(run.gpu.golden().checks(Source::victim_fifo), 8u);
}

TEST(ReadOnlyFifo, ALineThatIsNotThereCostsOneCycle) {
  const auto cycles = [](const char* scheme, unsigned lookups) {
    SchemeRun run(scheme_of(scheme), Steps().load(0).workload());
    EXPECT_TRUE(run.result.clean);
    if (lookups) {
      EXPECT_EQ(run.stat("victim_fifo.lookups"), lookups);
    }
    return run.result.cycles;
  };
  const Cycle without = cycles("dedup+car", 0), with = cycles("cmd", 4);
  EXPECT_GT(with, without);
  EXPECT_LE(with, without + 2) << "one, and up to one more to the next clock of the DRAM";
}

TEST(ReadOnlyFifo, DirtySectorsDoNotEnter) {
  // Line 0 leaves with sector 0 dirty and three clean: the three come back from the FIFO.
  SchemeRun run(scheme_of("cmd"), Steps().load(0).store(0, kTraceQ, 0x1).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("victim_fifo.inserted"), 3u);  // line 2 still waits
  EXPECT_EQ(run.stat("victim_fifo.hits"), 3u);
  EXPECT_EQ(run.stat("dram.requests_data_read"), 1u);
}

TEST(ReadOnlyFifo, OldestEntryLeavesFirst) {
  // Six entries. Line 0 enters with four, then line 2 with four more, so that sectors 0 and 1 of line 0 are gone and
  // 2 and 3 are found. What leaves for line 0 goes in behind the look-ups.
  SchemeRun run(scheme_of("cmd", {"cmd.fifo_entries=6"}), Steps().load(0).load(2).load(4).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("victim_fifo.inserted"), 8u);
  EXPECT_EQ(run.stat("victim_fifo.hits"), 2u);
  EXPECT_EQ(run.stat("dram.requests_read_only"), 4u + 4 + 4 + 2);
}

TEST(ReadOnlyFifo, SwitchKeepsSectorsThatWereEverWrittenOut) {
  const Steps steps = Steps().store(0, kTraceP).load(2).load(0).load(2).load(0);
  SchemeRun all(scheme_of("cmd"), steps.workload()),
      only(scheme_of("cmd", {"cmd.fifo_read_only=1"}), steps.workload());
  EXPECT_TRUE(all.result.clean);
  EXPECT_TRUE(only.result.clean);
  EXPECT_EQ(all.stat("victim_fifo.hits"), 8u);  // line 2, then line 0
  EXPECT_EQ(only.stat("victim_fifo.hits"), 4u);
  EXPECT_EQ(only.stat("dram.requests_data_read"), 8u);
}

/// One warp that reads these lines, in one launch.
WarpBuilder loads(const std::vector<unsigned>& lines) {
  WarpBuilder warp;
  for (const unsigned line : lines) warp.load(word_lanes(line, 0xf), 4);
  return warp;
}

TEST(ReadOnlyFifo, DoesOneOperationPerCycle) {
  const auto cycles = [](ToyWorkload workload) {
    SchemeRun run(scheme_of("cmd"), std::move(workload));
    EXPECT_TRUE(run.result.clean);
    return run.result.cycles;
  };
  const auto both = Steps().load(0).load(2);
  const Cycle before = cycles(both.workload());
  // As an L2 hit (169 cycles, three flits fewer for one sector), and a cycle for each sector found; victims go in
  // behind.
  EXPECT_EQ(cycles(Steps(both).load(0, 0x1).workload()), before + 166 + 1);
  EXPECT_EQ(cycles(Steps(both).load(0).workload()), before + 169 + 4);
}

TEST(ReadOnlyFifo, VictimsThatFindNoPlaceAreLetGo) {
  ToyWorkload workload = Steps().load(0).load(2).workload();
  workload.add({loads({0, 2})});
  workload.add({loads({0})});
  SchemeRun run(scheme_of("cmd"), std::move(workload));
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("victim_fifo.hits"), 8u);      // the last load of line 0 misses:
  EXPECT_EQ(run.stat("victim_fifo.dropped"), 4u);   // it left for the second time while line 2 still waited
  EXPECT_EQ(run.stat("victim_fifo.inserted"), 4u);  // line 0; the load of line 2 finds it waiting
  EXPECT_EQ(run.stat("dram.requests_read_only"), 12u);
}

TEST(ReadOnlyFifo, VictimsThatWaitAreFoundOnceAndInvalidated) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    const auto scheme = scheme_of("cmd", {}, backend);
    Stats stats;
    const auto port = scheme->make_victim_port(0, 0, stats);
    LineData out{};
    std::array<std::uint8_t, kSectorBytes> in{};
    const auto take = [&](Cycle now, SectorMask wanted) { return port->take(now, LocalLine{6}, wanted, out); };
    in.fill(0x5a);
    for (unsigned s = 0; s < 4; ++s) port->offer(10, LocalLine{6}, s, in.data(), true);
    EXPECT_EQ(port->invalidate(10, LocalLine{6}, 0x8), 1u);
    ASSERT_EQ(take(11, 0x1).sectors, 0x1);
    EXPECT_TRUE(std::equal(in.begin(), in.end(), out.sector(0)));
    EXPECT_EQ(take(12, 0x1).sectors, 0);
    EXPECT_EQ(take(30, 0x2).sectors, 0x2) << "in the block by now";
    EXPECT_EQ(take(31, 0x2).sectors, 0);
    EXPECT_EQ(take(32, 0x8).sectors, 0) << "written while it waited";
    EXPECT_EQ(take(33, 0x4).sectors, 0x4);
    EXPECT_EQ(stats.value("victim_fifo.hits"), 3u);
    EXPECT_EQ(stats.value("victim_fifo.waiting_hits"), 1u) << "sector 0";
  }
}

TEST(ReadOnlyFifo, ALineComesFromTheBlockAndFromThoseThatWait) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    const auto scheme = scheme_of("cmd", {}, backend);
    Stats stats;
    const auto port = scheme->make_victim_port(0, 0, stats);
    LineData out{};
    const auto content = [](unsigned sector) {
      std::array<std::uint8_t, kSectorBytes> data{};
      data.fill(static_cast<std::uint8_t>(0x10 + sector));
      return data;
    };
    for (const unsigned s : {0u, 2u}) port->offer(10, LocalLine{6}, s, content(s).data(), true);
    port->offer(20, LocalLine{6}, 3, content(3).data(), true);  // 0 and 2 are in the block, 3 waits
    const L2VictimPort::Taken taken = port->take(20, LocalLine{6}, 0xf, out);
    EXPECT_EQ(taken.sectors, 0xd);
    EXPECT_EQ(taken.cycles, 3u) << "one for each sector";
    for (const unsigned s : {0u, 2u, 3u}) {
      const auto data = content(s);
      EXPECT_TRUE(std::equal(data.begin(), data.end(), out.sector(s))) << s;
    }
    EXPECT_EQ(stats.value("victim_fifo.waiting_hits"), 1u);
    const L2VictimPort::Taken again = port->take(30, LocalLine{6}, 0xf, out);
    EXPECT_EQ(again.sectors, 0);
    EXPECT_EQ(again.cycles, 1u);

    for (unsigned s = 0; s < 4; ++s) port->offer(40, LocalLine{8}, s, content(s).data(), true);
    EXPECT_EQ(port->invalidate(50, LocalLine{8}, 0x7), 1u) << "all at once";
    EXPECT_EQ(port->take(51, LocalLine{8}, 0xf, out).sectors, 0x8);
  }
}

TEST(ReadOnlyFifo, AHitFreesTheEntryAndAWriteInvalidatesIt) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    const auto scheme = scheme_of("cmd", {}, backend);
    Stats stats;
    const auto port = scheme->make_victim_port(0, 0, stats);
    LineData out{};
    std::array<std::uint8_t, kSectorBytes> in{};
    in.fill(0xa5);
    const auto take = [&](Cycle now, std::uint32_t line, SectorMask wanted) {
      return port->take(now, LocalLine{line}, wanted, out).sectors;
    };
    port->offer(1, LocalLine{6}, 2, in.data(), true);
    EXPECT_EQ(take(2, 6, 0x2), 0) << "another sector";
    EXPECT_EQ(take(2, 4, 0x4), 0) << "another line";
    ASSERT_EQ(take(3, 6, 0x4), 0x4);
    EXPECT_TRUE(std::equal(in.begin(), in.end(), out.sector(2)));
    EXPECT_EQ(take(4, 6, 0x4), 0);
    port->offer(5, LocalLine{6}, 2, in.data(), true);
    port->invalidate(6, LocalLine{6}, 0x4);
    EXPECT_EQ(take(7, 6, 0x4), 0);
    EXPECT_EQ(stats.value("victim_fifo.lookups"), 5u);
    EXPECT_EQ(stats.value("victim_fifo.hits"), 1u);
  }
}

TEST(ReadOnlyFifo, OnlyTheFullSchemeHasOne) {
  Stats stats;
  for (const char* name : {"baseline", "dedup", "dedup+car"})
    EXPECT_EQ(scheme_of(name)->make_victim_port(0, 0, stats), nullptr);
}

}  // namespace
}  // namespace warpsieve::tb
