// Mesh: zero-load latency against the formula, order and delivery under random traffic with the smallest
// buffers, saturation throughput, and whole machines on it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "memsys/noc/mesh.h"
#include "sim/memsys/toy.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr unsigned kFlitBytes = 32;  ///< of the profiles here

Profile mesh_profile(const std::vector<std::string>& more = {}) {
  std::vector<std::string> set = {"noc.topology=1", "gpu.sms=56"};
  set.insert(set.end(), more.begin(), more.end());
  return load_profile("plain", set);
}

/// A mesh with sources and destinations of its own; both directions carry (source, number) pairs.
struct MeshBench {
  MeshBench(const Profile& profile, const Mesh::Places& places)
      : context(profile), sms(static_cast<std::uint32_t>(places.sm.size())),
        slices(static_cast<std::uint32_t>(places.slice.size())), first(context.wakes.add(sms + slices)),
        mesh(context, places, first, first + sms) {}
  explicit MeshBench(const Profile& profile) : MeshBench(profile, Mesh::places(profile)) {}

  void step() {
    ++now;
    mesh.run(now);
  }
  Network& side(unsigned cls) { return cls == 0 ? mesh.requests() : mesh.replies(); }

  Context context;
  std::uint32_t sms, slices, first;
  Mesh mesh;
  Cycle now = 10;
};

/// In order per output; consumers are to be woken for what comes to an empty one, and see nothing when it is empty.
TEST(Outlets, KeepTheOrderAndSayWhatComesFirst) {
  Outlets outlets(2, 2);
  EXPECT_EQ(outlets.head(1).at, kNever);
  EXPECT_TRUE(outlets.put(1, {.packet = 7, .bytes = 40, .at = 12}));
  EXPECT_FALSE(outlets.put(1, {.packet = 8, .bytes = 8, .at = 13})) << "the consumer knows of the first";
  EXPECT_TRUE(outlets.full(1));
  EXPECT_FALSE(outlets.full(0));
  EXPECT_EQ(outlets.head(0).at, kNever);
  EXPECT_EQ(outlets.head(1).packet, 7u);
  outlets.take(1);
  EXPECT_EQ(outlets.head(1).packet, 8u);
  EXPECT_EQ(outlets.head(1).at, 13u);
  EXPECT_EQ(outlets.size(1), 1u);
  outlets.take(1);
  EXPECT_EQ(outlets.head(1).at, kNever);
  EXPECT_TRUE(outlets.put(1, {.packet = 9, .bytes = 8, .at = 20}));
}

TEST(Mesh, ControllersSpreadOverTopAndBottomRows) {
  const Mesh::Places places = Mesh::places(mesh_profile());
  EXPECT_EQ(places.slice, (std::vector<std::uint32_t>{0, 0, 2, 2, 5, 5, 7, 7, 56, 56, 58, 58, 61, 61, 63, 63}));
  EXPECT_EQ(places.sm.size(), 56u);
  EXPECT_EQ(places.sm[0], 1u);
  EXPECT_EQ(places.sm[55], 62u);
}

TEST(Mesh, ZeroLoadLatencyIsTheFormulaForEveryPairAndSize) {
  for (const auto& more : std::vector<std::vector<std::string>>{
           {}, {"noc.router_cycles=1"}, {"noc.router_cycles=4", "noc.link_cycles=3", "noc.vc_flits=9"}}) {
    MeshBench b(mesh_profile(more));
    const Mesh::Places places = Mesh::places(b.context.profile);
    for (unsigned cls = 0; cls < 2; ++cls)
      for (std::uint32_t sm = 0; sm < b.sms; ++sm)
        for (std::uint32_t slice = 0; slice < b.slices; ++slice) {
          const unsigned f = 1 + (sm + slice) % 5;
          const unsigned h = b.mesh.hops(places.sm[sm], places.slice[slice]);
          const std::uint32_t from = cls == 0 ? sm : slice, to = cls == 0 ? slice : sm;
          const Cycle start = b.now;
          b.side(cls).push(start, from, to, 7, f * kFlitBytes);
          while (b.side(cls).front(to, b.now) == kNoPacket) {
            ASSERT_LT(b.now, start + 1000);
            b.step();
          }
          ASSERT_EQ(b.now - start, b.mesh.zero_load(h, f)) << sm << " " << slice << " flits " << f;
          b.side(cls).pop(to, b.now);
          b.step();
          b.mesh.check_empty();
        }
  }
  const Mesh::Places places = Mesh::places(mesh_profile());
  MeshBench b(mesh_profile());
  EXPECT_EQ(b.mesh.hops(places.sm[0], places.slice[0]), 1u);  // by hand: 1 + 2 x (2 + 1) + 0
  EXPECT_EQ(b.mesh.zero_load(1, 1), 7u);
  EXPECT_EQ(b.mesh.zero_load(14, 5), 1u + 15 * 3 + 4);
}

TEST(Mesh, OneLinkCarriesAFlitPerCycleWithFourFlitBuffers) {
  MeshBench b(mesh_profile());
  unsigned sent = 0, got = 0;
  Cycle first = 0, last = 0;
  while (got < 500) {
    if (sent < 500 && b.side(0).can_push(3)) b.side(0).push(b.now, 3, 12, sent++, 4 * kFlitBytes);
    b.step();
    if (b.side(0).front(12, b.now) != kNoPacket) {
      EXPECT_EQ(b.side(0).front(12, b.now), got);
      b.side(0).pop(12, b.now);
      if (got++ == 0) first = b.now;
      last = b.now;
    }
  }
  EXPECT_EQ(last - first, 499u * 4);
}

/// Random packets both ways; every one arrives where it should, and those of one pair in order.
void random_traffic(const Profile& profile, std::uint32_t seed, std::uint64_t packets) {
  MeshBench b(profile);
  std::minstd_rand random(seed);
  std::map<std::tuple<unsigned, std::uint32_t, std::uint32_t>, std::uint32_t> sent, got;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> content[2];  // (from, number) by packet handle
  std::uint64_t pushed = 0, popped = 0;
  while (popped < packets) {
    for (unsigned cls = 0; cls < 2; ++cls) {
      const std::uint32_t inputs = cls == 0 ? b.sms : b.slices, outputs = cls == 0 ? b.slices : b.sms;
      for (unsigned k = 0; k < 4 && pushed < packets; ++k) {
        const auto from = static_cast<std::uint32_t>(random() % inputs);
        const auto to = static_cast<std::uint32_t>(random() % outputs);
        if (!b.side(cls).can_push(from)) continue;
        content[cls].push_back({from, sent[{cls, from, to}]++});
        b.side(cls).push(b.now, from, to, static_cast<std::uint32_t>(content[cls].size() - 1),
                         static_cast<unsigned>(1 + random() % 136));
        ++pushed;
      }
    }
    b.step();
    for (unsigned cls = 0; cls < 2; ++cls)
      for (std::uint32_t to = 0; to < (cls == 0 ? b.slices : b.sms); ++to) {
        const std::uint32_t packet = b.side(cls).front(to, b.now);
        if (packet == kNoPacket || random() % 3 == 0) continue;
        const auto [from, number] = content[cls][packet];
        ASSERT_EQ(number, (got[{cls, from, to}]++)) << "order from " << from << " to " << to;
        b.side(cls).pop(to, b.now);
        ++popped;
      }
    ASSERT_LT(b.now, 1000 + 100 * packets) << "no end: " << b.side(0).describe() << b.side(1).describe();
  }
  for (int i = 0; i < 5; ++i) b.step();
  EXPECT_TRUE(b.side(0).idle() && b.side(1).idle());
  b.mesh.check_empty();
}

TEST(Mesh, RandomTrafficWithTheSmallestBuffersArrivesInOrder) {
  const bool is_long = std::getenv("WARPSIEVE_LONG") != nullptr;
  random_traffic(mesh_profile({"noc.vc_flits=1", "noc.input_queue=1", "noc.output_queue=1"}), 1,
                 is_long ? 1000000 : 60000);
  random_traffic(mesh_profile({"noc.vc_flits=2", "noc.output_queue=2"}), 2, is_long ? 300000 : 20000);
}

TEST(Mesh, RandomShapes) {
  check_property("mesh shapes", 30, [] {
    const auto pick = [](int low, int high) { return *rc::gen::inRange(low, high); };
    const int width = pick(2, 7), height = pick(1, 6);
    const int controllers = height == 1 ? pick(1, width) : pick(1, 2 * width / 2 + 1);
    const int nodes = width * height;
    if (controllers >= nodes || (height > 1 ? (controllers + 1) / 2 : controllers) > width) return;
    random_traffic(
        mesh_profile({fmt::format("noc.mesh_width={}", width), fmt::format("noc.mesh_height={}", height),
                      fmt::format("gpu.controllers={}", controllers),
                      fmt::format("gpu.sms={}", pick(1, nodes - controllers + 1)),
                      fmt::format("noc.vc_flits={}", pick(1, 5)), fmt::format("noc.router_cycles={}", pick(1, 4)),
                      fmt::format("noc.link_cycles={}", pick(1, 3)), fmt::format("noc.flit_bytes={}", pick(8, 65)),
                      fmt::format("noc.header={}", pick(0, 2))}),
        static_cast<std::uint32_t>(pick(1, 1 << 30)), 400);
  });
}

/// Accepted flits per node and cycle under uniform random traffic from all 64 nodes to all 64, one class.
double accepted(double offered, unsigned vc_flits) {
  Mesh::Places places;
  for (std::uint32_t n = 0; n < 64; ++n) places.sm.push_back(n), places.slice.push_back(n);
  MeshBench b(mesh_profile({fmt::format("noc.vc_flits={}", vc_flits), "noc.input_queue=64"}), places);
  std::mt19937 random(7);
  std::bernoulli_distribution arrives(offered);
  std::uint64_t got = 0;
  constexpr Cycle kWarm = 3000, kEnd = 13000;
  while (b.now < kEnd) {
    for (std::uint32_t n = 0; n < 64; ++n)
      if (arrives(random) && b.side(0).can_push(n)) b.side(0).push(b.now, n, random() % 64, 1, kFlitBytes);
    b.step();
    for (std::uint32_t n = 0; n < 64; ++n)
      if (b.side(0).front(n, b.now) != kNoPacket) {
        b.side(0).pop(n, b.now);
        got += b.now > kWarm;
      }
  }
  return static_cast<double>(got) / 64 / static_cast<double>(kEnd - kWarm);
}

TEST(Mesh, UniformRandomTrafficSaturatesBelowTheBisectionBound) {
  // Bisection bound of an 8 x 8 mesh: 0.5 flits per node and cycle. Published curves for dimension-order
  // routing with few, shallow virtual channels saturate at 50 to 80 % of it.
  EXPECT_NEAR(accepted(0.10, 4), 0.10, 0.005);
  const double four = accepted(1.0, 4), sixteen = accepted(1.0, 16);
  fmt::print(
      "8 x 8 mesh, uniform random, 1-flit packets: saturates at {:.3f} flits per node and cycle with 4-flit "
      "buffers, {:.3f} with 16\n",
      four, sixteen);
  EXPECT_GT(four, 0.25);
  EXPECT_LT(sixteen, 0.5);
  EXPECT_GT(sixteen, four);
}

TEST(Mesh, AMachineOnAMeshGivesTheRightBytesAndTheLatencyOfItsHops) {
  Profile profile = mesh_profile({"gpu.sms=1", "dram.command_mhz=1365"});  // one clock: no rounding
  ToyWorkload one(1 << 16);
  WarpBuilder warp;
  warp.load({{0, 0}}, 4);
  one.add({warp});
  const ToyRun mesh(profile, one);
  EXPECT_TRUE(mesh.result.clean);
  ToyWorkload same(1 << 16);
  same.add({warp});
  profile.noc.topology = kCrossbarTopology;
  const ToyRun crossbar(profile, same);
  // SM 0 is one hop from controller 0. Crossbar: 30 + 1 cycles of request, 30 + 1 (+1: 2 flits) of reply.
  EXPECT_EQ(crossbar.result.cycles - mesh.result.cycles, (31u - 7u) + (32u - 8u));
}

}  // namespace
}  // namespace warpsieve::tb
