// Random programs on small machines under the four systems: always clean, and what shared memory gives is what
// the SM last wrote; without that knowledge of stores or atomics it is not, and the test says so.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "support/property.h"
#include "watched.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr unsigned kLines = 12, kPages = 30;

/// Loads of one and of several sectors, stores and atomics of a few lines; each warp stores to lines of its own.
ToyWorkload program(unsigned seed, unsigned kernels, unsigned warps, unsigned instrs, unsigned shared) {
  std::minstd_rand random(seed);
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  ToyWorkload w(1 << 16);
  for (unsigned k = 0; k < kernels; ++k) {
    std::vector<WarpBuilder> builders(warps);
    for (unsigned o = 0; o < warps; ++o) {
      std::vector<std::uint32_t> last;
      for (unsigned i = 0; i < instrs; ++i) {
        const unsigned line = pick(kLines) * kPages, own = (pick(kLines) / warps * warps + o) % kLines * kPages;
        const auto value = [salt = pick(256)](unsigned lane, unsigned b) {
          return static_cast<std::uint8_t>(salt + lane * 5 + b);
        };
        switch (pick(10)) {
          case 0: builders[o].store(one(own, pick(4)), static_cast<std::uint8_t>(1u << pick(3)), value, last); break;
          case 1: builders[o].store(word_lanes(own, 1 + pick(15)), 4, value, last); break;
          case 2:
            builders[o].atomic(one(kLines * kPages, pick(4)), simt::AtomicOp::add_u32, [](unsigned) { return 3u; });
            break;
          case 3: last = {builders[o].load(one(kLines * kPages, pick(4)), 4, last)}; break;
          case 4: last = {builders[o].load(word_lanes(line, 1 + pick(15)), 4, last)}; break;
          case 5: last = {builders[o].alu(static_cast<std::uint16_t>(1 + pick(300)), last)}; break;
          default: {
            const std::uint32_t load = builders[o].load(one(line, pick(4)), 4, last);
            if (pick(2)) last = {load};
          }
        }
      }
    }
    w.add(std::move(builders)).shared_bytes = shared;
  }
  return w;
}

std::string set(const std::string& name, unsigned value) { return fmt::format("{}={}", name, value); }

std::vector<std::string> small_machine(const std::function<unsigned(unsigned, unsigned)>& pick) {
  return {set("sm.shared_bytes", 144 * pick(0, 6)),
          set("l1.sets", pick(1, 2)),
          set("l1.ways", pick(1, 3)),
          set("l1.mshrs", pick(1, 6)),
          set("l1.merges", pick(1, 4)),
          set("noc.input_queue", pick(1, 4)),
          set("l2.sets", pick(1, 2)),
          set("l2.ways", pick(1, 3)),
          set("l2.fetch_sectors", pick(1, 2)),
          set("l2.partial_writes", pick(0, 1)),
          set("l2.atomic_ops", pick(0, 8)),
          set("l2.atomic_same_address", pick(0, 3)),
          set("dram.latency", pick(0, 200)),
          set("l1.store_evicts", pick(0, 1))};
}

unsigned draw(unsigned low, unsigned high) {
  return static_cast<unsigned>(*rc::gen::inRange(static_cast<int>(low), static_cast<int>(high) + 1));
}

struct Watched {
  Watched(const std::string& name, std::vector<std::string> parameters, ToyWorkload workload, const Profile& profile,
          const L1Faults& faults = {})
      : program(std::move(workload)), scheme(scheme_of(name, std::move(parameters)), program, faults),
        gpu(profile, scheme, program), result(gpu.run()) {}
  ToyWorkload program;
  WatchedScheme scheme;
  Gpu gpu;
  Result result;
};

TEST(RandomPrograms, SharedMemoryGivesWhatTheSmLastWrote) {
  std::uint64_t served = 0, stores = 0, dropped = 0, evictions = 0;
  check_property("justit, one SM", 150, [&] {
    const unsigned seed = draw(1, 1u << 30), kernels = draw(1, 2), warps = draw(1, 4), instrs = draw(1, 150);
    std::vector<std::string> machine = small_machine(draw);
    const std::vector<std::string> parameters = {set("justit.threshold", draw(0, 2)),
                                                 set("justit.counters", 32u << draw(0, 5)),
                                                 set("justit.period", draw(1, 100)), set("justit.hashes", draw(2, 3)),
                                                 set("justit.forget_per_kernel", draw(0, 1))};
    for (const char* name : {"lamar", "lamar+bypass", "lamar+shm", "justit"}) {
      Watched run(name, parameters, program(seed, kernels, warps, instrs, 0), tiny(machine));
      if (!run.result.clean) RC_FAIL(fmt::format("{}: {}", name, run.result.integrity.dump()));
      RC_ASSERT(run.scheme.wrong == 0u);
      RC_ASSERT(run.scheme.served == run.gpu.stats().value("justit.shm_hits"));
      served += run.scheme.served;
      stores += run.gpu.stats().value("justit.shm_stores");
      dropped += run.gpu.stats().value("justit.shm_dropped");
      evictions += run.gpu.stats().value("justit.shm_evictions");
      // Every sector of every load is a hit, held, asked for or on its way.
      const auto stat = [&](const char* n) { return run.gpu.stats().value(n); };
      RC_ASSERT(stat("l1.load_sectors") == stat("l1.hit_sectors") + stat("justit.shm_hits") +
                                               stat("l1.miss_sectors") + stat("l1.merged_sectors"));
      RC_ASSERT(stat("l1_blocks.ended") == stat("l1.emptied_lines"));
    }
  });
  for (const std::uint64_t count : {served, stores, dropped, evictions}) EXPECT_GT(count, 100u);
}

TEST(PlantedFaults, StoreOrAtomicThatSharedMemoryDoesNotHearOfIsNoticed) {
  for (const bool atomics : {false, true}) {
    std::uint64_t wrong = 0, served = 0;
    for (unsigned seed = 1; seed <= 10; ++seed) {
      Watched run("justit", {}, program(seed, 1, 2, 150, 0), tiny({"l1.sets=1", "l1.ways=1"}),
                  {.lose_stores = !atomics, .lose_atomics = atomics});
      wrong += run.scheme.wrong;
      served += run.scheme.served;
    }
    EXPECT_GT(wrong, 0u);
    EXPECT_LT(wrong, served);
  }
}

TEST(PlantedFaults, StoreThatSharedMemoryDoesNotHearOfMakesItsHitsStale) {
  const Chain chain = Chain().load(one(3, 1)).load(one(3, 1)).store(one(3, 1), 77).load(one(3, 1));
  Watched sound("justit", {}, chain_workload(chain), tiny());
  EXPECT_EQ(sound.gpu.stats().value("justit.shm_stale_hits"), 0u);
  Watched faulty("justit", {}, chain_workload(chain), tiny(), {.lose_stores = true});
  EXPECT_EQ(faulty.gpu.stats().value("justit.shm_stale_hits"), 1u);
}

TEST(RandomPrograms, SeveralSmsModelBesideRtl) {
  std::uint64_t served = 0;
  check_property("justit, shadow", 15, [&] {
    const unsigned seed = draw(1, 1u << 30), warps = draw(1, 4), instrs = draw(1, 100);
    std::vector<std::string> machine = small_machine(draw);
    machine.push_back(set("gpu.sms", draw(1, 3)));
    for (const char* name : {"lamar+bypass", "lamar+shm", "justit"}) {
      SchemeRun run(scheme_of(name, {}, Backend::shadow), program(seed, 2, warps, instrs, 0), tiny(machine));
      if (!run.result.clean) RC_FAIL(fmt::format("{}: {}", name, run.result.integrity.dump()));
      served += run.stat("justit.shm_hits");
    }
  });
  EXPECT_GT(served, 100u);
}

}  // namespace
}  // namespace warpsieve::tb
