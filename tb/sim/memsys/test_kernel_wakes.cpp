// No result depends on how often a component is run: with half of them woken in every cycle, also where they have
// nothing to do, all statistics stay what they are, under every kind of scheme and interconnect.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "local_traces.h"
#include "schemes/registry.h"
#include "sim/schemes/random_traces.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

struct WakeOutcome {
  std::string stats;
  std::uint64_t stalls = 0, writes = 0;
};

enum class Partitions { in_step, ahead };

WakeOutcome run(const Profile& profile, const std::string& scheme, ToyWorkload workload, Partitions partitions,
                std::uint32_t needless) {
  const auto plugged = schemes::make_scheme(scheme, {.set = {"cmd.fifo_entries=4"}, .backends = {}});
  Gpu gpu(profile, *plugged, workload);
  if (partitions == Partitions::in_step) gpu.run_in_step();
  if (needless) gpu.wake_needlessly(needless);
  const Result result = gpu.run();
  return {result.stats.dump(1), gpu.stats().value("l1.stalls") + gpu.stats().value("l2.stall_cycles"),
          gpu.stats().value("dram.requests_write")};
}

std::string wake_difference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  for (std::string x, y; std::getline(left, x) && std::getline(right, y);)
    if (x != y) return fmt::format("as it is: {}; woken needlessly: {}", x, y);
  return a == b ? "" : "one has more lines";
}

/// `make(seed)` makes the workload, each time the same.
void compare(const std::string& scheme, std::vector<std::string> more, unsigned cases,
             const std::function<ToyWorkload(unsigned)>& make) {
  std::uint64_t stalls = 0, writes = 0;
  check_property(fmt::format("woken needlessly, {} {}", scheme, more.empty() ? "" : more[0]), cases, [&] {
    const auto pick = [](int low, int high) { return static_cast<unsigned>(*rc::gen::inRange(low, high + 1)); };
    std::vector<std::string> machine = {set("gpu.sms", pick(1, 4)),
                                        set("gpu.controllers", pick(1, 2)),
                                        set("l1.sets", pick(1, 2)),
                                        set("l1.ways", pick(1, 3)),
                                        set("l1.mshrs", pick(1, 8)),
                                        set("noc.latency", pick(1, 60)),
                                        set("noc.input_queue", pick(1, 4)),
                                        set("noc.output_queue", pick(1, 4)),
                                        set("l2.sets", pick(1, 4)),
                                        set("l2.ways", pick(1, 3)),
                                        set("l2.mshrs", pick(1, 8)),
                                        set("l2.latency", pick(1, 20)),
                                        set("l2.miss_latency", pick(1, 10)),
                                        set("l2.fill_latency", pick(1, 5)),
                                        set("l2.reply_queue", pick(1, 3)),
                                        set("l2.eviction_queue", pick(1, 3)),
                                        set("dram.latency", pick(0, 20)),
                                        set("dram.read_queue", pick(1, 8)),
                                        set("dram.write_queue", 4),
                                        set("dram.write_high", pick(2, 4)),
                                        set("dram.write_low", 1),
                                        set("gpu.host_copies", pick(0, 1)),
                                        set("gpu.launch_latency", pick(0, 40))};
    machine.insert(machine.end(), more.begin(), more.end());
    const Profile profile = load_profile("plain", machine);
    const unsigned seed = pick(1, 1 << 30), needless = pick(1, 1 << 30);
    const auto partitions = pick(0, 1) ? Partitions::ahead : Partitions::in_step;
    const WakeOutcome a = run(profile, scheme, make(seed), partitions, 0),
                      b = run(profile, scheme, make(seed), partitions, needless);
    stalls += a.stalls;
    writes += a.writes;
    if (a.stats != b.stats) RC_FAIL(wake_difference(a.stats, b.stats));
  });
  EXPECT_GT(stalls, 0u);
  EXPECT_GT(writes, 0u);
}

ToyWorkload shared(unsigned seed) {
  return random_workload(seed, 1 + seed % 3, 1 + seed / 3 % 4, 10 + seed / 12 % 50);
}

TEST(NeedlessWakes, ChangeNothingUnderTheBaseline) { compare("baseline", {}, 300, shared); }

TEST(NeedlessWakes, ChangeNothingOnAMesh) {
  compare("baseline", {"noc.topology=1", "noc.mesh_width=3", "noc.mesh_height=3"}, 60, shared);
}

TEST(NeedlessWakes, ChangeNothingUnderSchemesOfTheMemorySide) {
  for (const char* scheme : {"dedup", "cmd", "cmd+verify", "cmd+secure", "esd", "bpc", "bcd", "cmd+bpc"})
    compare(scheme, {}, 40, shared);
}

TEST(NeedlessWakes, ChangeNothingUnderSchemesOfTheSmSide) {
  for (const char* scheme : {"dpc", "justit"}) compare(scheme, {"l1.sets=2"}, 40, shared);
}

TEST(NeedlessWakes, ChangeNothingInClusters) {
  for (const char* scheme : {"baseline", "rata", "rata+cmd"}) compare(scheme, {"noc.cluster=2"}, 60, shared);
}

TEST(NeedlessWakes, ChangeNothingWithPrivateMemory) {
  for (const char* scheme : {"baseline", "avc"})
    compare(scheme, {"local.slots=8", "sm.threads=128", "local.flush=1", "l1.sets=64", "l1.ways=4"}, 40,
            [](unsigned seed) {
              ToyWorkload w(1 << 16);
              add_random_kernels(w, seed);
              return w;
            });
}

}  // namespace
}  // namespace warpsieve::tb
