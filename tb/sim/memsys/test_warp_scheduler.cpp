// Ready times and warp schedulers against plain ones that look through all slots in every cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "memsys/sm/ready_times.h"
#include "memsys/sm/warp_scheduler.h"

namespace warpsieve::memsys::test {
namespace {

std::vector<std::uint32_t> due_slots(const ReadyTimes& times, std::uint32_t schedulers, std::uint32_t each) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t slot = 0; slot < schedulers * each; ++slot)
    if (times.due(times.scheduler(slot)) & times.bit(slot)) out.push_back(slot);
  return out;
}

void expect_as_plain(std::uint32_t schedulers, std::uint32_t each, std::uint32_t seed) {
  SCOPED_TRACE(testing::Message() << schedulers << " x " << each << " seed " << seed);
  std::mt19937 random(seed);
  ReadyTimes times(schedulers, each);
  std::vector<Cycle> plain(schedulers * each, kNever);
  Cycle now = 0;
  for (int step = 0; step < 4000; ++step) {
    const auto slot = static_cast<std::uint32_t>(random() % plain.size());
    Cycle at = kNever;  // also in place of another time, and in the past
    switch (random() % 8) {
      case 0: break;
      case 1: at = now + 1 + random() % 300; break;
      case 2: at = now - std::min<Cycle>(now, random() % 5); break;
      default: at = now + 1 + random() % 40;
    }
    times.set(slot, plain[slot] = at);
    ASSERT_EQ(times.at(slot), at);
    if (random() % 2) {
      now += random() % 16 ? 1 : random() % 100;
      times.advance(now);
    }
    std::vector<std::uint32_t> due;
    Cycle next = kNever;
    for (std::uint32_t s = 0; s < plain.size(); ++s)
      if (plain[s] <= now)
        due.push_back(s);
      else
        next = std::min(next, plain[s]);
    ASSERT_EQ(due_slots(times, schedulers, each), due) << "cycle " << now;
    ASSERT_LE(times.next(), next) << "cycle " << now;
    ASSERT_GT(times.next(), now);
  }
}

TEST(ReadyTimes, AsAPlainList) {
  for (std::uint32_t seed = 0; seed < 6; ++seed) {
    expect_as_plain(1, 64, seed);
    expect_as_plain(4, 12, seed);
    expect_as_plain(8, 8, seed);
    expect_as_plain(3, 1, seed);
  }
}

TEST(ReadyTimes, NextIsExactWhenNothingIsTakenBack) {
  ReadyTimes times(2, 4);
  times.advance(1000);
  times.set(0, 1000 + ReadyTimes::kSpan - 1);
  times.set(5, 1000 + ReadyTimes::kSpan);
  EXPECT_EQ(times.next(), 1000 + ReadyTimes::kSpan - 1);
  times.advance(1000 + ReadyTimes::kSpan - 1);
  EXPECT_EQ(times.due(0), 1u);
  EXPECT_EQ(times.next(), 1000 + ReadyTimes::kSpan);
  times.advance(5000);
  EXPECT_EQ(times.due(1), 2u);
  EXPECT_EQ(times.next(), kNever);
}

TEST(ReadyTimes, RefusesMoreSlotsThanAWordHas) {
  EXPECT_THROW(ReadyTimes(1, 65), std::invalid_argument);
  EXPECT_THROW(ReadyTimes(9, 8), std::invalid_argument);
}

SmParams machine(std::mt19937& random) {
  SmParams p{};
  p.schedulers = 1 + random() % 4;
  p.threads = 32 * (1 + random() % 48);
  p.alu_latency = 4;
  p.sfu_latency = 16;
  p.shared_latency = 24;
  p.constant_latency = 8;
  p.scheduler = random() % 2;
  p.lsu_fair = random() % 2;
  p.alu_chain = 100;
  p.int_interval = p.fp_interval = p.dp_interval = p.tensor_interval = p.constant_interval = 1;
  p.sfu_interval = random() % 2 ? 1 : 4;
  return p;
}

/// The rules of warp_scheduler.h, slot by slot.
struct PlainScheduler {
  const SmParams& p;
  const Units& units;
  std::uint32_t each;
  std::vector<Cycle> ready = std::vector<Cycle>(p.schedulers * each, kNever);
  std::vector<Units::Gate> gate = std::vector<Units::Gate>(ready.size(), Units::kOpen);
  std::vector<std::uint32_t> age = std::vector<std::uint32_t>(ready.size());
  std::vector<std::uint32_t> last = std::vector<std::uint32_t>(p.schedulers, ~0u);
  std::uint32_t turn = 0;

  bool can_issue(Cycle now, std::uint32_t slot, bool lsu_busy) const {
    if (ready[slot] > now) return false;
    if (gate[slot] == WarpScheduler::kLsuGate) return !lsu_busy;
    return gate[slot] == Units::kOpen || units.free_at(slot / each, gate[slot]) <= now;
  }
  /// Slot that scheduler `s` issues from; ~0: none.
  std::uint32_t pick(Cycle now, std::uint32_t s, bool lsu_busy) const {
    std::vector<std::uint32_t> can;
    for (std::uint32_t slot = s * each; slot < (s + 1) * each; ++slot)
      if (can_issue(now, slot, lsu_busy)) can.push_back(slot);
    if (can.empty()) return ~0u;
    if (p.scheduler == kLooseRoundRobin) {
      const auto behind =
          std::find_if(can.begin(), can.end(), [&](std::uint32_t slot) { return last[s] != ~0u && slot > last[s]; });
      return behind == can.end() ? can.front() : *behind;
    }
    if (std::find(can.begin(), can.end(), last[s]) != can.end()) return last[s];
    return *std::min_element(can.begin(), can.end(), [&](auto a, auto b) { return age[a] < age[b]; });
  }
};

void expect_as_slot_by_slot(std::uint32_t seed) {
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937 random(seed);
  const SmParams p = machine(random);
  Units units(p);
  WarpScheduler scheduler(p, units);
  PlainScheduler plain{p, units, scheduler.slots_each()};
  simt::WarpInstr sfu;
  sfu.op = simt::Op::sfu;
  std::uint32_t ages = 0;
  bool lsu_busy = false;
  const auto set = [&](std::uint32_t slot, Cycle at) {
    const Units::Gate sfu_gate = units.gate(sfu, 0);
    const Units::Gate gates[] = {Units::kOpen, WarpScheduler::kLsuGate, sfu_gate};
    const Units::Gate gate = gates[random() % 3];
    scheduler.set_gate(slot, gate);
    scheduler.set_ready(slot, at);
    plain.gate[slot] = gate;
    plain.ready[slot] = at;
  };
  for (std::uint32_t slot = 0; slot < scheduler.slots(); ++slot) {
    scheduler.start(slot);
    plain.age[slot] = ages++;
    set(slot, 1 + random() % 4);
  }
  std::uint64_t issues = 0;
  for (Cycle now = 1, due = 1; now < 3000; ++now) {
    scheduler.advance(now);
    if (lsu_busy && random() % 4 == 0) lsu_busy = false;
    if (random() % 8 == 0) {  // the result of a load comes; or a warp ends and another one starts
      const auto slot = static_cast<std::uint32_t>(random() % scheduler.slots());
      if (plain.ready[slot] == kNever) {
        if (random() % 2) {
          scheduler.start(slot);
          plain.age[slot] = ages++;
        }
        set(slot, now + 1);
        due = std::min(due, now + 1);
      }
    }
    bool issued = false;
    const std::uint32_t turn = plain.turn;
    std::uint32_t k = 0;
    const auto pass_to = [&](std::uint32_t s) {  // schedulers before it must have had nothing to issue
      for (; k < p.schedulers && (turn + k) % p.schedulers != s; ++k)
        EXPECT_EQ(plain.pick(now, (turn + k) % p.schedulers, lsu_busy), ~0u) << "cycle " << now;
    };
    const WarpScheduler::Result result = scheduler.run(now, lsu_busy, [&](std::uint32_t slot) {
      const std::uint32_t s = scheduler.scheduler(slot);
      pass_to(s);
      ++k;
      ASSERT_EQ(slot, plain.pick(now, s, lsu_busy)) << "cycle " << now;
      plain.last[s] = slot;
      issued = true;
      ++issues;
      Cycle at = now + 4;
      if (plain.gate[slot] == WarpScheduler::kLsuGate) {
        lsu_busy = true;
        scheduler.took_lsu(slot);
        if (p.lsu_fair) plain.turn = (s + 1) % p.schedulers;
        at = random() % 2 ? kNever : now + 1;
      } else if (plain.gate[slot] != Units::kOpen) {
        at = units.issue(now, s, sfu, 0);
      }
      set(slot, at);
    });
    pass_to(~0u);
    if (testing::Test::HasFailure()) return;
    EXPECT_EQ(result.issued, issued);
    if (issued && !lsu_busy) {
      ASSERT_GE(now, due) << "a slot issued before it was said to be ready";
    }
    // What waits for the load/store unit is not in sight; all others are.
    due = lsu_busy ? now + 1 : result.next;
    ASSERT_GT(result.next, now);
  }
  EXPECT_GT(issues, 100u);
}

TEST(WarpScheduler, AsSlotBySlot) {
  for (std::uint32_t seed = 0; seed < 60; ++seed) expect_as_slot_by_slot(seed);
}

}  // namespace
}  // namespace warpsieve::memsys::test
