// The data port of an L2 slice (l2.port_sectors): how many cycles requests and write-backs take. One SM, one
// controller, a packet of the network per cycle, everything to slice 0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr simt::Addr kNextOfSlice = 2 * kLineBytes;

Cycle run(ToyWorkload w, unsigned port, std::vector<std::string> set = {}) {
  set.insert(set.end(), {"dram.tREFI=1000000", "noc.input_queue=64", "noc.output_queue=64", "noc.packet_per_cycle=1",
                         "l2.eviction_queue=64", fmt::format("l2.port_sectors={}", port)});
  ToyRun run(tiny(set), w);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  return run.result.cycles;
}

/// Cycles that 16 more of the warp's instructions take.
template <class Make>
Cycle of_16(Make make, unsigned port, const std::vector<std::string>& set = {}) {
  return run(make(48), port, set) - run(make(32), port, set);
}

WarpBuilder::Lanes sectors(simt::Addr line, unsigned n) {
  WarpBuilder::Lanes lanes;
  for (unsigned l = 0; l < 8 * n; ++l) lanes.emplace_back(l, line + 4 * l);
  return lanes;
}

ToyWorkload stores(unsigned lines, unsigned each) {
  ToyWorkload w(64 * kNextOfSlice);
  WarpBuilder a;
  for (unsigned i = 0; i < lines; ++i)
    a.store(sectors(i * kNextOfSlice, each), 4,
            [i](unsigned lane, unsigned b) { return static_cast<std::uint8_t>(i + lane + b); });
  w.add({a});
  return w;
}

TEST(L2Port, StoresTakeItForTheirSectors) {
  const auto lines = [](unsigned n) { return stores(n, 4); };
  EXPECT_EQ(of_16(lines, 0), 16u);
  EXPECT_EQ(of_16(lines, 4), 16u);
  EXPECT_EQ(of_16(lines, 3), 16u * 2);
  EXPECT_EQ(of_16(lines, 2), 16u * 2);
  EXPECT_EQ(of_16(lines, 1), 16u * 4);
  EXPECT_EQ(of_16([](unsigned n) { return stores(n, 1); }, 1), 16u);
  EXPECT_EQ(of_16([](unsigned n) { return stores(n, 3); }, 1), 16u * 3);
}

TEST(L2Port, HitsTakeItForTheirSectors) {
  const auto hits = [](unsigned n) {  // of two rounds, the first brings the lines
    ToyWorkload w(64 * kNextOfSlice);
    WarpBuilder warm, again;
    for (unsigned i = 0; i < 48; ++i) warm.load_line(i * kNextOfSlice);
    for (unsigned i = 0; i < n; ++i) again.load_line(i * kNextOfSlice);
    w.add({warm});
    w.add({again});
    return w;
  };
  EXPECT_EQ(of_16(hits, 0), 16u);
  EXPECT_EQ(of_16(hits, 1), 16u * 4);
  EXPECT_EQ(of_16(hits, 2), 16u * 2);
}

TEST(L2Port, DirtyVictimsPassItToo) {
  const std::vector<std::string> one_line = {"l2.sets=1", "l2.ways=1"};
  const auto lines = [](unsigned n) { return stores(n, 4); };
  EXPECT_EQ(of_16(lines, 0, one_line), 16u);
  EXPECT_EQ(of_16(lines, 1, one_line), 16u * (4 + 4));
  EXPECT_EQ(of_16(lines, 2, one_line), 16u * (2 + 2));
  EXPECT_EQ(of_16([](unsigned n) { return stores(n, 1); }, 1, one_line), 16u * (1 + 1));
}

}  // namespace
}  // namespace warpsieve::tb
