// Random traces with much duplicate content under every scheme, on machines where every cache, buffer and
// queue is as small as it gets: always clean. And the default sizes, model beside RTL.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "support.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr std::size_t kBytes = 1 << 17;  ///< 1,024 lines
constexpr unsigned kPool = 16;           ///< lines in use, spread over them
constexpr unsigned kAtomicLine = 1020;

std::uint8_t content(unsigned kind, unsigned salt, unsigned i) {
  switch (kind) {
    case 0: return 0;
    case 1: return static_cast<std::uint8_t>(0x41 + i % 4);
    case 2: return static_cast<std::uint8_t>(i * 3);
    case 3: return static_cast<std::uint8_t>(i * 5 + 1);
    case 4: return i < 32 ? 7 : static_cast<std::uint8_t>(i);  // one sector of a value
    default: return static_cast<std::uint8_t>((i + 1) * (salt | 1) >> 3);
  }
}

/// Lines belong to one warp each for stores, so that the final image does not depend on the order of warps.
ToyWorkload random_workload(unsigned seed, unsigned kernels, unsigned warps, unsigned instrs) {
  std::minstd_rand random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<unsigned> pool;
  for (unsigned i = 0; i < kPool; ++i) pool.push_back(pick(4) ? pick(40) : pick(1000));
  std::sort(pool.begin(), pool.end());
  pool.erase(std::unique(pool.begin(), pool.end()), pool.end());
  ToyWorkload w(kBytes);
  for (unsigned k = 0; k < kernels; ++k) {
    std::vector<WarpBuilder> builders(warps);
    for (unsigned o = 0; o < warps; ++o) {
      std::vector<unsigned> mine;
      for (std::size_t i = o; i < pool.size(); i += warps) mine.push_back(pool[i]);
      std::vector<std::uint32_t> last;
      for (unsigned i = 0, n = pick(instrs + 1); i < n; ++i) {
        const unsigned kind = pick(3) ? 2 : pick(6), salt = pick(1u << 16),
                       own = mine[pick(static_cast<unsigned>(mine.size()))];
        const auto value = [=](unsigned lane, unsigned byte) { return content(kind, salt, lane * 4 + byte); };
        switch (pick(8)) {
          case 0:
          case 1: builders[o].store(word_lanes(own, 0xf), 4, value); break;
          case 2: builders[o].store(word_lanes(own, 1 + pick(15)), 4, value); break;
          case 3: builders[o].store({{pick(32), own * 128u + pick(128)}}, 1, value); break;
          case 4:
            builders[o].atomic({{0, kAtomicLine * 128u + 4 * pick(64)}}, simt::AtomicOp::add_u32,
                               [=](unsigned) { return salt; });
            break;
          default:
            last = {builders[o].load(
                word_lanes(pool[pick(static_cast<unsigned>(pool.size()))], pick(2) ? 0xf : 1 + pick(15)), 4,
                pick(2) ? last : std::vector<std::uint32_t>{})};
        }
      }
    }
    w.add(std::move(builders));
    if (pick(3) == 0)
      w.kernels.back().before = {{kBase + 128 * pool[pick(static_cast<unsigned>(pool.size()))] + pick(100),
                                  std::vector<std::uint8_t>(1 + pick(300), static_cast<std::uint8_t>(pick(3)))}};
  }
  return w;
}

std::string set(const char* name, unsigned value) { return fmt::format("{}={}", name, value); }

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
                                              set("dram.write_low", 1)};
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
                                       set("bcd.base_cache_ways", pick(1, 2)),
                                       set("bcd.difference_sets", 1),
                                       set("bcd.difference_ways", pick(1, 4)),
                                       set("bcd.hash_bits", pick(0, 3)),
                                       set("bcd.buffer_entries", buffer)};
    for (const char* name : {"baseline", "dedup", "dedup+car", "cmd", "cmd+siphash", "cmd+verify", "cmd+domain",
                             "cmd+secure", "cmd+zerohash", "esd", "bpc", "bcd", "cmd+bpc"}) {
      SchemeRun run(scheme_of(name, blocks), random_workload(seed, kernels, warps, instrs),
                    load_profile("cmd", machine));
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
         {"dedup", "dedup+car", "cmd", "cmd+domain", "cmd+secure", "cmd+zerohash", "esd", "bpc", "bcd", "cmd+bpc"}) {
      SchemeRun run(scheme_of(name, {}, Backend::shadow), random_workload(seed, 2, warps, instrs),
                    load_profile("cmd", machine));
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
