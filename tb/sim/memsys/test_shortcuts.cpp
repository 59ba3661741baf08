// Shortcuts that must change no result, be it cycles, counters or checks, kernel by kernel: partitions run ahead of
// the network by its latency, and what comes is prefetched (memsys/host_prefetch.h); slices sleep while the path says
// that it takes no read (memsys/ports.h); an SM does not look a load up again that only waits for room in the network
// (memsys/l1/l1.h).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "random_traces.h"
#include "schemes/registry.h"
#include "support/around.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

struct Outcome {
  std::string stats;
  std::map<std::string, std::uint64_t> seen;
};

/// The scheme with a path that never says that it takes no read, so that every slice it refused asks again after each
/// of its ticks.
class Asked final : public Scheme {
 public:
  explicit Asked(std::unique_ptr<Scheme> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, PathOwner& host, Stats& stats) override {
    return std::make_unique<Path>(inner_->make_path(controller, host, stats), kept_silent);
  }
  std::unique_ptr<L2VictimPort> make_victim_port(unsigned controller, unsigned slice, Stats& stats) override {
    return inner_->make_victim_port(controller, slice, stats);
  }
  nlohmann::ordered_json report() const override { return inner_->report(); }
  std::uint64_t kept_silent = 0;  ///< times that it would have been said

 private:
  class Path final : public PathAround {
   public:
    Path(std::unique_ptr<ControllerPath> inner, std::uint64_t& silent)
        : PathAround(std::move(inner)), silent_(silent) {}
    bool refuses_reads() const override {
      silent_ += inner_->refuses_reads();
      return false;
    }

   private:
    std::uint64_t& silent_;
  };
  std::unique_ptr<Scheme> inner_;
};

/// The scheme with ports at the L1s that plan every load as an L1 without a port does; but what a port might plan
/// cannot be known without asking, so every load that was refused is looked up again.
class Planned final : public Scheme {
 public:
  explicit Planned(std::unique_ptr<Scheme> inner) : inner_(std::move(inner)) {}
  std::string name() const override { return inner_->name(); }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, PathOwner& host, Stats& stats) override {
    return inner_->make_path(controller, host, stats);
  }
  std::unique_ptr<L1Port> make_l1_port(unsigned, L1PortOwner&, Stats&) override { return std::make_unique<Port>(); }
  nlohmann::ordered_json report() const override { return inner_->report(); }

 private:
  struct Port final : L1Port {
    LoadNeeds needs(const LineAccess& access, SectorMask hit, SectorMask pending) const override {
      return {.entry = (access.mask & ~hit) != 0, .packet = (access.mask & ~hit & ~pending) != 0};
    }
    LoadPlan load(Cycle, const LineAccess& access, SectorMask hit, SectorMask) override {
      return {.hit = static_cast<SectorMask>(access.mask & hit),
              .fetch = static_cast<SectorMask>(access.mask & ~hit)};
    }
  };
  std::unique_ptr<Scheme> inner_;
};

Outcome run(const Profile& profile, Scheme& scheme, const TraceShape& shape, unsigned seed, bool in_step) {
  ToyWorkload workload(kRandomBytes);
  random_traces(workload, shape, seed);
  Gpu gpu(profile, scheme, workload);
  if (in_step)
    gpu.run_in_step();
  else
    gpu.prefetch_always();
  const Result result = gpu.run();
  Outcome out{result.stats.dump(1), {}};
  for (const char* name :
       {"l1.stale_hits", "l1.stalls", "l2.stall_cycles", "l2.atomics", "dram.requests_write", "l1.hit_sectors"})
    out.seen[name] = gpu.stats().value(name);
  return out;
}

/// The first line that differs, for a readable failure.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  for (std::string x, y; std::getline(left, x) && std::getline(right, y);)
    if (x != y) return fmt::format("with the shortcut: {}; without: {}", x, y);
  return a == b ? "" : "one has more lines";
}

enum class Without { running_ahead, sleeping, waiting_for_room };
const char* name(Without without) {
  return without == Without::running_ahead ? "running ahead"
         : without == Without::sleeping    ? "sleeping"
                                           : "waiting for room";
}

void compare(const std::string& scheme, Without without, unsigned cases) {
  std::map<std::string, std::uint64_t> seen;
  const bool in_step = without == Without::running_ahead;
  check_property(fmt::format("with and without {}, {}", name(without), scheme), cases, [&] {
    const auto pick = [](unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(1, static_cast<int>(high) + 1));
    };
    const auto set = [](const char* name, unsigned v) { return fmt::format("{}={}", name, v); };
    std::vector<std::string> machine = {
        set("gpu.sms", pick(5)),        set("gpu.controllers", pick(3)),  set("gpu.chunk_shift", 6 + pick(3)),
        set("l1.sets", pick(2)),        set("l1.ways", pick(3)),          set("l1.mshrs", pick(8)),
        set("noc.latency", pick(90)),   set("noc.input_queue", pick(4)),  set("noc.output_queue", pick(4)),
        set("l2.sets", pick(4)),        set("l2.ways", pick(3)),          set("l2.mshrs", pick(8)),
        set("l2.latency", pick(20)),    set("l2.miss_latency", pick(10)), set("l2.fill_latency", pick(5)),
        set("l2.reply_queue", pick(3)), set("dram.latency", pick(20)),    set("dram.read_queue", pick(8))};
    add_random_parts(machine, pick);
    const Profile profile = load_profile("plain", machine);
    const TraceShape shape{pick(3), pick(4), pick(3), pick(40)};
    const unsigned seed = pick(1u << 30);
    const auto with = schemes::make_scheme(scheme, {});
    Asked asked(schemes::make_scheme(scheme, {}));
    Planned planned(schemes::make_scheme(scheme, {}));
    const Outcome a = run(profile, *with, shape, seed, false);
    const Outcome b = in_step ? run(profile, *schemes::make_scheme(scheme, {}), shape, seed, true)
                      : without == Without::sleeping ? run(profile, asked, shape, seed, false)
                                                     : run(profile, planned, shape, seed, false);
    for (const auto& [name, count] : a.seen) seen[name] += count;
    if (without == Without::sleeping) seen["refuses_reads()"] += asked.kept_silent;
    if (a.stats != b.stats) RC_FAIL(difference(a.stats, b.stats));
  });
  for (const auto& [name, count] : seen) EXPECT_GT(count, 0u) << name << ": never happened in any case";
}

TEST(RunningAhead, ChangesNothingOnTinyMachinesWithTightQueues) { compare("baseline", Without::running_ahead, 2000); }

TEST(RunningAhead, ChangesNothingUnderCmd) { compare("cmd", Without::running_ahead, 200); }

TEST(SleepingSlices, ChangeNothingUnderCmd) { compare("cmd", Without::sleeping, 400); }

TEST(LoadsThatWaitForRoom, ChangeNothingUnlookedUp) { compare("baseline", Without::waiting_for_room, 2000); }

}  // namespace
}  // namespace warpsieve::tb
