// Sectors of which only some bytes are written, from the L2 to the DRAM's contents (l2.partial_writes): what is
// counted, what later reads bring, and that a path which looks at whole sectors gets whole sectors.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <map>
#include <random>
#include <utility>

#include "schemes/registry.h"
#include "support/around.h"
#include "support/property.h"
#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using Sector = std::array<std::uint8_t, kSectorBytes>;

// --- the DRAM channel alone: command clock = core clock, no fixed latency

struct Channel {
  explicit Channel(const std::vector<std::string>& more = {}) : channel(params(more), stats) {}
  static DramParams params(const std::vector<std::string>& more) {
    std::vector<std::string> set = {"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000000"};
    set.insert(set.end(), more.begin(), more.end());
    return load_profile("plain", set).dram;
  }
  bool write(std::uint64_t address, std::uint8_t value, std::uint32_t bytes) {
    Sector data;
    data.fill(value);
    if (!channel.write(now, address, RequestKind::write, data.data(), bytes)) return false;
    merge_sector(memory[address].data(), data.data(), bytes);
    return true;
  }
  bool read(std::uint64_t address) {
    if (!channel.read(now, address, RequestKind::read_only, reads)) return false;
    expected[reads++] = memory[address];
    return true;
  }
  void step() {
    channel.tick(++now);
    while (const auto* d = channel.front(now)) {
      std::copy(std::begin(d->data), std::end(d->data), got[d->cookie].begin());
      at[d->cookie] = now;
      channel.pop();
    }
  }
  void run() {
    for (unsigned i = 0; !channel.idle() && i < 1000000; ++i) step();
  }
  std::uint64_t stat(const char* name) { return stats.value(name); }

  Stats stats;
  DramChannel channel;
  Cycle now = 0;
  std::uint64_t reads = 0;
  std::map<std::uint64_t, Sector> memory, expected, got;  ///< by address; by read
  std::map<std::uint64_t, Cycle> at;
};

constexpr std::uint32_t kLow = 0x0000ffff, kHigh = 0xffff0000;

TEST(PartialDramWrite, KeepsTheOtherBytesOfTheSector) {
  Channel c;
  c.write(64, 1, kFullSector);
  c.run();
  c.write(64, 2, kLow);
  c.run();
  c.read(64);
  c.run();
  EXPECT_EQ(c.got, c.expected);
  EXPECT_EQ(c.got[0][0], 2);
  EXPECT_EQ(c.got[0][16], 1);
  EXPECT_EQ(c.stat("dram.writes"), 2u);
}

TEST(PartialDramWrite, ThatIsQueuedIsMergedOverWhatTheBanksBring) {
  Channel c;
  c.write(0, 1, kFullSector);
  c.run();
  c.read(4096 * 32);  // keeps the writes waiting
  c.write(0, 2, kLow);
  c.read(0);
  c.write(0, 3, kFullSector);  // younger than the read
  c.run();
  EXPECT_EQ(c.got, c.expected);
  EXPECT_EQ(c.stat("dram.forwarded_reads"), 0u);
  EXPECT_EQ(c.stat("dram.reads"), 2u);
}

TEST(PartialDramWrite, TwoThatMakeAWholeSectorAnswerAReadFromTheQueue) {
  Channel c;
  c.read(4096 * 32);
  c.write(0, 2, kLow);
  c.write(0, 3, kHigh | 1);
  c.read(0);
  const Cycle asked = c.now;
  c.run();
  EXPECT_EQ(c.got, c.expected);
  EXPECT_EQ(c.at[1], asked + 1);
  EXPECT_EQ(c.stat("dram.forwarded_reads"), 1u);
}

TEST(PartialDramWrite, RandomTrafficReadsTheNewestOfEveryByte) {
  std::uint64_t forwarded = 0;
  check_property("dram, byte masks", 60, [&] {
    const auto small = [](int high) { return static_cast<unsigned>(*rc::gen::inRange(1, high)); };
    const unsigned high = small(12);
    Channel c({fmt::format("dram.read_queue={}", small(12)), fmt::format("dram.write_queue={}", high),
               fmt::format("dram.write_high={}", high), fmt::format("dram.write_low={}", high - 1),
               fmt::format("dram.starvation={}", 50 * small(10))});
    std::minstd_rand random(static_cast<unsigned>(*rc::gen::inRange(1, 1 << 30)));
    for (unsigned i = 0; i < 2000; ++i) {
      // A few sectors of two rows of a bank and of another bank.
      const std::uint64_t row = random() % 3;
      const std::uint64_t address = (row == 2 ? 1u << 11 : row << 15) + 32 * (random() % 2);
      const std::uint32_t masks[] = {kLow, kHigh, kFullSector,
                                     static_cast<std::uint32_t>(random() * 2654435761u) | 1};
      if (random() % 2)
        c.write(address, static_cast<std::uint8_t>(random()), masks[random() % 4]);
      else
        c.read(address);
      if (random() % 2) c.step();
    }
    c.run();
    RC_ASSERT(c.got == c.expected);
    forwarded += c.stat("dram.forwarded_reads");
  });
  EXPECT_GT(forwarded, 0u);
}

// --- from the slice on; a slice has one set of two ways, even lines only go to slice 0

const std::vector<std::string> kMasks = {"l2.partial_writes=1"};

Profile two_ways(std::vector<std::string> more = {}) {
  more.insert(more.end(), {"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000000", "l2.sets=1", "l2.ways=2",
                           "gpu.chunk_shift=7"});
  return tiny(more);
}

std::uint8_t ee(unsigned, unsigned) { return 0xee; }

/// Stores a word of line 0 and pushes it out, then whatever the kernels of `more` do.
ToyWorkload push_out(const std::vector<WarpBuilder>& more = {}) {
  ToyWorkload w(1 << 14);
  WarpBuilder store, others;
  store.store({{0, 4}}, 4, ee);
  others.load_line(256, {others.load_line(512)});
  w.add({store});
  w.add({others});
  for (const WarpBuilder& b : more) w.add({b});
  return w;
}

TEST(PartialWrites, LeaveAtOnceWithoutAFetch) {
  ToyWorkload w = push_out();
  ToyRun run(two_ways(kMasks), w);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("l2.merge_fetches"), 0u);
  EXPECT_EQ(run.stat("l2.partial_sectors"), 1u);
  EXPECT_EQ(run.stat("l2.write_back_sectors"), 1u);
  EXPECT_EQ(run.stat("dram.requests_write"), 1u);
  EXPECT_EQ(run.stat("dram.requests_read_only"), 4u + 4u);
}

TEST(PartialWrites, AreReadBackAsOldBytesWithTheNewOnes) {
  WarpBuilder again;
  again.load_line(0);
  for (const auto& set : {std::vector<std::string>{}, kMasks}) {
    ToyWorkload w = push_out({again});
    ToyRun run(two_ways(set), w);
    EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
    EXPECT_EQ(run.stat("dram.requests_data_read"), 1u);  // written back, if in part
    EXPECT_EQ(run.stat("dram.requests_read_only"), 4u + 4u + 3u + set.empty());
  }
}

/// Another word of a sector each time, pushed out each time; and then the line is read.
ToyWorkload push_out_six_times() {
  ToyWorkload w(1 << 14);
  for (unsigned i = 0; i < 6; ++i) {
    WarpBuilder b;
    b.store({{0, 4 * i}}, 4, [i](unsigned, unsigned) { return static_cast<std::uint8_t>(i); });
    b.load_line(256);
    b.load_line(512);
    w.add({b});
  }
  WarpBuilder again;
  again.load_line(0);
  w.add({again});
  return w;
}

TEST(PartialWrites, OfOneSectorOneAfterTheOtherAllCount) {
  ToyWorkload w = push_out_six_times();
  ToyRun run(two_ways({"l2.partial_writes=1", "dram.write_queue=64"}), w);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("l2.partial_sectors"), 6u);
}

TEST(PartialWrites, AReadOfALineThatIsLeavingHasItsBytes) {
  ToyWorkload w(1 << 14);
  WarpBuilder a, b;
  a.store({{0, 4}}, 4, ee);
  b.load_line(512);
  b.load_line(256);
  b.load_line(0);
  w.add({a});
  w.add({b});
  ToyRun run(two_ways(kMasks), w);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("l2.partial_sectors"), 1u);
}

/// A load of a sector that is dirty in part fetches it and merges, and then all of it is there: it leaves whole.
TEST(PartialWrites, ASectorThatWasReadInTheMeantimeLeavesWhole) {
  for (const auto& set : {std::vector<std::string>{}, kMasks}) {
    ToyWorkload w(1 << 14);
    WarpBuilder a, b, c;
    a.store({{0, 4}}, 4, ee);
    b.load({{0, 0}}, 4);  // sector 0 only
    c.load_line(256, {c.load_line(512)});
    w.add({a});
    w.add({b});
    w.add({c});
    ToyRun run(two_ways(set), w);
    EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
    EXPECT_EQ(run.stat("dram.requests_read_only"), 1u + 4u + 4u);
    EXPECT_EQ(run.stat("l2.merge_fetches"), 0u);
    EXPECT_EQ(run.stat("l2.write_back_sectors"), 1u);
    if (!set.empty()) {
      EXPECT_EQ(run.stat("l2.partial_sectors"), 0u);
    }
  }
}

TEST(PartialWrites, AnAtomicOnASectorThatIsDirtyInPartFetchesTheRest) {
  ToyWorkload w(1 << 14);
  WarpBuilder a;
  a.store({{0, 4}}, 4, ee);
  a.atomic({{0, 0}, {1, 4}}, simt::AtomicOp::add_u32, [](unsigned lane) { return lane + 1; });
  w.add({a});
  ToyRun run(two_ways(kMasks), w);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("dram.reads"), 1u);
}

/// A baseline whose path says that it takes no partial sectors, or whose host forgets the masks, or that wants the
/// sectors of some lines whole.
class Changed final : public Scheme {
 public:
  using Lines = std::function<bool(LocalLine)>;
  explicit Changed(bool takes, bool forgets, Lines whole = {})
      : takes_(takes), forgets_(forgets), whole_(std::move(whole)) {}
  std::string name() const override { return "changed"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    return std::make_unique<Path>(host, takes_, forgets_, whole_);
  }

 private:
  struct Host : HostAround {
    Host(PathOwner& host, bool forgets) : HostAround(host), forgets(forgets) {}
    bool dram_write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
                    std::uint32_t bytes) override {
      return host_.dram_write(now, address, kind, sector, forgets ? kFullSector : bytes);
    }
    bool forgets;
  };
  struct Path final : private Host, public PathAround {
    Path(PathOwner& host, bool takes, bool forgets, Lines whole)
        : Host(host, forgets), PathAround(std::make_unique<schemes::BaselinePath>(static_cast<Host&>(*this))),
          takes(takes), whole(std::move(whole)) {}
    bool takes_partial_sectors() const override { return takes; }
    bool wants_whole_sectors(LocalLine line) override { return whole && whole(line); }
    bool takes;
    Lines whole;
  };
  bool takes_, forgets_;
  Lines whole_;
};

TEST(PartialWrites, APathThatLooksAtWholeSectorsGetsThem) {
  const auto stats = [](Scheme& scheme, const std::vector<std::string>& set) {
    ToyWorkload w = push_out();
    const Result result = Gpu(two_ways(set), scheme, w).run();
    EXPECT_TRUE(result.clean);
    return result.stats["counters"].dump() + result.stats["kernels"].dump();
  };
  Changed no(false, false);
  EXPECT_EQ(stats(no, kMasks), stats(no, {}));
  for (const char* name : {"cmd", "bpc", "bcd", "esd", "cmd+bpc"}) {
    const auto scheme = schemes::make_scheme(name, {}), same = schemes::make_scheme(name, {});
    EXPECT_EQ(stats(*scheme, kMasks), stats(*same, {})) << name;
  }
}

/// None, all, and every second time.
TEST(PartialWrites, LinesThatThePathWantsWholeAreCompletedAndNoOthers) {
  const auto run = [](Changed::Lines whole) {
    Changed scheme(true, false, std::move(whole));
    ToyWorkload w = push_out_six_times();
    const Result result = Gpu(two_ways(kMasks), scheme, w).run();
    EXPECT_TRUE(result.clean);
    const auto& counters = result.stats["counters"];
    return std::pair{counters["l2.merge_fetches"].get<std::uint64_t>(),
                     counters["l2.partial_sectors"].get<std::uint64_t>()};
  };
  const auto [no_fetches, all_partial] = run({});
  EXPECT_EQ(no_fetches, 0u);
  EXPECT_EQ(all_partial, 6u);
  EXPECT_EQ(run([](LocalLine) { return true; }), std::pair(all_partial, std::uint64_t{0}));
  EXPECT_EQ(run([even = false](LocalLine) mutable { return even = !even; }),
            std::pair(std::uint64_t{3}, std::uint64_t{3}));
}

TEST(PartialWrites, AMaskThatGetsLostIsNoticed) {
  for (const bool forgets : {false, true}) {
    Changed scheme(true, forgets);
    ToyWorkload w = push_out();
    EXPECT_EQ(Gpu(two_ways(kMasks), scheme, w).run().clean, !forgets);
  }
}

}  // namespace
}  // namespace warpsieve::tb
