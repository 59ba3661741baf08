// The bound on starvation in a DRAM channel: what it costs on 64 aligned streams, and what it guarantees.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "memsys/dram/replay.h"
#include "support/property.h"
#include "validate/dram_traces.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

const std::vector<std::string> kDefault;
const std::vector<std::string> kPeers = {"dram.command_mhz=3500", "dram.burst=4",    "dram.tCCD=4",
                                         "dram.tCCD_S=4",         "dram.tWTR=9",     "dram.tFAW=40",
                                         "dram.tRFC=420",         "dram.tREFI=13650"};

DramParams channel(const std::vector<std::string>& timing, unsigned queue, unsigned high, unsigned low,
                   bool guarded) {
  std::vector<std::string> set = timing;
  for (const auto& [name, value] :
       {std::pair("read_queue", queue), {"write_queue", queue}, {"write_high", high}, {"write_low", low}})
    set.push_back(fmt::format("dram.{}={}", name, value));
  if (!guarded) set.push_back("dram.starvation=1000000");
  return load_profile("plain", set).dram;
}

void expect_bound(const std::vector<std::string>& timing, unsigned queue, unsigned high, unsigned low) {
  const auto trace = validate::dram_trace("mix64", 300000);
  const DramReplay with = replay(channel(timing, queue, high, low, true), trace, nullptr);
  const DramReplay without = replay(channel(timing, queue, high, low, false), trace, nullptr);
  EXPECT_LE(static_cast<double>(with.cycles), 1.05 * static_cast<double>(without.cycles)) << queue;
  EXPECT_LT(with.worst_read, without.worst_read) << queue;
}

TEST(DramStarvation, AlignedStreamsKeepTheirBandwidthAndTheWorstReadIsFaster) {
  for (const unsigned queue : {16u, 32u, 64u, 128u, 160u}) expect_bound(kDefault, queue, queue * 7 / 8, queue / 2);
}

TEST(DramStarvation, SoTheyDoWithTheSettingsOfOtherSimulators) {
  for (const unsigned queue : {16u, 32u, 64u, 128u, 160u}) expect_bound(kPeers, queue, queue, queue / 4);
}

/// Row hits and writes without end, and now and then a read of another row of the bank of the row hits.
std::vector<DramAccess> hostile(const DramParams& p, unsigned seed, unsigned writes_in_8) {
  std::minstd_rand random(seed);
  std::vector<DramAccess> out;
  for (unsigned i = 0; i < 20000; ++i) {
    const bool conflict = random() % 100 == 0, write = random() % 8 < writes_in_8;
    const std::uint32_t bank = write ? random() % p.banks() : 0;
    const std::uint64_t row = conflict ? 1 + random() % 1000 : 0;
    out.push_back({0, encode(p, {bank, bank / p.banks_per_group, static_cast<std::uint32_t>(random() % 64), row}),
                   write && !conflict});
  }
  return out;
}

/// Command cycles that a starved read waits for at most: each older read of its queue opens a row, serves its share
/// of row hits, and lets one drain and one refresh go before it.
std::uint64_t worst_wait(const DramParams& p) {
  const std::uint64_t row = p.tRC + p.tRP + p.tWL + p.burst + p.tWR, hits = (p.starved_hits + 1) * p.tCCD;
  return p.starvation + (row + hits) * (p.read_queue + p.write_queue) + p.tRFC * 2;
}

TEST(DramStarvation, NoReadWaitsLongerThanItsBound) {
  check_property("dram starvation", 40, [] {
    const auto draw = [](unsigned low, unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange<int>(static_cast<int>(low), static_cast<int>(high) + 1));
    };
    const unsigned queue = draw(4, 32), high = draw(2, queue);
    std::vector<std::string> timing = {fmt::format("dram.starvation={}", draw(100, 2000)),
                                       fmt::format("dram.starved_hits={}", draw(0, 32))};
    const DramParams p = channel(timing, queue, high, draw(0, high - 1), true);
    const DramReplay r = replay(p, hostile(p, draw(1, 1000000), draw(0, 6)), nullptr);
    RC_ASSERT(r.worst_read <= worst_wait(p));
  });
}

TEST(DramStarvation, WithoutTheGuardRowHitsKeepAReadBeyondIt) {
  const DramParams with = channel({"dram.starvation=500"}, 16, 14, 8, true);
  const DramParams without = channel({}, 16, 14, 8, false);
  const auto trace = hostile(with, 1, 0);
  const DramReplay guarded = replay(with, trace, nullptr), endless = replay(without, trace, nullptr);
  EXPECT_LE(guarded.worst_read, worst_wait(with));
  EXPECT_GT(endless.worst_read, worst_wait(with));
}

}  // namespace
}  // namespace warpsieve::tb
