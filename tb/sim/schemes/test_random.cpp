// Random traces with much duplicate content under every scheme, on machines where every cache, buffer and
// queue is as small as it gets: always clean. And the default sizes, model beside RTL.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "random_traces.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

TEST(RandomTraces, EverySchemeIsCleanWithTheSmallestSizes) {
  // What must have happened somewhere, or the cases test less than they say.
  std::map<std::string, std::uint64_t> seen;
  for (const char* n : {"dedup.writes_intra",
                        "dedup.writes_inter",
                        "dedup.writes_unique_home",
                        "dedup.writes_unique_in_place",
                        "dedup.writes_unique_kept",
                        "dedup.writes_unique_borrowed",
                        "dedup.writes_silent",
                        "dedup.entries_evicted",
                        "car.copied_sectors",
                        "car.reference_sectors",
                        "dedup.intra_sectors",
                        "dedup.forwarded_sectors",
                        "victim_fifo.hits",
                        "dram.requests_metadata_write",
                        "dram.requests_dedup_read",
                        "l2.snoop_waits",
                        "dram.requests_verify_read",
                        "dedup.verified",
                        "l2.merge_fetches",
                        "l2.partial_sectors",
                        "bpc.rewrites",
                        "bpc.partial_raw",
                        "bpc.compressed_reads",
                        "bcd.writes_shared_difference",
                        "bcd.rewrites",
                        "bcd.no_base"})
    seen[n] = 0;
  check_property("schemes, smallest sizes", 150, [&] {
    const auto pick = [](unsigned low, unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(static_cast<int>(low), static_cast<int>(high) + 1));
    };
    const unsigned kernels = pick(1, 3), warps = pick(1, 4), instrs = pick(1, 120), seed = pick(1, 1u << 30);
    const unsigned buffer = pick(1, 2);
    const std::vector<std::string> machine = {set("gpu.sms", pick(1, 2)),
                                              set("gpu.controllers", pick(1, 2)),
                                              set("gpu.patience", 200000),
                                              set("l1.sets", 1),
                                              set("l1.ways", pick(1, 2)),
                                              set("l2.sets", pick(1, 2)),
                                              set("l2.ways", pick(1, 3)),
                                              set("l2.mshrs", pick(1, 8)),
                                              set("l2.eviction_queue", pick(1, 3)),
                                              set("l2.miss_queue", pick(4, 8)),
                                              set("l2.latency", pick(1, 20)),
                                              set("l2.miss_latency", pick(1, 20)),
                                              set("dram.latency", pick(0, 40)),
                                              set("dram.read_queue", pick(1, 8)),
                                              set("dram.write_queue", 4),
                                              set("dram.write_high", pick(2, 4)),
                                              set("dram.write_low", 1),
                                              set("l2.partial_writes", pick(0, 1)),
                                              set("l2.fetch_sectors", pick(1, 2)),
                                              set("l2.atomic_ops", pick(0, 8)),
                                              set("l2.atomic_same_address", pick(0, 3))};
    std::vector<std::string> blocks = {set("cmd.hash_sets", pick(1, 2)),
                                       set("cmd.hash_ways", pick(2, 3)),
                                       set("cmd.type_sets", 1),
                                       set("cmd.mask_sets", 1),
                                       set("cmd.address_sets", 1),
                                       set("cmd.lent_sets", 1),
                                       set("cmd.buffer_entries", buffer),
                                       set("cmd.contexts", pick(1, 2)),
                                       set("cmd.free_entries", pick(1, 2)),
                                       set("cmd.steps_per_cycle", 4),
                                       set("cmd.hash_cycles_per_chunk", pick(0, 20)),
                                       set("cmd.metadata_cycles", pick(0, 20)),
                                       set("cmd.probe_cycles", pick(0, 20)),
                                       set("cmd.bypass_level", pick(0, buffer)),
                                       set("cmd.fifo_entries", pick(1, 4)),
                                       set("cmd.fifo_read_only", pick(0, 1)),
                                       set("bpc.size_sets", 1),
                                       set("bpc.size_ways", pick(1, 2)),
                                       set("bpc.buffer_entries", buffer),
                                       set("bcd.translation_sets", 1),
                                       set("bcd.base_sets", 1),
                                       set("bcd.base_ways", pick(1, 4)),
                                       set("bcd.base_cache_sets", 1),
                                       set("cmd.instant_hash", pick(0, 1)),
                                       set("bcd.base_cache_ways", pick(1, 2)),
                                       set("bcd.difference_sets", 1),
                                       set("bcd.difference_ways", pick(1, 4)),
                                       set("bcd.hash_bits", pick(0, 3)),
                                       set("bcd.buffer_entries", buffer)};
    for (const char* name : {"baseline", "dedup", "dedup+car", "cmd", "cmd+siphash", "cmd+verify", "cmd+domain",
                             "cmd+secure", "sieve", "esd", "bpc", "bcd", "cmd+bpc"}) {
      SchemeRun run(scheme_of(name, blocks), random_workload(seed, kernels, warps, instrs),
                    load_profile("plain", machine));
      if (!run.result.clean) RC_FAIL(fmt::format("{}: {}", name, run.result.integrity.dump()));
      for (auto& [counter, count] : seen)
        if (run.gpu.stats().has(counter)) count += run.stat(counter);
      if (!run.gpu.stats().has("dedup.writes")) continue;
      std::uint64_t outcomes = 0;
      for (const char* o :
           {"intra", "inter", "unique_home", "unique_in_place", "unique_kept", "unique_borrowed", "silent"})
        outcomes += run.stat(fmt::format("dedup.writes_{}", o));
      RC_ASSERT(outcomes == run.stat("dedup.writes"));
      if (name != std::string_view("cmd+bpc"))
        RC_ASSERT(run.stat("dedup.sectors_written") == run.stat("dram.requests_write"));
    }
  });
  for (const auto& [name, count] : seen) EXPECT_GT(count, 0u) << name;
}

TEST(RandomTraces, DefaultSizesModelBesideRtlInEveryBlock) {
  std::uint64_t inter = 0, copied = 0, fifo = 0;
  check_property("schemes, shadow", 25, [&] {
    const auto pick = [](unsigned low, unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(static_cast<int>(low), static_cast<int>(high) + 1));
    };
    const unsigned seed = pick(1, 1u << 30), warps = pick(1, 4), instrs = pick(1, 120);
    const std::vector<std::string> machine = {set("gpu.sms", 1), set("gpu.controllers", pick(1, 2)),
                                              set("l1.sets", 1), set("l1.ways", 1),
                                              set("l2.sets", 1), set("l2.ways", pick(1, 3))};
    for (const char* name :
         {"dedup", "dedup+car", "cmd", "cmd+domain", "cmd+secure", "sieve", "esd", "bpc", "bcd", "cmd+bpc"}) {
      SchemeRun run(scheme_of(name, {}, Backend::shadow), random_workload(seed, 2, warps, instrs),
                    load_profile("plain", machine));
      if (!run.result.clean) RC_FAIL(fmt::format("{}: {}", name, run.result.integrity.dump()));
      if (run.gpu.stats().has("dedup.writes")) {
        inter += run.stat("dedup.writes_inter");
        copied += run.stat("car.copied_sectors");
      }
      if (run.gpu.stats().has("victim_fifo.hits")) fifo += run.stat("victim_fifo.hits");
    }
  });
  EXPECT_GT(inter, 0u);
  EXPECT_GT(copied, 0u);
  EXPECT_GT(fifo, 0u);
}

TEST(Backends, ASizeWithoutCompiledRtlIsAnErrorThatNamesTheBlock) {
  try {
    SchemeRun run(scheme_of("dedup", {"cmd.hash_sets=64"}, Backend::rtl), random_workload(1, 1, 1, 1), tiny());
    FAIL() << "no error";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("dedup: no RTL compiled"), std::string::npos) << error.what();
  }
}

TEST(Backends, BadParametersAreErrors) {
  EXPECT_THROW(scheme_of("cmd", {"cmd.spare_shift=21"}), ConfigError);
  EXPECT_THROW(scheme_of("cmd", {"cmd.contexts=32"}), ConfigError);
  EXPECT_THROW(scheme_of("baseline", {"cmd.nothing=1"}), ConfigError);
}

}  // namespace
}  // namespace warpsieve::tb
