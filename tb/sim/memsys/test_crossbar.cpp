// Crossbars with one queue per input and with virtual queues: flit counts, latency and throughput by hand, slow
// outputs, fairness, long buffers, and random traffic under back-pressure in which everybody acts only when woken.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "memsys/noc/voq_crossbar.h"
#include "sim/memsys/toy.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

Profile crossbar_profile(const std::vector<std::string>& set) { return load_profile("plain", set); }

/// A crossbar whose inputs and outputs are the test's.
template <class OneWay>
struct CrossbarBench {
  CrossbarBench(std::uint32_t ins, std::uint32_t outs, const std::vector<std::string>& set)
      : context(crossbar_profile(set)), inputs(ins), outputs(outs), first(context.wakes.add(ins + outs)),
        crossbar(context, "request", ins, outs, first, first + ins, true) {}
  void step() { crossbar.run(++now); }
  bool push(std::uint32_t input, std::uint32_t output, std::uint32_t packet, unsigned bytes) {
    if (!crossbar.can_push(input)) return false;
    crossbar.push(now, input, output, packet, bytes);
    return true;
  }
  /// The packet that was taken, or kNoPacket.
  std::uint32_t pop(std::uint32_t output) {
    const std::uint32_t packet = crossbar.front(output, now);
    if (packet != kNoPacket) crossbar.pop(output, now);
    return packet;
  }

  Context context;
  std::uint32_t inputs, outputs, first;
  OneWay crossbar;
  Cycle now = 10;
};

template <class OneWay>
class EachCrossbar : public ::testing::Test {};
using Both = ::testing::Types<Crossbar, VoqCrossbar>;
TYPED_TEST_SUITE(EachCrossbar, Both);

constexpr unsigned kSectorReply = kHeaderBytes + kSectorBytes, kLineReply = kHeaderBytes + kLineBytes;

Packet packet(PacketKind kind, SectorMask mask) {
  Packet p;
  p.kind = kind;
  p.mask = mask;
  return p;
}

TEST(Flits, OfEachKindOfPacketByHand) {
  struct Row {
    const char *bytes, *header;
    unsigned read, store_1, store_4, atomic_2, reply_1, reply_3, reply_4, ack, half_line;  // half: compressed
  };
  for (const Row& row : std::vector<Row>{{"32", "0", 1, 2, 5, 3, 2, 4, 5, 1, 3},
                                         {"40", "0", 1, 1, 4, 2, 1, 3, 4, 1, 2},
                                         {"32", "1", 1, 1, 4, 2, 1, 3, 4, 1, 2},
                                         {"40", "1", 1, 1, 4, 2, 1, 3, 4, 1, 2},
                                         {"64", "1", 1, 1, 2, 1, 1, 2, 2, 1, 1},
                                         {"8", "0", 1, 5, 17, 9, 5, 13, 17, 1, 9},
                                         {"8", "1", 1, 4, 16, 8, 4, 12, 16, 1, 8},
                                         {"256", "0", 1, 1, 1, 1, 1, 1, 1, 1, 1}}) {
    const Flits flits(
        crossbar_profile({std::string("noc.flit_bytes=") + row.bytes, std::string("noc.header=") + row.header}).noc);
    SCOPED_TRACE(fmt::format("{} bytes, header {}", row.bytes, row.header));
    EXPECT_EQ(flits.of(request_bytes(packet(PacketKind::read, 0xf))), row.read);
    EXPECT_EQ(flits.of(request_bytes(packet(PacketKind::write, 0x4))), row.store_1);
    EXPECT_EQ(flits.of(request_bytes(packet(PacketKind::write, 0xf))), row.store_4);
    EXPECT_EQ(flits.of(request_bytes(packet(PacketKind::atomic, 0x5))), row.atomic_2);
    EXPECT_EQ(flits.of(reply_bytes(packet(PacketKind::read, 0x2))), row.reply_1);
    EXPECT_EQ(flits.of(reply_bytes(packet(PacketKind::read, 0x7))), row.reply_3);
    EXPECT_EQ(flits.of(reply_bytes(packet(PacketKind::read, 0xf))), row.reply_4);
    EXPECT_EQ(flits.of(reply_bytes(packet(PacketKind::write, 0xf))), row.ack);
    Packet half = packet(PacketKind::read, 0xf);
    half.wired = true;
    half.wire.bits = 64 * 8 - 3;
    EXPECT_EQ(flits.of(reply_bytes(half)), row.half_line);
  }
}

TEST(Flits, AreTheRoundedUpQuotientForEverySizeAndWidth) {
  for (const unsigned header : {0u, 1u})
    for (unsigned width = 8; width <= 256; ++width) {
      NocParams noc = crossbar_profile({}).noc;
      noc.flit_bytes = width;
      noc.header = header;
      const Flits flits(noc);
      for (unsigned bytes = kHeaderBytes; bytes <= 2000; ++bytes) {
        const unsigned counted = header ? bytes - kHeaderBytes : bytes;
        ASSERT_EQ(flits.of(bytes), std::max(1u, (counted + width - 1) / width)) << bytes << " by " << width;
      }
    }
}

TEST(Flits, OfAMachineFollowItsParameters) {
  WarpBuilder warp;
  warp.load_line(0);          // a line
  warp.load({{0, 4096}}, 4);  // a sector
  warp.store({{0, 8192}}, 4, [](unsigned, unsigned) { return std::uint8_t{1}; });
  const auto run = [&](const std::vector<std::string>& set) {
    ToyWorkload w(1 << 16);
    w.add({warp});
    ToyRun r(crossbar_profile(set), w);
    EXPECT_TRUE(r.result.clean);
    return std::pair(r.stat("noc.request_flits"), r.stat("noc.reply_flits"));
  };
  using Counts = std::pair<std::uint64_t, std::uint64_t>;
  EXPECT_EQ(run({}), (Counts{1 + 1 + 2, 5 + 2 + 1}));
  EXPECT_EQ(run({"noc.flit_bytes=40"}), (Counts{1 + 1 + 1, 4 + 1 + 1}));
  EXPECT_EQ(run({"noc.header=1"}), (Counts{1 + 1 + 1, 4 + 1 + 1}));
  EXPECT_EQ(run({"noc.flit_bytes=16", "noc.packet_per_cycle=1"}), (Counts{1 + 1 + 3, 9 + 3 + 1}));
  EXPECT_EQ(run({"noc.flit_bytes=40", "noc.virtual_queues=1"}), (Counts{3, 6}));
  EXPECT_EQ(run({"noc.flit_bytes=40", "noc.topology=1", "gpu.sms=8"}), (Counts{3, 6}));
  EXPECT_EQ(run({"noc.flit_bytes=40", "noc.cluster=4"}), (Counts{3, 6}));
}

TEST(Profile, AMeshTakesNoParametersOfCrossbars) {
  for (const char* set : {"noc.packet_per_cycle=1", "noc.virtual_queues=1"})
    EXPECT_THROW(crossbar_profile({"noc.topology=1", "gpu.sms=8", set}), ConfigError) << set;
}

TYPED_TEST(EachCrossbar, LatencyAndThroughputOfOneInputAndOutput) {
  struct Row {
    std::vector<std::string> set;
    unsigned sector, line;  // cycles
  };
  for (const Row& row : std::vector<Row>{{{}, 2, 5},
                                         {{"noc.flit_bytes=40"}, 1, 4},
                                         {{"noc.header=1"}, 1, 4},
                                         {{"noc.flit_bytes=16", "noc.header=1"}, 2, 8},
                                         {{"noc.packet_per_cycle=1"}, 1, 1}})
    for (const auto& [bytes, cycles] : {std::pair{kSectorReply, row.sector}, {kLineReply, row.line}}) {
      CrossbarBench<TypeParam> b(3, 4, row.set);
      const Cycle start = b.now;
      std::uint32_t sent = 0, got = 0;
      Cycle first = 0, last = 0;
      while (got < 300) {
        if (sent < 300 && b.push(1, 2, sent, bytes)) ++sent;
        b.step();
        if (const std::uint32_t packet = b.pop(2); packet != kNoPacket) {
          ASSERT_EQ(packet, got);
          if (got++ == 0) first = b.now;
          last = b.now;
        }
        ASSERT_LT(b.now, 10000u);
      }
      EXPECT_EQ(first, start + 1 + 30 + cycles - 1);
      EXPECT_EQ(last - first, Cycle{299} * cycles) << bytes << " bytes";
      EXPECT_TRUE(b.crossbar.idle());
    }
}

/// One input sends 1 packet in 8 to output 0, which takes nothing for the first 600 cycles, the others to outputs 1
/// to 7. How many of these come out in that time.
template <class OneWay>
unsigned past_a_slow_output() {
  CrossbarBench<OneWay> b(2, 8,
                          {"noc.output_queue=1", "noc.input_queue=128", "noc.packet_per_cycle=1", "noc.latency=2"});
  unsigned sent = 0, got = 0;
  while (b.now < 610) {
    if (b.push(0, sent % 8, sent, kSectorReply)) ++sent;
    b.step();
    for (std::uint32_t o = 1; o < 8; ++o) got += b.pop(o) != kNoPacket;
  }
  for (; !b.crossbar.idle(); b.step())
    for (std::uint32_t o = 0; o < 8; ++o) b.pop(o);
  return got;
}

TEST(VirtualQueues, ASlowOutputDoesNotBlockTheOthers) {
  EXPECT_LT(past_a_slow_output<Crossbar>(), 20u) << "the second packet for it is the head of the queue";
  EXPECT_GT(past_a_slow_output<VoqCrossbar>(), 500u);
}

TEST(VirtualQueues, OutputsStayBusyUnderUniformTraffic) {
  const auto accepted = []<class OneWay>(unsigned ports, unsigned outputs) {
    CrossbarBench<OneWay> b(ports, outputs, {"noc.packet_per_cycle=1", "noc.input_queue=64"});
    std::minstd_rand random(5);
    std::uint64_t got = 0;
    for (; b.now < 6000; b.step()) {
      for (std::uint32_t i = 0; i < ports; ++i) b.push(i, random() % outputs, 0, kSectorReply);
      for (std::uint32_t o = 0; o < outputs; ++o) got += b.pop(o) != kNoPacket && b.now > 1000;
    }
    return static_cast<double>(got) / 5000 / std::min(ports, outputs);
  };
  const double fifo = accepted.operator()<Crossbar>(32, 32), voq = accepted.operator()<VoqCrossbar>(32, 32);
  fmt::print("32 x 32, uniform: {:.3f} of the ports' rate with one queue per input, {:.3f} with virtual queues\n",
             fifo, voq);
  EXPECT_NEAR(fifo, 0.586, 0.03) << "Karol, Hluchyj, Morgan 1987: 2 - sqrt(2)";
  EXPECT_GT(voq, 0.93);
}

/// Packets that each input got through to each output when all have packets for all, of the given lengths.
template <class OneWay>
std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> shares(std::uint32_t ports, Cycle cycles,
                                                                   const std::function<unsigned()>& bytes) {
  CrossbarBench<OneWay> b(ports, ports, {"noc.input_queue=1024", "noc.header=1"});
  std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> queued, got;
  const auto fill = [&](std::uint32_t i) {
    for (std::uint32_t o = 0; o < ports; ++o)
      for (; queued[{i, o}] < 4; ++queued[{i, o}]) EXPECT_TRUE(b.push(i, o, i, bytes()));
  };
  for (; b.now < cycles; b.step())
    for (std::uint32_t i = 0; i < ports; ++i) {
      fill(i);
      if (const std::uint32_t from = b.pop(i); from != kNoPacket) ++got[{from, i}], --queued[{from, i}];
    }
  return got;
}

TEST(VirtualQueues, EveryInputGetsItsShareOfEveryOutput) {
  std::minstd_rand random(3);
  for (const bool mixed : {false, true}) {
    const auto got =
        shares<VoqCrossbar>(8, 40000, [&] { return mixed ? kHeaderBytes + random() % 137 : kSectorReply; });
    ASSERT_EQ(got.size(), 64u);
    unsigned least = ~0u, most = 0;
    for (const auto& [flow, packets] : got) least = std::min(least, packets), most = std::max(most, packets);
    fmt::print("8 x 8, {}: {} to {} packets per input and output\n", mixed ? "lengths mixed" : "one length", least,
               most);
    EXPECT_GT(least, 0.9 * most);
  }
}

/// Two inputs and outputs, packets of two cycles, the second pair starts a cycle after the first: whenever an
/// output's link is free, so is the link of the input that it has served last, and the other one's is not.
TEST(VirtualQueues, AnInputThatIsAlwaysBusyAtTheWrongTimeIsWaitedFor) {
  CrossbarBench<VoqCrossbar> b(2, 2, {"noc.input_queue=128", "noc.header=1", "noc.flit_bytes=16", "noc.latency=2"});
  std::map<std::pair<std::uint32_t, std::uint32_t>, unsigned> queued, got;
  const auto keep = [&](std::uint32_t i, std::uint32_t o) {
    for (; queued[{i, o}] < 32; ++queued[{i, o}]) ASSERT_TRUE(b.push(i, o, i, kSectorReply));
  };
  keep(0, 0);
  b.step();
  keep(1, 1);
  b.step();
  for (; b.now < 4000; b.step())
    for (const std::uint32_t i : {0u, 1u}) {
      keep(i, 0), keep(i, 1);
      if (const std::uint32_t from = b.pop(i); from != kNoPacket) ++got[{from, i}], --queued[{from, i}];
    }
  for (const std::uint32_t i : {0u, 1u})
    for (const std::uint32_t o : {0u, 1u}) EXPECT_GT((got[{i, o}]), 600u) << i << " to " << o;
}

TYPED_TEST(EachCrossbar, BuffersOf512PacketsHoldThem) {
  CrossbarBench<TypeParam> b(2, 2, {"noc.input_queue=512", "noc.output_queue=512", "noc.packet_per_cycle=1"});
  EXPECT_EQ(b.crossbar.room(0), 512u);
  std::uint32_t sent = 0, got = 0;
  for (; b.push(0, 1, sent, kLineReply); ++sent) {
  }
  EXPECT_EQ(sent, 512u);
  EXPECT_EQ(b.crossbar.room(0), 0u);
  for (int i = 0; i < 600; ++i) b.step();
  EXPECT_EQ(b.crossbar.outlets().size(1), 512u);
  for (; b.push(0, 1, sent, kLineReply); ++sent) {
  }
  EXPECT_EQ(sent, 1024u);
  for (; !b.crossbar.idle() && b.now < 5000; b.step())
    if (const std::uint32_t packet = b.pop(1); packet != kNoPacket) {
      ASSERT_EQ(packet, got);
      ++got;
    }
  EXPECT_EQ(got, sent);
}

/// Random packets under back-pressure. Producers that were refused and consumers that found nothing act again only
/// when they are woken. Returns what was wrong.
template <class OneWay>
std::string random_traffic(std::uint32_t inputs, std::uint32_t outputs, const std::vector<std::string>& set,
                           unsigned seed, unsigned packets, unsigned patience) {
  CrossbarBench<OneWay> b(inputs, outputs, set);
  std::minstd_rand random(seed);
  WakeTimes& wakes = b.context.wakes;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> sent, got;
  struct Content {
    std::uint32_t from, to, number;
  };
  std::vector<Content> content;
  std::vector<char> waits(inputs), looks(outputs);
  std::vector<Cycle> busy(outputs);
  unsigned popped = 0;
  for (Cycle last = b.now; popped < packets;) {
    for (std::uint32_t i = 0; i < inputs; ++i) {
      if (wakes.take(b.first + i, b.now)) waits[i] = false;
      while (!waits[i] && content.size() < packets && random() % 4) {
        const auto to = static_cast<std::uint32_t>(random() % 3 ? random() % outputs : 0);  // output 0 is a hot spot
        const std::size_t room = b.crossbar.room(i);
        if (b.push(i, to, static_cast<std::uint32_t>(content.size()), static_cast<unsigned>(8 + random() % 129))) {
          if (room != b.crossbar.room(i) + 1) return "room() does not follow the pushes";
          content.push_back({i, to, sent[{i, to}]++});
        } else {
          if (room != 0) return "refused although it has room";
          waits[i] = true;
        }
      }
    }
    b.step();
    for (std::uint32_t o = 0; o < outputs; ++o) {
      if (wakes.take(b.first + inputs + o, b.now)) looks[o] = true;
      if (!looks[o] || busy[o] > b.now) continue;
      const std::uint32_t packet = b.pop(o);
      if (packet == kNoPacket) {
        looks[o] = b.crossbar.next_arrival(o) != kNever;
        continue;
      }
      const Content& c = content.at(packet);
      if (c.to != o) return fmt::format("packet {} for output {} came out of {}", packet, c.to, o);
      if (c.number != got[{c.from, o}]++) return fmt::format("order from {} to {}", c.from, o);
      busy[o] = b.now + random() % patience;
      ++popped;
      last = b.now;
    }
    if (b.now > last + 1000) return "nothing moves: " + b.crossbar.describe();
  }
  if (!b.crossbar.idle() || b.crossbar.bytes_in() != b.crossbar.bytes_out()) return "packets or bytes were lost";
  for (std::uint32_t i = 0; i < inputs; ++i)
    if (b.crossbar.room(i) != b.context.profile.noc.input_queue) return "places were lost";
  return "";
}

TYPED_TEST(EachCrossbar, RandomTrafficArrivesInOrderAndEverybodyIsWoken) {
  check_property("random crossbars", 300, [] {
    const auto pick = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
    const auto set = [](const char* name, int v) { return fmt::format("{}={}", name, v); };
    const std::vector<std::string> machine = {
        set("noc.latency", pick(1, 70)),     set("noc.input_queue", pick(1, pick(0, 1) ? 4 : 100)),
        set("noc.output_queue", pick(1, 9)), set("noc.flit_bytes", pick(8, 64)),
        set("noc.header", pick(0, 1)),       set("noc.packet_per_cycle", pick(0, 1))};
    const auto inputs = static_cast<std::uint32_t>(pick(1, 70)), outputs = static_cast<std::uint32_t>(pick(1, 70));
    const std::string wrong = random_traffic<TypeParam>(
        inputs, outputs, machine, static_cast<unsigned>(pick(1, 1 << 30)), 1500, static_cast<unsigned>(pick(1, 20)));
    if (!wrong.empty()) RC_FAIL(wrong);
  });
}

}  // namespace
}  // namespace warpsieve::tb
