// Random traces on machines with tiny caches and queues: every byte is checked by the golden memory, the
// final image by the functional execution, and every back-pressure path is provoked.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "random_traces.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

TEST(RandomTraces, GoldenMemoryStaysCleanOnTinyMachines) {
  // What must have happened somewhere in the cases, or they test less than they say.
  std::map<std::string, std::uint64_t> seen;
  for (const char* n :
       {"l1.stalls", "l1.merged_sectors", "l1.stale_hits", "l2.stall_cycles", "l2.snoop_waits", "l2.merge_fetches",
        "l2.dirty_evictions", "l2.write_back_sectors", "l2.atomics", "dram.forwarded_reads", "dram.refreshes",
        "dram.turnarounds", "dram.requests_data_read", "sm.barriers", "sm.lsu_stalls"})
    seen[n] = 0;
  check_property("tiny machines", 600, [&] {
    const auto pick = [](unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(1, static_cast<int>(high) + 1));
    };
    const auto set = [](const char* name, unsigned v) { return fmt::format("{}={}", name, v); };
    const unsigned high = pick(6);
    const std::vector<std::string> machine = {
        set("gpu.sms", pick(3)),           set("gpu.controllers", pick(3)),   set("gpu.chunk_shift", 6 + pick(3)),
        set("gpu.patience", 50000),        set("l1.sets", pick(2)),           set("l1.ways", pick(2)),
        set("l1.mshrs", pick(4)),          set("l1.merges", pick(3)),         set("noc.latency", pick(8)),
        set("noc.input_queue", pick(2)),   set("noc.output_queue", pick(3)),  set("l2.sets", pick(2)),
        set("l2.ways", pick(3)),           set("l2.mshrs", pick(4)),          set("l2.merges", pick(3)),
        set("l2.latency", pick(20)),       set("l2.miss_latency", pick(10)),  set("l2.fill_latency", pick(5)),
        set("l2.miss_queue", 3 + pick(2)), set("l2.eviction_queue", pick(3)), set("l2.reply_queue", pick(3)),
        set("dram.latency", pick(20)),     set("dram.read_queue", pick(6)),   set("dram.write_queue", high),
        set("dram.write_high", high),      set("dram.write_low", high - 1),   set("dram.tREFI", 600)};
    const TraceShape shape{pick(2), pick(4), pick(3), pick(30)};
    const unsigned seed = pick(1u << 30);
    ToyWorkload w(kRandomBytes);
    random_traces(w, shape, seed);
    ToyRun run(load_profile("cmd", machine), w);
    if (!run.result.clean) RC_FAIL(run.result.integrity.dump());
    for (auto& [name, count] : seen) count += run.stat(name);
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

/// A plain FIFO of clean sectors behind each slice, and a broken one that ignores writes.
class PlainVictims final : public L2VictimPort {
 public:
  explicit PlainVictims(bool broken) : broken_(broken) {}
  void offer(Cycle, LineId line, unsigned sector, const std::uint8_t* data, bool) override {
    Entry e{line, sector, {}};
    std::memcpy(e.data, data, kSectorBytes);
    entries_.push_back(e);
    if (entries_.size() > 16) entries_.erase(entries_.begin());
  }
  bool take(Cycle, LineId line, unsigned sector, std::uint8_t* data) override {
    for (std::size_t i = 0; i < entries_.size(); ++i)
      if (entries_[i].line == line && entries_[i].sector == sector) {
        std::memcpy(data, entries_[i].data, kSectorBytes);
        entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
      }
    return false;
  }
  void invalidate(Cycle, LineId line, unsigned sector) override {
    if (!broken_) std::erase_if(entries_, [&](const Entry& e) { return e.line == line && e.sector == sector; });
  }

 private:
  struct Entry {
    LineId line;
    unsigned sector;
    std::uint8_t data[kSectorBytes];
  };
  bool broken_;
  std::vector<Entry> entries_;
};
class VictimScheme final : public Scheme {
 public:
  explicit VictimScheme(bool broken) : broken_(broken) {}
  std::string name() const override { return "victims"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, ControllerHost& host, Stats&) override {
    return std::make_unique<schemes::BaselinePath>(host);
  }
  std::unique_ptr<L2VictimPort> make_victim_port(unsigned, unsigned, Stats&) override {
    return std::make_unique<PlainVictims>(broken_);
  }

 private:
  bool broken_;
};

std::pair<std::uint64_t, std::uint64_t> with_victims(bool broken) {
  std::uint64_t hits = 0, bad = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    ToyWorkload w(kRandomBytes);
    random_traces(w, {2, 3, 2, 30}, seed);
    VictimScheme scheme(broken);
    Gpu gpu(
        load_profile("cmd", {"gpu.sms=2", "gpu.controllers=1", "l2.sets=2", "l2.ways=2", "l1.sets=1", "l1.ways=1"}),
        scheme, w);
    const Result r = gpu.run();
    hits += gpu.stats().value("l2.victim_hits");
    bad += gpu.golden().mismatches();
  }
  return {hits, bad};
}
TEST(VictimPort, HitsAreServedAndStayCorrect) {
  const auto [hits, bad] = with_victims(false);
  EXPECT_GT(hits, 100u);
  EXPECT_EQ(bad, 0u);
}
TEST(VictimPort, AFifoThatKeepsWrittenSectorsIsCaughtByTheGoldenMemory) { EXPECT_GT(with_victims(true).second, 0u); }

}  // namespace
}  // namespace warpsieve::tb
