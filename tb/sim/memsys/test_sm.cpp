// Execution units, shared memory and warp schedulers of one SM: cycles and orders that can be added up by hand.
// Launch 0 | first issue 1 | result at 1 + latency; the kernel ends with the last result.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <memory>

#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using simt::Op;
using simt::Unit;
using ::testing::ElementsAre;
using Sources = std::vector<std::uint32_t>;

Profile sm_machine(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000000"};
  set.insert(set.end(), more.begin(), more.end());
  return tiny(set);
}

Cycle sm_cycles_of(const std::vector<WarpBuilder>& warps, const Profile& profile) {
  ToyWorkload w(4096);
  w.add(warps);
  ToyRun run(profile, w);
  EXPECT_TRUE(run.result.clean);
  return run.result.cycles;
}

/// `count` instructions of one class, each on the one before or all on their own.
WarpBuilder program(Op op, Unit unit, unsigned count, bool dependent, unsigned passes = 1) {
  WarpBuilder b;
  for (unsigned i = 0; i < count; ++i) {
    const std::uint32_t n = b.op(op, i && dependent ? Sources{i - 1} : Sources{});
    b.trace.instrs[n].set_unit(unit);
    if (op == Op::shared) b.trace.instrs[n].detail[0] = static_cast<std::uint8_t>(passes - 1);
  }
  return b;
}

struct Class {
  const char* name;  ///< of its parameters
  Op op;
  Unit unit;
};
constexpr Class kClasses[] = {{"int", Op::alu, Unit::integer},          {"fp", Op::alu, Unit::single_precision},
                              {"dp", Op::alu, Unit::double_precision},  {"sfu", Op::sfu, Unit::special},
                              {"dp", Op::sfu, Unit::double_precision},  {"tensor", Op::sfu, Unit::matrix},
                              {"constant", Op::constant, Unit::integer}};

TEST(Units, EveryClassHasItsLatencyAndItsInterval) {
  constexpr unsigned kCount = 10;
  for (const Class& c : kClasses)
    for (const unsigned latency : {1u, 7u, 20u})
      for (const unsigned interval : {1u, 3u, 8u}) {
        const Profile p = sm_machine(
            {fmt::format("sm.{}_latency={}", c.name, latency), fmt::format("sm.{}_interval={}", c.name, interval)});
        const WarpBuilder chain = program(c.op, c.unit, kCount, true), free = program(c.op, c.unit, kCount, false);
        const std::string what = fmt::format("{} latency {} interval {}", c.name, latency, interval);
        const Cycle step = std::max(latency, interval);
        EXPECT_EQ(sm_cycles_of({chain}, p), 1 + (kCount - 1) * step + latency) << what;
        EXPECT_EQ(sm_cycles_of({free}, p), 1 + (kCount - 1) * interval + latency) << what;
        EXPECT_EQ(sm_cycles_of({free, free, free, free}, p), 1 + (kCount - 1) * interval + latency) << what;
        EXPECT_EQ(sm_cycles_of({free, free, free, free, free}, p), 1 + (2 * kCount - 1) * interval + latency) << what;
        // The other classes are as before, but for those that follow the special functions.
        for (const Class& other : kClasses)
          if (std::string(other.name) != c.name && (c.unit != Unit::special || other.op != Op::sfu)) {
            const Cycle alone = sm_cycles_of({program(other.op, other.unit, kCount, true)}, sm_machine());
            EXPECT_EQ(sm_cycles_of({program(other.op, other.unit, kCount, true)}, p), alone) << what << other.name;
          }
      }
}

TEST(Units, TwoClassesIssueSideBySide) {
  const Profile p = sm_machine({"sm.schedulers=1", "sm.fp_interval=2", "sm.int_interval=2"});
  const WarpBuilder fp = program(Op::alu, Unit::single_precision, 10, false),
                    integer = program(Op::alu, Unit::integer, 10, false);
  // Both units are used in turn, so twice the work takes a cycle longer.
  EXPECT_EQ(sm_cycles_of({fp}, p), 1u + 2 * 9 + 4);
  EXPECT_EQ(sm_cycles_of({fp, integer}, p), 1u + 19 + 4);
  EXPECT_EQ(sm_cycles_of({fp, fp}, p), 1u + 2 * 19 + 4);
}

TEST(Units, SplitLatenciesComeFromTheWiderClassUnlessSet) {
  const Profile p = sm_machine({"sm.alu_latency=9", "sm.sfu_latency=30", "sm.fp_latency=5"});
  const auto latency = [&](Op op, Unit unit) { return sm_cycles_of({program(op, unit, 1, true)}, p) - 1; };
  EXPECT_EQ(latency(Op::alu, Unit::integer), 9u);
  EXPECT_EQ(latency(Op::alu, Unit::single_precision), 5u);
  EXPECT_EQ(latency(Op::alu, Unit::double_precision), 9u);
  EXPECT_EQ(latency(Op::sfu, Unit::special), 30u);
  EXPECT_EQ(latency(Op::sfu, Unit::double_precision), 30u);
  EXPECT_EQ(latency(Op::sfu, Unit::matrix), 30u);
}

TEST(Units, AGroupTakesWhatItsPartsTake) {
  WarpBuilder b;
  b.trace.instrs[b.alu(6)].detail[0] = 3;
  b.trace.instrs[0].detail[1] = 1;  // 2 integer, 3 single, 1 double
  b.alu(1, {0});
  EXPECT_EQ(sm_cycles_of({b}, sm_machine()), 1u + 7 * 4);
  EXPECT_EQ(sm_cycles_of({b}, sm_machine({"sm.int_latency=2", "sm.fp_latency=5", "sm.dp_latency=11"})),
            1u + 2 * 2 + 3 * 5 + 11 + 2);
}

TEST(Units, TheShareOfAGroupThatWaitsIsAParameter) {
  WarpBuilder b;
  b.alu(10);
  b.alu(1, {0});  // waits for the last result
  const auto cycles = [&](std::vector<std::string> more) { return sm_cycles_of({b}, sm_machine(std::move(more))); };
  EXPECT_EQ(cycles({}), 1u + 9 * 4 + 4 + 4);
  EXPECT_EQ(cycles({"sm.alu_chain=0"}), 1u + 9 + 4 + 4);
  EXPECT_EQ(cycles({"sm.alu_chain=0", "sm.int_interval=3"}), 1u + 9 * 3 + 4 + 4);
  EXPECT_EQ(cycles({"sm.alu_chain=50"}), 1u + 4 * 4 + 5 + 4 + 4);  // every other one waits
  // The group's result is there with its latest, which need not be its last: 9 integer, 1 single precision.
  b.trace.instrs[0].detail[0] = 1;
  EXPECT_EQ(cycles({"sm.alu_chain=0", "sm.int_latency=40"}), 1u + 8 + 40 + 40);
}

TEST(SharedMemory, TimeIsLinearInThePassesOfAConflict) {
  constexpr unsigned kCount = 12, kLatency = 24;
  for (unsigned passes = 1; passes <= 32; ++passes) {
    const WarpBuilder b = program(Op::shared, Unit::integer, kCount, false, passes);
    for (const unsigned interval : {1u, 2u}) {
      const Profile p = sm_machine({fmt::format("sm.shared_interval={}", interval)});
      const Cycle pass = interval;
      EXPECT_EQ(sm_cycles_of({b}, p), 1 + (kCount * passes - 1) * pass + kLatency) << passes;
      // One port for all schedulers.
      EXPECT_EQ(sm_cycles_of({b, b, b, b}, p), 1 + (4 * kCount * passes - 1) * pass + kLatency) << passes;
    }
    EXPECT_EQ(sm_cycles_of({b, b, b, b}, sm_machine()), kCount + kLatency) << passes;  // unlimited
  }
}

TEST(SharedMemory, AnotherSchedulersConflictDelaysTheResult) {
  const WarpBuilder slow = program(Op::shared, Unit::integer, 1, false, 32);
  WarpBuilder fast = program(Op::shared, Unit::integer, 1, false);
  fast.alu(1, {0});
  EXPECT_EQ(sm_cycles_of({slow, fast}, sm_machine({"sm.shared_interval=1"})), 1u + 32 + 24 + 4);
  EXPECT_EQ(sm_cycles_of({slow, fast}, sm_machine()), 1u + 24 + 4);
}

/// Stores in the order in which the L1 takes them.
struct StoreLog {
  std::vector<std::pair<Cycle, std::uint32_t>> stores;  ///< time, line
};
class Watched final : public Scheme {
 public:
  explicit Watched(StoreLog& log) : log_(log), inner_(schemes::make_baseline()) {}
  std::string name() const override { return inner_->name(); }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, ControllerHost& host, Stats& stats) override {
    return inner_->make_path(controller, host, stats);
  }
  std::unique_ptr<L1Port> make_l1_port(unsigned, L1Host&, Stats&) override { return std::make_unique<Port>(log_); }

 private:
  struct Port final : L1Port {
    explicit Port(StoreLog& l) : log(l) {}
    LoadPlan load(Cycle, const LineAccess& access, SectorMask hit, SectorMask) override {
      return {.hit = static_cast<SectorMask>(access.mask & hit),
              .fetch = static_cast<SectorMask>(access.mask & ~hit)};
    }
    void store(Cycle now, const LineAccess& access) override { log.stores.emplace_back(now, access.line); }
    StoreLog& log;
  };
  StoreLog& log_;
  std::unique_ptr<Scheme> inner_;
};

StoreLog stores_of(const std::vector<WarpBuilder>& warps, std::vector<std::string> more) {
  StoreLog log;
  Watched scheme(log);
  ToyWorkload w(1 << 16);
  w.add(warps);
  EXPECT_TRUE(Gpu(sm_machine(std::move(more)), scheme, w).run().clean);
  return log;
}

/// Four warps, one per scheduler, with stores to lines of their own; how far their numbers of stores are apart at
/// most while all four have some left.
unsigned unfairness(std::vector<std::string> more, bool with_loads) {
  constexpr unsigned kWarps = 4, kStores = 40;
  std::vector<WarpBuilder> warps(kWarps);
  for (unsigned i = 0; i < kWarps; ++i)
    for (unsigned k = 0; k < kStores; ++k) {
      if (with_loads && i % 2 && k % 4 == 0) warps[i].load_line(i * 0x2000 + k * 128);
      warps[i].store_line(i * 0x2000 + k * 128, static_cast<std::uint8_t>(i));
    }
  const StoreLog log = stores_of(warps, std::move(more));
  EXPECT_EQ(log.stores.size(), kWarps * kStores);
  std::array<unsigned, kWarps> count{};
  unsigned worst = 0;
  for (const auto& [at, line] : log.stores) {
    ++count[line / (0x2000 / 128)];
    const auto [least, most] = std::minmax_element(count.begin(), count.end());
    if (*most == kStores) break;
    worst = std::max(worst, *most - *least);
  }
  return worst;
}

TEST(Lsu, InTurnTheSchedulersGetEqualShares) {
  EXPECT_LE(unfairness({"sm.lsu_fair=1"}, false), 1u);
  EXPECT_LE(unfairness({"sm.lsu_fair=1", "sm.scheduler=1"}, false), 1u);
  EXPECT_LE(unfairness({"sm.lsu_fair=1", "noc.input_queue=1", "noc.output_queue=1"}, false), 1u);
}

TEST(Lsu, ByNumberTheFirstSchedulerTakesItAll) { EXPECT_GE(unfairness({}, false), 39u); }

TEST(Lsu, InTurnASchedulerWithMoreToDoGetsNoMore) {
  // Odd warps make a load in every five accesses: a turn is a turn, whatever it is for.
  EXPECT_LE(unfairness({"sm.lsu_fair=1"}, true), 12u);
  EXPECT_GE(unfairness({}, true), 39u);
}

/// Times of one store per warp behind ten independent instructions, all warps on one scheduler.
std::vector<Cycle> store_times(std::vector<std::string> more) {
  std::vector<WarpBuilder> warps(3);
  for (unsigned i = 0; i < warps.size(); ++i) {
    for (unsigned k = 0; k < 10; ++k) warps[i].alu();
    warps[i].store_line(i * 128, static_cast<std::uint8_t>(i));
  }
  more.push_back("sm.schedulers=1");
  const StoreLog log = stores_of(warps, std::move(more));
  std::vector<Cycle> times(warps.size());
  for (const auto& [at, line] : log.stores) times.at(line) = at;
  return times;
}

TEST(Schedulers, GreedyThenOldestFinishesOneWarpAfterTheOther) {
  EXPECT_THAT(store_times({}), ElementsAre(12, 23, 34));
}

TEST(Schedulers, LooseRoundRobinTakesTheWarpsInTurn) {
  EXPECT_THAT(store_times({"sm.scheduler=1"}), ElementsAre(32, 33, 34));
}

TEST(Schedulers, LooseRoundRobinSkipsWarpsThatCannotIssue) {
  // The first warp waits for itself; the other two share what it leaves.
  WarpBuilder chain, free;
  chain.alu(10);
  for (unsigned k = 0; k < 20; ++k) free.alu();
  const Profile p = sm_machine({"sm.schedulers=1", "sm.scheduler=1"});
  EXPECT_EQ(sm_cycles_of({chain}, p), 41u);
  EXPECT_EQ(sm_cycles_of({chain, free, free}, p), 1u + 50 - 1 + 4);  // every cycle issues
}

}  // namespace
}  // namespace warpsieve::tb
