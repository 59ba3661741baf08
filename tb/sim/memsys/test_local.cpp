// Private memory through the L1 alone: exact latencies, word-valid and dirty bits, traffic, the end of a kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "local_traces.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr std::uint32_t kAll = 0xffffffffu;
std::uint32_t generic(unsigned lane) { return lane * lane * 77u + 5; }

/// One SM, private memory of 8 words per thread.
Profile local_machine(std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"local.slots=8"});
  return tiny(more);
}

struct LocalRun {
  LocalRun(const Profile& profile, std::vector<std::vector<WarpBuilder>> kernels) : workload(4096) {
    for (auto& warps : kernels) workload.add(std::move(warps));
    run = std::make_unique<ToyRun>(profile, workload);
    EXPECT_TRUE(run->result.clean) << run->result.integrity.dump();
  }
  std::uint64_t stat(const std::string& name) { return run->stat("local." + name); }
  Cycle cycles() const { return run->result.cycles; }
  ToyWorkload workload;
  std::unique_ptr<ToyRun> run;
};

/// A spill of slot 0, then a chain of `links` dependent reloads.
WarpBuilder chain(unsigned links, std::uint32_t mask = kAll) {
  WarpBuilder b;
  b.local_store(0, mask, generic);
  std::uint32_t last = b.alu();
  for (unsigned i = 0; i < links; ++i) last = b.local_load(0, kAll, {last});
  return b;
}

TEST(Local, AReloadThatHitsTakesTheLatencyOfTheL1) {
  // Issue at t, taken by the L1 at t + 1, data 28 cycles later, when the next one issues.
  const Profile p = local_machine();
  EXPECT_EQ(LocalRun(p, {{chain(3)}}).cycles() - LocalRun(p, {{chain(2)}}).cycles(), 29u);
  LocalRun r(p, {{chain(3)}});
  EXPECT_EQ(r.stat("hits"), 3u);
  EXPECT_EQ(r.stat("fetches"), 0u);
  EXPECT_EQ(r.stat("write_backs"), 0u);
  EXPECT_EQ(r.stat("dropped_words"), 32u);
  EXPECT_EQ(r.stat("l1_written_sectors"), 4u);
  EXPECT_EQ(r.stat("l1_read_sectors"), 3 * 4u);
}

TEST(Local, AStoreNeedsNoFetchAndWordsNotStoredAreFetchedOnce) {
  const Profile p = local_machine();
  LocalRun r(p, {{chain(3, 0x0000ffffu)}});
  EXPECT_EQ(r.stat("fetches"), 1u);  // for the upper half, by the first reload
  EXPECT_EQ(r.stat("hits"), 2u);
  // The fetch costs what a read of a global line costs: both go SM, crossbar, L2, DRAM and back.
  WarpBuilder global;
  std::uint32_t last = global.alu();
  last = global.load_line(0, {last});
  global.alu(1, {last});
  WarpBuilder nothing;
  nothing.alu(1, {nothing.alu()});
  const Cycle miss =
      LocalRun(local_machine({"l1.line_fill=1"}), {{global}}).cycles() - LocalRun(p, {{nothing}}).cycles();
  const Cycle fetch = r.cycles() - LocalRun(p, {{chain(3)}}).cycles() + 29;
  EXPECT_NEAR(static_cast<double>(fetch), static_cast<double>(miss), 16.0);
}

TEST(Local, AWordStoredWhileItsLineIsOnTheWayIsNotOverwritten) {
  WarpBuilder b;
  b.local_store(0, 0x1, generic);
  b.local_load(0, 0xff00);                                   // fetches the line
  b.local_store(0, 0xff, [](unsigned l) { return l + 1; });  // before it arrives
  const std::uint32_t back = b.local_load(0, 0xff00);
  b.local_load(0, kAll, {back});
  LocalRun r(local_machine(), {{b}});
  EXPECT_EQ(r.stat("fetches"), 1u);
  EXPECT_EQ(r.stat("merged"), 1u);
}

TEST(Local, DirtyLinesAreEvictedUnderTheirMaskAndComeBack) {
  // One set of two ways, four lines: each round trip evicts.
  WarpBuilder b;
  for (unsigned slot = 0; slot < 4; ++slot)
    b.local_store(slot, 0x0f0f0f0fu, [=](unsigned l) { return l + slot * 100; });
  std::uint32_t last = 0;
  for (unsigned slot = 0; slot < 4; ++slot) last = b.local_load(slot, 0x0f0f0f0fu, {last});
  LocalRun r(local_machine({"l1.sets=1", "l1.ways=2"}), {{b}});
  EXPECT_EQ(r.stat("l1_evictions"), 4u);  // all four: two by stores, two by the lines that come back
  EXPECT_EQ(r.stat("write_backs"), 4u);
  EXPECT_EQ(r.stat("fetches"), 4u);
  EXPECT_EQ(r.stat("dropped_words"), 0u);
  EXPECT_EQ(r.stat("l1_written_sectors"), (4 + 4) * 4u);  // stores and fills
  EXPECT_EQ(r.stat("l1_read_sectors"), 4 * 4u);
  EXPECT_EQ(r.stat("l1_written_back_sectors"), 4 * 4u);
}

TEST(Local, PrivateAndGlobalLinesCompeteForTheWays) {
  WarpBuilder b;
  b.local_store(0, kAll, generic);
  std::uint32_t last = b.alu();
  for (unsigned line = 0; line < 2; ++line) last = b.load_line(line * 128, {last});
  last = b.local_load(0, kAll, {last});
  b.load_line(0, {last});
  LocalRun r(local_machine({"l1.sets=1", "l1.ways=2"}), {{b}});
  EXPECT_EQ(r.stat("l1_evictions"), 1u);
  EXPECT_EQ(r.stat("fetches"), 1u);
  EXPECT_EQ(r.run->stat("l1.fills"), 3u);  // the first global line had to go for the private one
}

TEST(Local, EndOfKernelDropsOrWritesBack) {
  WarpBuilder store, reload;
  for (unsigned slot = 0; slot < 3; ++slot) store.local_store(slot, 0xff, generic);
  store.local_load(1, 0xff);
  LocalRun drop(local_machine(), {{store}, {store}});
  EXPECT_EQ(drop.stat("write_backs"), 0u);
  EXPECT_EQ(drop.stat("dropped_words"), 2 * 3 * 8u);
  // Written back, the next kernel may read it.
  for (unsigned slot = 0; slot < 3; ++slot) reload.local_load(slot, 0xff);
  LocalRun keep(local_machine({"local.flush=1"}), {{store}, {reload}});
  EXPECT_EQ(keep.stat("write_backs"), 3u);
  EXPECT_EQ(keep.stat("fetches"), 3u);
  EXPECT_EQ(keep.stat("dropped_words"), 0u);
  EXPECT_EQ(keep.stat("l1_written_back_sectors"), 3u);  // a sector of each
  EXPECT_EQ(drop.stat("l1_written_back_sectors"), 0u);
}

TEST(Local, CountsPatterns) {
  WarpBuilder b;
  b.local_store(0, kAll, [](unsigned) { return 0u; });
  b.local_store(1, kAll, [](unsigned) { return 7u; });
  b.local_store(2, kAll, [](unsigned l) { return l * 4; });
  b.local_store(3, kAll, generic);
  b.local_load(2, 0x5);
  b.local_store(4, kAll, [](unsigned l) { return 2 + l * 4; });  // base 2, stride 4
  b.local_load(4, 0x5);
  b.local_load(4, 0x4);  // one lane is uniform
  LocalRun r(local_machine(), {{b}});
  EXPECT_EQ(r.stat("zero"), 1u);
  EXPECT_EQ(r.stat("uniform"), 2u);
  EXPECT_EQ(r.stat("affine"), 2u);
  EXPECT_EQ(r.stat("generic"), 3u);
  EXPECT_EQ(r.stat("unaligned"), 2u);  // of the generic ones (decision A3)
  EXPECT_EQ(r.stat("sparse_affine"), 1u);
  EXPECT_EQ(r.run->result.stats["private_memory"]["affine_percent"], 62.5);
  EXPECT_EQ(r.run->result.stats["private_memory"]["unaligned_percent"], 25.0);
}

TEST(Local, BothLayoutsKeepWarpsApart) {
  for (const char* layout : {"local.layout=0", "local.layout=1"}) {
    std::vector<WarpBuilder> warps(8);
    for (unsigned w = 0; w < 8; ++w)
      for (unsigned slot = 0; slot < 8; ++slot) {
        warps[w].local_store(slot, kAll, [=](unsigned l) { return w * 10000 + slot * 100 + l; });
        warps[w].local_load(slot / 2);
      }
    LocalRun r(local_machine({layout, "l1.sets=2", "l1.ways=2"}), {warps});
    EXPECT_GT(r.stat("fetches"), 0u);
  }
}

TEST(Local, TooManySlotsAreRefused) {
  WarpBuilder b;
  b.local_store(8, kAll, generic);
  ToyWorkload w(4096);
  w.add({b});
  EXPECT_THROW(ToyRun(local_machine(), w), std::out_of_range);
  EXPECT_THROW(load_profile("plain", {"spill.percent=50"}), ConfigError);
}

TEST(Local, ACorruptedWordIsNoticed) {
  // Memory is changed behind the SM's back while the line is away.
  GoldenMemory golden;
  const std::vector<std::uint8_t> image(128);
  golden.load(kBase, image, 256);
  std::uint32_t expected[32] = {}, found[32] = {};
  golden.check_words(5, GlobalLine{1}, 0xff, expected, found, Source::local);
  EXPECT_TRUE(golden.clean());
  found[9] = 0x400;
  golden.check_words(6, GlobalLine{1}, 0xff, expected, found, Source::local);
  EXPECT_TRUE(golden.clean());  // lane 9 is not among those asked for
  golden.check_words(7, GlobalLine{1}, 0x200, expected, found, Source::local);
  ASSERT_EQ(golden.mismatches(), 1u);
  EXPECT_EQ(golden.first()[0].address, kBase + 128 + 9 * 4 + 1);
  EXPECT_EQ(golden.first()[0].expected, 0);
  EXPECT_EQ(golden.first()[0].found, 4);
  EXPECT_EQ(golden.checks(Source::local), 3u);
}

TEST(Local, RandomTracesReadWhatWasLastWritten) {
  std::uint64_t fetched = 0, evicted = 0, merged = 0;
  check_property("local_random", 40, [&] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    ToyWorkload w(4096);
    add_random_kernels(w, seed);
    const Profile p = local_machine(
        {fmt::format("l1.sets={}", 1 + seed % 3), fmt::format("l1.ways={}", 1 + seed % 4 + seed / 16 % 2),
         fmt::format("l1.replacement={}", seed / 16 % 2), "l1.mshrs=3", "l1.merges=2",
         fmt::format("local.layout={}", seed / 32 % 2), fmt::format("local.flush={}", seed / 64 % 2),
         "noc.input_queue=1", "l2.sets=1", "l2.ways=2"});
    ToyRun run(p, w);
    RC_ASSERT(run.result.clean);
    fetched += run.stat("local.fetches");
    evicted += run.stat("local.l1_evictions");
    merged += run.stat("local.merged");
  });
  EXPECT_GT(fetched, 1000u);
  EXPECT_GT(evicted, 1000u);
  EXPECT_GT(merged, 50u);
}

}  // namespace
}  // namespace warpsieve::tb
