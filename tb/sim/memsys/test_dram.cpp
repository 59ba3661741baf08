// DRAM channel: exact latencies, bandwidth bounds, ordering; every command trace goes through the checker.
// Command clock = core clock and no fixed latency here, so that all figures are command cycles.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <tuple>

#include "dram_checker.h"
#include "support/property.h"
#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using K = DramCommandKind;

DramParams params(const std::vector<std::string>& more = {}) {
  std::vector<std::string> set = {"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000000"};
  set.insert(set.end(), more.begin(), more.end());
  return load_profile("plain", set).dram;
}

struct DramBench {
  explicit DramBench(const DramParams& p) : p(p), channel(p, stats) { channel.record(&trace); }
  ~DramBench() { EXPECT_EQ(check_dram_trace(p, trace), ""); }
  std::uint64_t place(std::uint32_t group, std::uint32_t bank, std::uint64_t row, std::uint32_t column) const {
    return encode(p, {group * p.banks_per_group + bank, group, column, row});
  }
  bool read(std::uint64_t address, std::uint64_t cookie) {
    return channel.read(now, address, RequestKind::read_only, cookie);
  }
  bool write(std::uint64_t address, std::uint8_t value) {
    std::uint8_t data[kSectorBytes];
    std::fill(std::begin(data), std::end(data), value);
    return channel.write(now, address, RequestKind::write, data);
  }
  void step() {
    ++now;
    if (only_when_due && channel.due(now - 1) > now) return;
    channel.tick(now);
    while (const auto* d = channel.front(now)) {
      done[d->cookie] = now;
      value[d->cookie] = d->data[5];
      channel.pop();
    }
  }
  /// Runs until nothing is left.
  void run() {
    for (unsigned i = 0; !channel.idle(); ++i) {
      step();
      if (i > 1000000) throw std::runtime_error("dram bench: no end");
    }
  }
  std::uint64_t count(K kind) const {
    return static_cast<std::uint64_t>(
        std::count_if(trace.begin(), trace.end(), [&](const auto& c) { return c.kind == kind; }));
  }
  DramParams p;
  Stats stats;
  std::vector<DramCommand> trace;
  DramChannel channel;
  Cycle now = 0;
  bool only_when_due = false;
  std::map<std::uint64_t, Cycle> done;
  std::map<std::uint64_t, std::uint8_t> value;
};

TEST(Dram, AddressFieldsAreOffset5Column6Group2Bank2Row) {
  const DramParams p = params();
  const std::uint64_t a = (std::uint64_t{9} << 15) | (2u << 13) | (3u << 11) | (17u << 5);
  const DramAddress d = decode(p, a);
  EXPECT_EQ(d.row, 9u);
  EXPECT_EQ(d.group, 3u);
  EXPECT_EQ(d.bank, 3u * 4 + 2);
  EXPECT_EQ(d.column, 17u);
  for (const char* bit : {"dram.group_bit=5", "dram.group_bit=7", "dram.group_bit=11"}) {
    const DramParams q = params({bit});
    for (std::uint64_t x = 0; x < (1u << 20); x += 32 * 37) EXPECT_EQ(encode(q, decode(q, x)), x);
  }
}

TEST(Dram, LowGroupBitsLieBelowTheColumnsAndTheOthersAbove) {
  const DramParams p = params({"dram.group_bit=7", "dram.low_group_bits=1"});
  // row | bank 2 | group 1 | column 4 | group 1 | column 2 | offset 5: RRRRBBBCCCCBCCSSSSS of GPGPU-Sim
  for (unsigned group = 0; group < 4; ++group) {
    const std::uint64_t a =
        (std::uint64_t{9} << 15) | (2u << 13) | ((group >> 1) << 12) | (11u << 8) | ((group & 1) << 7) | (2u << 5);
    const DramAddress d = decode(p, a);
    EXPECT_EQ(d.row, 9u);
    EXPECT_EQ(d.group, group);
    EXPECT_EQ(d.bank, group * 4 + 2);
    EXPECT_EQ(d.column, 11u << 2 | 2);
  }
  for (unsigned low = 0; low <= 4; ++low) {
    const DramParams q = params({"dram.group_bit=8", fmt::format("dram.low_group_bits={}", low)});
    for (std::uint64_t x = 0; x < (1u << 20); x += 32 * 37) EXPECT_EQ(encode(q, decode(q, x)), x);
  }
}

/// What the scheduler makes of an address is what decode() does: sectors of one row are hits, of two banks no
/// conflict.
TEST(Dram, TheChannelFollowsTheMapWithSplitGroups) {
  for (unsigned low = 0; low <= 2; ++low) {
    DramBench b(params({"dram.group_bit=7", fmt::format("dram.low_group_bits={}", low), "dram.read_queue=64"}));
    unsigned cookie = 0;
    for (std::uint32_t column = 0; column < 4; ++column)
      for (std::uint32_t group = 0; group < 4; ++group)
        for (std::uint32_t bank = 0; bank < 4; ++bank)
          ASSERT_TRUE(b.read(b.place(group, bank, 5, column * 13), cookie++));
    b.run();
    EXPECT_EQ(b.stats.value("dram.activates"), 16u) << low;
    EXPECT_EQ(b.stats.value("dram.row_hits"), 48u) << low;
  }
}

TEST(Dram, PeakIs28GigabytesPerSecond) { EXPECT_DOUBLE_EQ(load_profile("cmd-gddr6").dram.peak_gbytes(), 28.0); }

TEST(Dram, ColdReadTakes43CyclesAndRowHit23) {
  DramBench b(params());
  b.read(b.place(0, 0, 0, 0), 1);
  b.run();
  EXPECT_EQ(b.done[1], 43u);  // activate at 1, + tRCD 20 + tCL 20 + burst 2
  b.now = 100;
  b.read(b.place(0, 0, 0, 1), 2);
  b.run();
  EXPECT_EQ(b.done[2], 123u);  // read at 101, + 22
  EXPECT_EQ(b.stats.value("dram.row_hits"), 1u);
  EXPECT_EQ(b.stats.value("dram.activates"), 1u);
  EXPECT_EQ(b.stats.value("dram.data_bus_cycles"), 4u);
}

TEST(Dram, RowConflictTakes63Cycles) {
  DramBench b(params());
  b.read(b.place(0, 0, 0, 0), 1);
  b.run();
  b.now = 200;
  b.read(b.place(0, 0, 1, 0), 2);
  b.run();
  EXPECT_EQ(b.done[2], 263u);  // precharge at 201, activate 221, read 241, data 263
  EXPECT_EQ(b.stats.value("dram.precharges"), 1u);
}

std::uint64_t conflict_distance(const DramParams& p) {
  DramBench b(p);
  for (unsigned i = 0; i < 10; ++i) b.read(b.place(0, 0, i, 0), i);
  b.run();
  EXPECT_EQ(b.done[9] - b.done[8], b.done[2] - b.done[1]);
  return b.done[2] - b.done[1];
}
TEST(Dram, ConflictsInOneBankComeEvery70Cycles) {
  EXPECT_EQ(conflict_distance(params()), 70u);
}  // tRAS 50 + tRP 20 > tRC 62
TEST(Dram, ConflictsInOneBankComeEveryTrcWhenThatIsLonger) {
  EXPECT_EQ(conflict_distance(params({"dram.tRC=91"})), 91u);
}

TEST(Dram, ActivatesOfDifferentBanksComeEvery10Cycles) {
  DramBench b(params({"dram.tRCD=25"}));  // 25: reads and activates never want the same command cycle
  for (unsigned i = 0; i < 8; ++i) b.read(b.place(i % 4, i / 4, 0, 0), i);
  b.run();
  EXPECT_EQ(b.done[7] - b.done[0], 70u);  // 7 x tRRD
}

TEST(Dram, FourActivatesPerTfawWindow) {
  DramBench b(params({"dram.tFAW=100"}));
  for (unsigned i = 0; i < 8; ++i) b.read(b.place(i % 4, i / 4, 0, 0), i);
  b.run();
  EXPECT_EQ(b.done[4] - b.done[0], 100u);
}

/// Cycles per 32-byte burst over row hits.
double stream(const DramParams& p, unsigned groups, bool write) {
  DramBench b(p);
  const unsigned n = 4000;
  unsigned sent = 0;
  while (sent < n || !b.channel.idle()) {
    while (sent < n) {
      const unsigned column = sent / groups, columns = 1u << p.column_bits;
      const std::uint64_t a = b.place(sent % groups, 0, column / columns, column % columns);
      if (!(write ? b.write(a, 1) : b.read(a, sent))) break;
      ++sent;
    }
    b.step();
  }
  return static_cast<double>(b.now) / n;
}
TEST(Dram, StreamOverFourGroupsReachesPeakWithin2Percent) {
  const double cycles = stream(params({"dram.column_bits=12"}), 4, false);
  EXPECT_LE(cycles, 2.0 * 1.02 + 0.02);  // 0.02: opening the rows, 84 cycles of 8,000
  EXPECT_GE(cycles, 2.0);
  EXPECT_LE(stream(params(), 4, false), 2.3);  // 2 KB rows: one change per 64 columns
}
TEST(Dram, StreamInOneGroupIsHalfOfThat) {
  const double cycles = stream(params(), 1, false);
  EXPECT_GE(cycles, 4.0);
  EXPECT_LE(cycles, 5.3);  // 4 plus one row change of 84 cycles per 64 columns
}
TEST(Dram, WritesStreamAtPeakToo) { EXPECT_LE(stream(params({"dram.column_bits=12"}), 4, true), 2.0 * 1.02 + 0.02); }

TEST(Dram, ReadAfterQueuedWriteIsForwardedInOneCycle) {
  DramBench b(params());
  b.read(b.place(1, 0, 0, 0), 1);  // keeps the write waiting
  b.write(b.place(0, 0, 0, 0), 0x5a);
  b.write(b.place(0, 0, 0, 0), 0x5b);
  b.read(b.place(0, 0, 0, 0), 2);
  b.run();
  EXPECT_EQ(b.done[2], 1u);
  EXPECT_EQ(b.value[2], 0x5b);
  EXPECT_EQ(b.stats.value("dram.forwarded_reads"), 1u);
  EXPECT_EQ(b.stats.value("dram.requests_read_only"), 1u);  // the other never leaves the chip
  EXPECT_EQ(b.stats.value("dram.requests_write"), 2u);
  EXPECT_EQ(b.stats.value("dram.reads"), 1u);
}

TEST(Dram, WriteNeverPassesAnOlderReadOfItsSector) {
  DramBench b(params({"dram.write_queue=2", "dram.write_high=1", "dram.write_low=0"}));  // writes are urgent
  b.write(b.place(0, 0, 0, 0), 1);
  b.run();
  b.read(b.place(0, 0, 0, 0), 7);
  b.write(b.place(0, 0, 0, 0), 2);
  b.run();
  EXPECT_EQ(b.value[7], 1);
  b.read(b.place(0, 0, 0, 0), 8);
  b.run();
  EXPECT_EQ(b.value[8], 2);
}

TEST(Dram, WritesWaitForTheHighMarkWhileReadsKeepComing) {
  DramBench b(params({"dram.write_queue=8", "dram.write_high=8", "dram.write_low=2"}));
  for (unsigned i = 0; i < 7; ++i) b.write(b.place(0, 0, 0, i), 1);
  for (unsigned i = 0; i < 30; ++i) {
    b.read(b.place(1, 0, 0, i), i);
    for (int k = 0; k < 4; ++k) b.step();
  }
  EXPECT_EQ(b.count(K::write), 0u);
  b.write(b.place(0, 0, 0, 7), 1);
  for (unsigned i = 30; i < 60; ++i) {
    b.read(b.place(1, 0, 0, i), i);
    for (int k = 0; k < 4; ++k) b.step();
  }
  EXPECT_EQ(b.count(K::write), 6u);  // 8 down to 2
  b.run();
  EXPECT_EQ(b.count(K::write), 8u);
}

TEST(Dram, RowHitsCannotStarveAConflict) {
  DramBench b(params({"dram.starvation=500"}));
  b.read(b.place(0, 0, 0, 0), 1);
  b.run();
  b.read(b.place(0, 0, 1, 0), 2);
  for (unsigned i = 0; i < 1500 && !b.done.count(2); ++i) {
    b.read(b.place(0, 0, 0, i % 64), 100 + i);  // a row hit is always there
    b.step();
  }
  ASSERT_TRUE(b.done.count(2));
  EXPECT_GT(b.done[2], 43u + 500u);
  EXPECT_LT(b.done[2], 43u + 500u + 100u);
  b.run();
}

/// When the read of cycle 100 comes back while writes arrive faster than they are drained; 0: never.
Cycle read_in_a_flood_of_writes(const std::vector<std::string>& set) {
  DramBench b(params(set));
  unsigned sent = 0;
  for (unsigned i = 0; i < 5000 && !b.done.count(1); ++i) {
    sent += b.write(b.place(sent % 4, 0, 0, sent / 4 % 64), 1);
    if (i == 100) b.read(b.place(0, 1, 0, 0), 1);
    b.step();
  }
  const Cycle done = b.done.count(1) ? b.done[1] : 0;
  b.run();
  return done;
}
TEST(Dram, WritesCannotStarveARead) {
  EXPECT_EQ(read_in_a_flood_of_writes({"dram.starvation=1000000"}), 0u);
  const Cycle done = read_in_a_flood_of_writes({"dram.starvation=500"});
  EXPECT_GT(done, 600u);
  EXPECT_LT(done, 600u + 100u);  // the turn, the row and the data
}

TEST(Dram, AStarvedRequestHasItsTurnWhileRowHitsWaitForTheirTiming) {
  DramBench b(params({"dram.starvation=50", "dram.starved_hits=0", "dram.tCCD=100"}));
  b.read(b.place(0, 0, 0, 0), 1);
  b.run();
  const Cycle asked = b.now;
  b.read(b.place(0, 0, 1, 0), 2);
  b.read(b.place(0, 0, 0, 1), 3);  // a row hit, 100 cycles after the first read
  b.run();
  const auto closed =
      std::find_if(b.trace.begin(), b.trace.end(), [](const auto& c) { return c.kind == K::precharge; });
  ASSERT_NE(closed, b.trace.end());
  EXPECT_EQ(closed->cycle, asked + 50 + 1);
  EXPECT_LT(b.done[2], b.done[3]);
}

TEST(Dram, IdleRefreshesAreCaughtUpAndTheLastOneDelaysTheRead) {
  DramBench b(params({"dram.tREFI=1000"}));
  b.channel.tick(0);
  EXPECT_EQ(b.channel.due(0), kNever);  // idle: no wake-up at all
  b.now = 5010;
  b.read(b.place(0, 0, 0, 0), 1);
  b.run();
  EXPECT_EQ(b.count(K::refresh), 5u);
  EXPECT_EQ(b.done[1], 5000u + 126u + 20u + 22u);  // refresh at 5000, activate when tRFC is over
}

// Nobody asks the channel for anything; the read-back that follows is not part of the run.
TEST(Dram, RefreshesOfIdleMemoryAreCountedToTheEndOfTheRun) {
  WarpBuilder a;
  a.alu(1000);
  ToyWorkload w(1 << 16);
  w.add({a});
  ToyRun run(tiny({"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000"}), w);
  EXPECT_EQ(run.result.cycles, 1u + 999 * 4 + 4);
  EXPECT_EQ(run.stat("dram.refreshes"), 4u);  // at 1000, 2000, 3000 and 4000
}

TEST(Dram, RefreshClosesOpenRowsFirst) {
  DramBench b(params({"dram.tREFI=1000"}));
  b.now = 990;
  b.read(b.place(0, 0, 0, 0), 1);
  b.read(b.place(1, 0, 0, 0), 2);
  b.run();
  b.now = 1500;
  b.read(b.place(0, 0, 0, 0), 3);
  b.run();
  EXPECT_EQ(b.count(K::refresh), 1u);
  EXPECT_EQ(b.count(K::precharge_all), 1u);
  EXPECT_EQ(b.count(K::activate), 3u);
}

TEST(DramChecker, CatchesEachViolation) {
  const DramParams p = params();
  const DramCommand act0{10, K::activate, 0, 5}, rd0{30, K::read, 0, 5};
  EXPECT_EQ(check_dram_trace(p, {act0, rd0}), "");
  EXPECT_NE(check_dram_trace(p, {act0, {29, K::read, 0, 5}}), "");                                // tRCD
  EXPECT_NE(check_dram_trace(p, {act0, {30, K::read, 0, 6}}), "");                                // wrong row
  EXPECT_NE(check_dram_trace(p, {act0, {19, K::activate, 1, 5}}), "");                            // tRRD
  EXPECT_NE(check_dram_trace(p, {act0, rd0, {33, K::read, 0, 5}}), "");                           // tCCD
  EXPECT_NE(check_dram_trace(p, {act0, rd0, {45, K::write, 0, 5}}), "");                          // tRTW
  EXPECT_NE(check_dram_trace(p, {act0, {59, K::precharge, 0, 5}}), "");                           // tRAS
  EXPECT_NE(check_dram_trace(p, {act0, {60, K::precharge, 0, 5}, {79, K::activate, 0, 1}}), "");  // tRP
  EXPECT_NE(check_dram_trace(p, {act0, {30, K::write, 0, 5}, {49, K::read, 0, 5}}), "");          // tWTR
  EXPECT_NE(check_dram_trace(p, {act0, {40, K::write, 0, 5}, {69, K::precharge, 0, 5}}), "");     // tWR
  EXPECT_NE(check_dram_trace(p, {act0, {70, K::refresh, 0, 0}}), "");                             // open bank
  EXPECT_NE(check_dram_trace(p, {{10, K::refresh, 0, 0}, {135, K::activate, 0, 0}}), "");         // tRFC
  EXPECT_NE(check_dram_trace(p, {act0, {10, K::activate, 4, 5}}), "");                            // one per cycle
}

DramParams random_params() {
  const auto small = [](int high) { return static_cast<unsigned>(*rc::gen::inRange(1, high)); };
  const unsigned writes = 1 + small(12), high = 1 + small(static_cast<int>(writes) + 1) - 1;
  return params({fmt::format("dram.read_queue={}", small(12)), fmt::format("dram.write_queue={}", writes),
                 fmt::format("dram.write_high={}", high), fmt::format("dram.write_low={}", high - 1),
                 fmt::format("dram.starvation={}", 50 * small(10)), "dram.tREFI=700",
                 fmt::format("dram.starved_hits={}", small(8) - 1), fmt::format("dram.tFAW={}", 20 * small(5)),
                 "dram.command_mhz=1750"});
}

TEST(Dram, RandomTrafficKeepsTimingAndReturnsTheNewestWrite) {
  check_property("dram random", 60, [] {
    const DramParams p = random_params();
    DramBench b(p);
    std::map<std::uint64_t, std::uint8_t> memory;
    std::map<std::uint64_t, std::uint8_t> expected;
    std::minstd_rand random(static_cast<unsigned>(*rc::gen::inRange(1, 1 << 30)));
    std::uint64_t cookie = 0;
    for (unsigned i = 0; i < 3000; ++i) {
      if (random() % 3) {
        const std::uint64_t a = b.place(random() % 2, random() % 2, random() % 2, random() % 3);
        if (random() % 2) {
          const auto v = static_cast<std::uint8_t>(random());
          if (b.write(a, v)) memory[a] = v;
        } else if (b.read(a, cookie)) {
          expected[cookie++] = memory[a];
        }
      } else if (random() % 50 == 0) {
        b.now += random() % 5000;
      }
      b.step();
    }
    b.run();
    RC_ASSERT(b.value == expected);
    RC_ASSERT(check_dram_trace(p, b.trace) == "");
  });
}

TEST(Dram, NothingIsMissedBetweenTheCyclesInWhichItIsDue) {
  check_property("dram when due", 60, [] {
    const DramParams p = random_params();
    DramBench always(p), due(p);
    due.only_when_due = true;
    std::minstd_rand random(static_cast<unsigned>(*rc::gen::inRange(1, 1 << 30)));
    const auto gap = 1 + random() % 40;  // from queues that stay full to a channel that is mostly idle
    for (unsigned i = 0; i < 3000 || !always.channel.idle() || !due.channel.idle(); ++i) {
      if (i < 3000 && random() % gap == 0) {
        const std::uint64_t a = always.place(random() % 2, random() % 2, random() % 3, random() % 3);
        const bool write = random() % 3 == 0;
        const auto value = static_cast<std::uint8_t>(random());
        RC_ASSERT((write ? always.write(a, value) : always.read(a, i)) ==
                  (write ? due.write(a, value) : due.read(a, i)));
      }
      always.step();
      due.step();
      RC_ASSERT(always.channel.take_room() == due.channel.take_room());
    }
    RC_ASSERT(always.done == due.done);
    RC_ASSERT(always.value == due.value);
    const auto fields = [](const DramCommand& c) { return std::tuple(c.cycle, c.kind, c.bank, c.row); };
    RC_ASSERT(std::equal(always.trace.begin(), always.trace.end(), due.trace.begin(), due.trace.end(),
                         [&](const DramCommand& x, const DramCommand& y) { return fields(x) == fields(y); }));
    RC_ASSERT(always.stats.values() == due.stats.values());
  });
}

TEST(Dram, AStoreThatKeepsNothingReadsAsZeroAndHasNoTableOfPages) {
  DramStore kept, none;
  none.keep_nothing();
  const std::vector<std::uint8_t> ones(kSectorBytes, 1);
  std::vector<std::uint8_t> sector(kSectorBytes);
  kept.write(65536, ones.data());
  none.write(65536, ones.data());
  none.write(0xffffffffffe0, ones.data());  // a table up to here has 2^32 pages
  none.prefetch(0xffffffffffe0);
  kept.read(65536, sector.data());
  EXPECT_EQ(sector, ones);
  for (const std::uint64_t address : {std::uint64_t{65536}, std::uint64_t{0xffffffffffe0}}) {
    none.read(address, sector.data());
    EXPECT_EQ(sector, std::vector<std::uint8_t>(kSectorBytes));
  }
}

TEST(Dram, ASlowCoreFindsManyReadsAtOnce) {
  // 100 command cycles per core cycle, a column command in each.
  DramBench b(params({"dram.core_mhz=100", "dram.command_mhz=10000", "dram.read_queue=1024", "dram.tCCD=1",
                      "dram.tCCD_S=1", "dram.burst=1"}));
  for (std::uint32_t i = 0; i < 1024; ++i) ASSERT_TRUE(b.read(b.place(i % 4, i / 4 % 4, 0, i / 16), i));
  b.run();
  EXPECT_EQ(b.done.size(), 1024u);
  EXPECT_LE(b.now, 1024u / 100 + 3);
}

TEST(Dram, MachinesOnWhichNoReadWouldFinishAreErrors) {
  const auto error = [](std::vector<std::string> set) -> std::string {
    try {
      load_profile("plain", set);
    } catch (const ConfigError& e) {
      return e.what();
    }
    return "";
  };
  // 126 + 20 + 62: a refresh, then the row must stay open for its first column command
  EXPECT_EQ(error({"dram.tREFI=209"}), "");
  for (const std::vector<std::string>& set : std::vector<std::vector<std::string>>{
           {"dram.tREFI=208"}, {"dram.tREFI=300", "dram.tRCD=500"}, {"dram.tREFI=400", "dram.tRRD=800"}})
    EXPECT_THAT(error(set), testing::HasSubstr("dram.tREFI = " + set[0].substr(11) + ": expected more than "))
        << set.back();
  EXPECT_EQ(error({"dram.groups=8", "dram.banks_per_group=8"}), "");
  EXPECT_EQ(error({"dram.groups=16", "dram.banks_per_group=8"}),
            "dram.groups x dram.banks_per_group = 128: expected at most 64 banks");
  // (50 + 20 + 126 + 20 + 20 + 2) command cycles x 10000 + 96
  const std::vector<std::string> slow = {"dram.core_mhz=10000", "dram.command_mhz=1", "gpu.patience=2380096"};
  EXPECT_THAT(error(slow), testing::HasSubstr("gpu.patience = 2380096: expected more than 2380096 core cycles"));
  EXPECT_EQ(error({slow[0], slow[1], "gpu.patience=2380097"}), "");
}

}  // namespace
}  // namespace warpsieve::tb
