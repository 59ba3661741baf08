// Partitions run ahead of the network by its latency (memsys/gpu.h). Every result must be what it is when they keep
// to the clock: cycles, counters, checks, kernel by kernel.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "random_traces.h"
#include "schemes/registry.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

struct Outcome {
  std::string stats;
  std::map<std::string, std::uint64_t> seen;
};

Outcome run(const Profile& profile, const std::string& scheme_name, const TraceShape& shape, unsigned seed,
            bool in_step) {
  ToyWorkload workload(kRandomBytes);
  random_traces(workload, shape, seed);
  const auto scheme = schemes::make_scheme(scheme_name, {});
  Gpu gpu(profile, *scheme, workload);
  if (in_step) gpu.run_in_step();
  const Result result = gpu.run();
  Outcome out{result.stats.dump(1), {}};
  for (const char* name : {"l1.stale_hits", "l2.stall_cycles", "l2.atomics", "dram.requests_write", "l1.hit_sectors"})
    out.seen[name] = gpu.stats().value(name);
  return out;
}

/// The first line that differs, for a readable failure.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  for (std::string x, y; std::getline(left, x) && std::getline(right, y);)
    if (x != y) return fmt::format("ahead: {}; in step: {}", x, y);
  return a == b ? "" : "one has more lines";
}

void compare(const std::string& scheme, unsigned cases) {
  std::map<std::string, std::uint64_t> seen;
  check_property("ahead and in step, " + scheme, cases, [&] {
    const auto pick = [](unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(1, static_cast<int>(high) + 1));
    };
    const auto set = [](const char* name, unsigned v) { return fmt::format("{}={}", name, v); };
    const Profile profile = load_profile(
        "cmd", {set("gpu.sms", pick(5)), set("gpu.controllers", pick(3)), set("gpu.chunk_shift", 6 + pick(3)),
                set("l1.sets", pick(2)), set("l1.ways", pick(3)), set("l1.mshrs", pick(8)),
                set("noc.latency", pick(40)), set("noc.input_queue", pick(4)), set("noc.output_queue", pick(4)),
                set("l2.sets", pick(4)), set("l2.ways", pick(3)), set("l2.mshrs", pick(8)),
                set("l2.latency", pick(20)), set("l2.miss_latency", pick(10)), set("l2.fill_latency", pick(5)),
                set("l2.reply_queue", pick(3)), set("dram.latency", pick(20)), set("dram.read_queue", pick(8))});
    const TraceShape shape{pick(3), pick(4), pick(3), pick(40)};
    const unsigned seed = pick(1u << 30);
    const Outcome ahead = run(profile, scheme, shape, seed, false), in_step = run(profile, scheme, shape, seed, true);
    for (const auto& [name, count] : ahead.seen) seen[name] += count;
    if (ahead.stats != in_step.stats) RC_FAIL(difference(ahead.stats, in_step.stats));
  });
  for (const auto& [name, count] : seen) EXPECT_GT(count, 0u) << name << ": never happened in any case";
}

TEST(RunningAhead, ChangesNothingOnTinyMachinesWithTightQueues) { compare("baseline", 2000); }

TEST(RunningAhead, ChangesNothingUnderCmd) { compare("cmd", 200); }

/// A copy in an L1 is stale from the cycle of the store in the L2 on, not from when the partition was run.
TEST(GoldenMemory, SaysWhatALineHeldInACycleToCome) {
  GoldenMemory golden;
  const std::vector<std::uint8_t> image(kLineBytes, 7);
  golden.load(0, image, kLineBytes);
  golden.reached(10);
  const std::vector<std::uint8_t> before(kSectorBytes, 7), between(kSectorBytes, 8), after(kSectorBytes, 9);
  golden.keep(12, 0);
  std::memset(golden.line(0), 8, kSectorBytes);
  golden.keep(15, 0);
  std::memset(golden.line(0), 9, kSectorBytes);
  for (const Cycle now : {10u, 11u}) EXPECT_TRUE(golden.same(now, 0, 0, before.data())) << now;
  for (const Cycle now : {12u, 14u}) EXPECT_TRUE(golden.same(now, 0, 0, between.data())) << now;
  for (const Cycle now : {15u, 20u}) EXPECT_TRUE(golden.same(now, 0, 0, after.data())) << now;
  golden.reached(20);
  EXPECT_TRUE(golden.same(11, 0, 0, after.data())) << "forgotten: everybody has come to cycle 20";
}

}  // namespace
}  // namespace warpsieve::tb
