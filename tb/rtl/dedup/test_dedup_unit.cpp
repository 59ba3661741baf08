// dedup_unit as the simulator uses it: fingerprints other than the paper's, cycles that are skipped, texts.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "core/secded.h"
#include "world.h"

namespace warpsieve::dedup {
namespace {

using metadata_cache::MetaMemRsp;

DedupUnitParams ecc_unit() {
  DedupUnitParams p = quick_unit();
  p.config.verify = true;
  p.fingerprint = Fingerprint::ecc;
  p.store.domain_bits = kEccDomainBits;
  return p;
}

// ---- fingerprints ---------------------------------------------------------------------------------

TEST(DedupFingerprint, EccFindsADuplicateAndComparesIt) {
  World world(ecc_unit(), {}, {});
  EXPECT_EQ(world.write(3, 0xf, pattern(1)).outcome, Outcome::unique_home);
  const DoneEvent event = world.write(5, 0xf, pattern(1));
  EXPECT_EQ(event.outcome, Outcome::inter);
  EXPECT_TRUE(event.verified);
  EXPECT_EQ(world.write(6, 0xf, pattern(2)).outcome, Outcome::unique_home);
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

// The mask is no part of the check bytes: zeros in a sector look like a sector that is not there.
TEST(DedupFingerprint, EccTellsMasksApart) {
  LineData data = pattern(1);
  std::fill(data.begin() + 64, data.end(), 0);  // check bytes of zeros are zeros
  World world(ecc_unit(), {}, {});
  EXPECT_EQ(world.write(3, 0xf, data).outcome, Outcome::unique_home);
  const DoneEvent partial = world.write(5, 0x3, data);
  EXPECT_EQ(partial.outcome, Outcome::unique_home);
  EXPECT_FALSE(partial.verified);
  EXPECT_EQ(world.write(6, 0xf, data).outcome, Outcome::inter);
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

// A word and the same word with two bits changed differ in their check bytes; of four bits changed many do not.
TEST(DedupFingerprint, EccCollisionsAreFoundByTheComparison) {
  World world(ecc_unit(), {}, {});
  unsigned collisions = 0;
  for (unsigned a = 0; a < 16 && !collisions; ++a) {
    for (unsigned b = a + 1; b < 16 && !collisions; ++b) {
      for (unsigned c = b + 1; c < 32; ++c) {
        for (unsigned d = c + 1; d < 64; ++d) {
          const std::uint64_t mask = 1ull << a | 1ull << b | 1ull << c | 1ull << d;
          if (secded::check_byte(mask) != secded::check_byte(0)) continue;
          LineData other = pattern(1);
          for (unsigned k = 0; k < 8; ++k) other[k] ^= static_cast<std::uint8_t>(mask >> 8 * k);
          world.write(3, 0xf, pattern(1));
          const DoneEvent event = world.write(5, 0xf, other);
          EXPECT_TRUE(event.collision);
          EXPECT_NE(event.outcome, Outcome::inter);
          ++collisions;
          c = d = 64;
        }
      }
    }
  }
  EXPECT_EQ(collisions, 1u);
  world.check_all();
  EXPECT_THAT(world.errors, ::testing::IsEmpty());
}

TEST(DedupFingerprint, EccNeedsTheComparison) {
  DedupUnitParams params = ecc_unit();
  params.config.verify = false;
  EXPECT_THROW(DedupUnit(params, {}), std::invalid_argument);
}

TEST(DedupFingerprint, InstantHashIsMd5AfterOneCycle) {
  std::array<std::uint64_t, 2> cycles{};
  for (const bool instant : {false, true}) {
    DedupUnitParams params = quick_unit();
    params.hash_cycles_per_chunk = 76;
    params.instant_hash = instant;
    World world(params, {}, {});
    world.write(3, 0xf, pattern(1));
    world.drain();
    const std::uint64_t start = world.cycle();
    EXPECT_EQ(world.write(5, 0xf, pattern(1)).outcome, Outcome::inter);
    cycles[instant] = world.cycle() - start;
    world.check_all();
    EXPECT_THAT(world.errors, ::testing::IsEmpty());
  }
  EXPECT_EQ(cycles[0], cycles[1] + 3 * 76 - 1);
}

// ---- cycles that are skipped ----------------------------------------------------------------------

/// Drives a unit from a fixed schedule and writes down what it says in which cycle. With `skipping` it is clocked
/// only when something was pushed or popped or quiet() has passed.
struct Outside {
  Outside(const DedupUnitParams& params, bool skipping) : unit(params, {}), skips(skipping) {}
  template <class T>
  bool taken(OutPort<T>& port, T& item) {
    if (!port.front()) return false;
    catch_up();
    item = *port.front();
    port.pop();
    log.push_back(fmt::format("{} {}", cycle, describe(item)));
    return true;
  }
  /// Before something is pushed or taken.
  void catch_up() {
    if (skips) unit.pass(cycle - ticked_to);
    ticked_to = cycle;
  }
  void step() {
    bool moved = false;
    if (cycle >= due) catch_up();  // before somebody looks
    // Also of a unit that is behind.
    const std::string state = fmt::format("rd {} wr {} idle {}", unit.rd_ready(), unit.wr_ready(), unit.idle());
    if (std::exchange(last_state, state) != state) log.push_back(fmt::format("{} {}", cycle, state));
    if (const DoneEvent* done = unit.done().front()) log.push_back(fmt::format("{} {}", cycle, describe(*done)));
    L2Rsp l2;
    moved |= taken(unit.l2(), l2);
    DramReq dram;
    if (cycle >= dram_ready && taken(unit.dram(), dram)) {
      moved = true;
      if (slow_dram) dram_ready = cycle + dram.line % 4 * 50;
      if (dram.kind == DramKind::dedup_read || dram.kind == DramKind::verify_read)
        reads.push_back({cycle + 40, {host_data(dram.line), dram.tag}});
    }
    ProbeReq probe;
    if (taken(unit.probe(), probe)) {
      moved = true;
      probes.push_back({cycle + 15, {probe.id, 0, {}}});
    }
    for (unsigned k = 0; k < kMetas; ++k) {
      metadata_cache::MetaMemReq meta;
      if (taken(unit.meta_mem_req(k), meta)) {
        moved = true;
        auto [sector, fresh] = memory[k].try_emplace(meta.sector);
        if (fresh) sector->second = unit.initial_metadata(k, meta.sector);
        if (meta.write)
          sector->second = meta.data;
        else
          fills[k].push_back({cycle + 60, {meta.sector, sector->second}});
      }
      moved |= give(
          fills[k], [&]() -> auto& { return unit.meta_mem_rsp(k); });
    }
    moved |= give(
        reads, [&]() -> auto& { return unit.dram_rsp(); });
    moved |= give(
        probes, [&]() -> auto& { return unit.probe_rsp(); });
    if (!writes.empty() && cycle >= next_write && unit.wr_ready()) {
      catch_up();
      unit.wr().push(writes.front());
      writes.pop_front();
      next_write = cycle + (writes.size() % 3 ? 5 : 700);
      moved = true;
    }
    if (!wanted.empty() && cycle % 61 < burst && unit.rd_ready()) {
      catch_up();
      unit.rd().push(wanted.front());
      wanted.pop_front();
      moved = true;
    }
    if (!skips || moved || cycle >= due) {
      catch_up();
      unit.tick();
      ++ticks;
      ticked_to = cycle + 1;
      const std::uint64_t quiet = unit.quiet();
      due = quiet == DedupUnit::kForever ? quiet : cycle + 1 + quiet;
    }
    ++cycle;
  }
  template <class T>
  using Queue = std::deque<std::pair<std::uint64_t, T>>;
  /// The port is asked for only when there is something to push: that alone wakes the unit.
  template <class T, class Port>
  bool give(Queue<T>& queue, Port&& port) {
    if (queue.empty() || queue.front().first > cycle) return false;
    catch_up();
    if (!port().push(queue.front().second)) return false;
    queue.pop_front();
    return true;
  }

  DedupUnit unit;
  bool skips, slow_dram = false;
  unsigned burst = 4;
  std::uint64_t cycle = 0, ticks = 0, ticked_to = 0, due = 0, next_write = 0, dram_ready = 0;
  std::deque<WriteReq> writes;
  std::deque<ReadReq> wanted;
  Queue<DramRsp> reads;
  Queue<ProbeRsp> probes;
  std::array<Queue<MetaMemRsp>, kMetas> fills;
  std::array<std::map<std::uint32_t, metadata_cache::SectorData>, kMetas> memory;
  std::string last_state;
  std::vector<std::string> log;
};

/// Returns the number of ticks with skipping.
std::uint64_t skipped_cycles_change_nothing(bool slow_dram, unsigned writes = 60, unsigned burst = 4) {
  DedupUnitParams params = tiny_unit();  // the paper's 76 cycles per chunk and 20 per metadata access
  params.config.verify = true;
  Outside all(params, false), some(params, true);
  for (Outside* outside : {&all, &some}) {
    outside->slow_dram = slow_dram;
    outside->burst = burst;
    for (unsigned k = 0; k < 200; ++k)
      outside->wanted.push_back({k * 5 % 16, static_cast<std::uint8_t>(1 + k % 15), k});
    for (unsigned k = 0; k < writes; ++k) {
      const LineData data = k % 5 == 0 ? flat(k) : pattern(k % 4);
      outside->writes.push_back(
          {k * 7 % 16, static_cast<std::uint8_t>(k % 3 ? 0xf : 1 + k % 15), data, static_cast<std::uint8_t>(k % 2)});
    }
    while (outside->cycle < 60000) outside->step();
    EXPECT_TRUE(outside->writes.empty() && outside->wanted.empty());
  }
  EXPECT_THAT(some.log, ::testing::ElementsAreArray(all.log));
  EXPECT_GT(all.log.size(), 100u);
  EXPECT_EQ(all.ticks, 60000u);
  EXPECT_LT(some.ticks, all.ticks / 2);
  EXPECT_TRUE(all.unit.stats() == some.unit.stats());
  EXPECT_EQ(some.due, DedupUnit::kForever);
  return some.ticks;
}

TEST(DedupUnit, SkippedCyclesChangeNothingButTheNumberOfTicks) { skipped_cycles_change_nothing(false); }
/// Requests stay on offer for up to 150 cycles, while reads and writes pile up behind them.
TEST(DedupUnit, NorDoThoseInWhichTheDramTakesNothing) { skipped_cycles_change_nothing(true); }
/// Of a read of a line never written, what is seen is the push and the request to the DRAM: about four ticks each.
TEST(DedupUnit, ReadsAloneGoOnInsideUnseen) {
  for (const bool slow_dram : {false, true})
    for (const unsigned burst : {1u, 2u, 4u})
      EXPECT_LT(skipped_cycles_change_nothing(slow_dram, 0, burst), 5u * 200) << slow_dram << burst;
}

// ---- texts ----------------------------------------------------------------------------------------

}  // namespace
}  // namespace warpsieve::dedup
