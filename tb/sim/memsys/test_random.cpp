// Random traces on machines with tiny caches and queues: every byte is checked by the golden memory, the
// final image by the functional execution, and every back-pressure path is provoked.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "random_traces.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

TEST(RandomTraces, GoldenMemoryStaysCleanOnTinyMachines) {
  // What must have happened somewhere in the cases, or they test less than they say.
  std::map<std::string, std::uint64_t> seen;
  for (const char* n : {"l1.stalls", "l1.merged_sectors", "l1.stale_hits", "l2.stall_cycles", "l2.snoop_waits",
                        "l2.merge_fetches", "l2.dirty_evictions", "l2.write_back_sectors", "l2.atomics",
                        "dram.forwarded_reads", "dram.refreshes", "dram.turnarounds", "dram.requests_data_read",
                        "sm.barriers", "sm.lsu_stalls", "l2.partial_sectors", "l2.pair_sectors"})
    seen[n] = 0;
  check_property("tiny machines", 600, [&] {
    const auto pick = [](unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(1, static_cast<int>(high) + 1));
    };
    const auto set = [](const char* name, unsigned v) { return fmt::format("{}={}", name, v); };
    const unsigned high = pick(6);
    std::vector<std::string> machine = {
        set("gpu.sms", pick(3)),           set("gpu.controllers", pick(3)),   set("gpu.chunk_shift", 6 + pick(3)),
        set("gpu.patience", 50000),        set("l1.sets", pick(2)),           set("l1.ways", pick(2)),
        set("l1.mshrs", pick(4)),          set("l1.merges", pick(3)),         set("noc.latency", pick(8)),
        set("noc.input_queue", pick(2)),   set("noc.output_queue", pick(3)),  set("l2.sets", pick(2)),
        set("l2.ways", pick(3)),           set("l2.mshrs", pick(4)),          set("l2.merges", pick(3)),
        set("l2.latency", pick(20)),       set("l2.miss_latency", pick(10)),  set("l2.fill_latency", pick(5)),
        set("l2.miss_queue", 3 + pick(2)), set("l2.eviction_queue", pick(3)), set("l2.reply_queue", pick(3)),
        set("dram.latency", pick(20)),     set("dram.read_queue", pick(6)),   set("dram.write_queue", high),
        set("dram.write_high", high),      set("dram.write_low", high - 1),   set("dram.tREFI", 600)};
    add_random_parts(machine, pick);
    const TraceShape shape{pick(2), pick(4), pick(3), pick(30)};
    const unsigned seed = pick(1u << 30);
    ToyWorkload w(kRandomBytes);
    random_traces(w, shape, seed);
    ToyRun run(load_profile("plain", machine), w);
    if (!run.result.clean) RC_FAIL(run.result.integrity.dump());
    for (auto& [name, count] : seen)
      if (run.gpu.stats().has(name)) count += run.stat(name);
    // Conservation, by hand: every sector the DRAM delivered was checked, every kind adds up.
    RC_ASSERT(run.stat("dram.reads") == run.stat("dram.requests_read_only") + run.stat("dram.requests_data_read"));
    RC_ASSERT(run.stat("l2.read_sectors") >= run.stat("l2.read_hits"));
    RC_ASSERT(run.stat("l1.load_sectors") ==
              run.stat("l1.hit_sectors") + run.stat("l1.miss_sectors") + run.stat("l1.merged_sectors"));
    RC_ASSERT(run.stat("sm.warp_instructions") == run.result.warp_instructions);
    RC_ASSERT(run.stat("dram.writes") == run.stat("dram.requests_write"));
  });
  for (const auto& [name, count] : seen) EXPECT_GT(count, 0u) << name;
}

TEST(RandomTraces, SameInputGivesTheSameBytes) {
  const auto once = [] {
    ToyWorkload w(kRandomBytes);
    random_traces(w, {2, 4, 4, 40}, 12345);
    return ToyRun(load_profile("cmd-quarter"), w).result.stats.dump();
  };
  EXPECT_EQ(once(), once());
}

/// What a slice may not ask of a block that does one operation per cycle and keeps what the slice does not.
struct VictimFaults {
  std::uint64_t early = 0;   ///< requests that came before what was asked for the last one was done
  std::uint64_t copies = 0;  ///< sectors offered that had never been taken out
};
/// A plain FIFO of clean sectors behind each slice, and a broken one that ignores writes.
class PlainVictims final : public L2VictimPort {
 public:
  PlainVictims(bool broken, VictimFaults& faults) : broken_(broken), faults_(faults) {}
  void offer(Cycle, LocalLine line, unsigned sector, const std::uint8_t* data, bool) override {
    faults_.copies += held(line, sector);
    Entry e{line, sector, {}};
    std::memcpy(e.data, data, kSectorBytes);
    entries_.push_back(e);
    if (entries_.size() > 16) entries_.erase(entries_.begin());
  }
  Taken take(Cycle now, LocalLine line, SectorMask wanted, LineData& data) override {
    Taken taken;
    std::erase_if(entries_, [&](const Entry& e) {
      if (e.line != line || !(wanted >> e.sector & 1)) return false;
      std::memcpy(data.sector(e.sector), e.data, kSectorBytes);
      taken.sectors |= static_cast<SectorMask>(1u << e.sector);
      return true;
    });
    taken.cycles = std::max(1u, count_sectors(taken.sectors));
    use_cycles(now, taken.cycles);
    return taken;
  }
  unsigned invalidate(Cycle now, LocalLine line, SectorMask sectors) override {
    use_cycles(now, 1);
    if (!broken_)
      std::erase_if(entries_, [&](const Entry& e) { return e.line == line && (sectors >> e.sector & 1); });
    return 1;
  }

 private:
  struct Entry {
    LocalLine line;
    unsigned sector;
    std::uint8_t data[kSectorBytes];
  };
  /// Operations of one request are asked for together and take the cycles that follow.
  void use_cycles(Cycle now, unsigned cycles) {
    if (now != asked_) faults_.early += now < free_;
    free_ = (now == asked_ ? free_ : now) + cycles;
    asked_ = now;
  }
  bool held(LocalLine line, unsigned sector) const {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& e) { return e.line == line && e.sector == sector; });
  }
  bool broken_;
  VictimFaults& faults_;
  Cycle asked_ = kNever, free_ = 0;
  std::vector<Entry> entries_;
};
class VictimScheme final : public Scheme {
 public:
  VictimScheme(bool broken, VictimFaults& faults) : broken_(broken), faults_(faults) {}
  std::string name() const override { return "victims"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    return std::make_unique<schemes::BaselinePath>(host);
  }
  std::unique_ptr<L2VictimPort> make_victim_port(unsigned, unsigned, Stats&) override {
    return std::make_unique<PlainVictims>(broken_, faults_);
  }

 private:
  bool broken_;
  VictimFaults& faults_;
};

struct VictimTotals {
  std::uint64_t hits = 0, bad = 0;
  VictimFaults faults;
};
VictimTotals with_victims(bool broken) {
  VictimTotals total;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    ToyWorkload w(kRandomBytes);
    random_traces(w, {2, 3, 2, 30}, seed);
    VictimScheme scheme(broken, total.faults);
    Gpu gpu(
        load_profile("plain", {"gpu.sms=2", "gpu.controllers=1", "l2.sets=2", "l2.ways=2", "l1.sets=1", "l1.ways=1"}),
        scheme, w);
    const Result r = gpu.run();
    total.hits += gpu.stats().value("l2.victim_hits");
    total.bad += gpu.golden().mismatches();
  }
  return total;
}
TEST(VictimPort, HitsAreServedAndStayCorrect) {
  const VictimTotals total = with_victims(false);
  EXPECT_GT(total.hits, 100u);
  EXPECT_EQ(total.bad, 0u);
  EXPECT_EQ(total.faults.early, 0u);
  EXPECT_EQ(total.faults.copies, 0u);
}
TEST(VictimPort, AFifoThatKeepsWrittenSectorsIsCaughtByTheGoldenMemory) { EXPECT_GT(with_victims(true).bad, 0u); }

}  // namespace
}  // namespace warpsieve::tb
