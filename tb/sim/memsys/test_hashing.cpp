// Hashed controllers, slices and sets: the address map stays one to one, and strides of powers of two no longer camp.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <concepts>
#include <set>
#include <type_traits>

#include "support/property.h"
#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

// A number becomes a line only explicitly, and a line of one kind never one of the other.
static_assert(!std::is_convertible_v<std::uint32_t, GlobalLine> && !std::is_convertible_v<std::uint32_t, LocalLine>);
static_assert(!std::is_constructible_v<GlobalLine, LocalLine> && !std::is_constructible_v<LocalLine, GlobalLine>);
static_assert(!std::is_assignable_v<GlobalLine&, LocalLine> && !std::is_assignable_v<LocalLine&, GlobalLine>);
static_assert(!std::equality_comparable_with<GlobalLine, LocalLine> && std::totally_ordered<GlobalLine>);
static_assert(sizeof(GlobalLine) == sizeof(std::uint32_t) && std::is_trivially_copyable_v<GlobalLine>);

TEST(AddressMap, EveryLineHasItsOwnPlaceUnderEveryHash) {
  check_property("address maps", 200, [] {
    const auto pick = [](unsigned low, unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(static_cast<int>(low), static_cast<int>(high) + 1));
    };
    AddressMap map;
    const unsigned kind = pick(0, 2);
    map.controllers = kind ? 1u << pick(0, 5) : pick(1, 12);
    map.chunk_shift = pick(7, 11);
    map.size = pick(1, 3000) * 128;
    map.hash_by(static_cast<HashKind>(kind));
    std::set<std::pair<std::uint32_t, LocalLine>> places;
    for (GlobalLine line; line < map.global_lines(); ++line) {
      const AddressMap::Place p = map.place(line);
      RC_ASSERT(p.controller < map.controllers);
      RC_ASSERT(p.line < map.local_lines());
      RC_ASSERT(map.global_line(p.controller, p.line) == line);
      RC_ASSERT(places.insert({p.controller, p.line}).second);
    }
  });
}

/// Warps that read columns of a matrix: lane i of a load is `pitch` bytes behind lane i - 1.
Cycle columns(unsigned pitch, std::vector<std::string> machine) {
  constexpr unsigned kBlocks = 16, kWarps = 4, kLoads = 8;
  ToyWorkload w(std::size_t{pitch} * 32 * kWarps * kBlocks + kLoads * 4);
  w.kernels.emplace_back();
  for (unsigned block = 0; block < kBlocks; ++block) {
    std::vector<WarpBuilder> warps(kWarps);
    for (unsigned i = 0; i < kWarps; ++i)
      for (unsigned n = 0; n < kLoads; ++n) {
        const unsigned row = (block * kWarps + i) * 32;
        WarpBuilder::Lanes lanes;
        for (unsigned lane = 0; lane < 32; ++lane) lanes.emplace_back(lane, (row + lane) * pitch + n * 4);
        warps[i].alu(1, {warps[i].load(lanes, 4)});
      }
    w.block(std::move(warps));
  }
  machine.insert(machine.begin(), "gpu.sms=16");
  ToyRun run(load_profile("plain", machine), w);
  EXPECT_TRUE(run.result.clean);
  return run.result.cycles;
}

TEST(Hashing, AColumnOfAMatrixCostsTheSameAtEveryPitch) {
  const std::vector<std::string> associative = {"l1.sets=1", "l1.ways=512"};
  std::vector<std::string> hashed = associative;
  for (const char* set : {"gpu.hash=2", "l2.set_hash=2"}) hashed.emplace_back(set);
  const Cycle odd = columns(4352, hashed);
  for (const unsigned pitch : {1024u, 2048u, 4096u}) {
    EXPECT_LT(columns(pitch, hashed), odd * 3 / 2) << pitch;
    EXPECT_GT(columns(pitch, hashed), odd / 2) << pitch;
  }
  // All lines of a pitch of 4,096 bytes belong to one slice of one of eight controllers.
  EXPECT_GT(columns(4096, associative), 2 * odd);
  // In sets by low bits they do not even stay in the L1 until the next load of the same sectors.
  EXPECT_GT(columns(4096, {}), columns(4096, associative) * 3 / 2);
}

TEST(Hashing, AFullyAssociativeL1HoldsAnyLinesThatFit) {
  for (const bool wide : {true, false}) {
    ToyWorkload w(512 * 4096 + 128);
    std::vector<WarpBuilder> warps(1);
    for (unsigned pass = 0; pass < 2; ++pass) {
      for (unsigned line = 0; line < 512; ++line) warps[0].load({{0, line * 4096}}, 4);
      warps[0].alu(1, {warps[0].load({{0, 0}}, 4)});
    }
    w.add(std::move(warps));
    const std::vector<std::string> machine = wide ? std::vector<std::string>{"l1.sets=1", "l1.ways=512"}
                                                  : std::vector<std::string>{"l1.sets=32", "l1.ways=16"};
    ToyRun run(tiny(machine), w);
    EXPECT_TRUE(run.result.clean);
    if (wide)
      EXPECT_EQ(run.stat("l1.miss_sectors"), 512u);
    else
      EXPECT_GT(run.stat("l1.miss_sectors"), 1000u);
  }
}

TEST(Hashing, ProfilesThatCannotBeHashedAreRefused) {
  const auto refused = [](std::vector<std::string> set) {
    try {
      load_profile("plain", set);
    } catch (const ConfigError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(refused({"gpu.controllers=6", "gpu.hash=2"}),
            "gpu.controllers = 6: expected a power of two with gpu.hash = 2");
  EXPECT_EQ(refused({"l1.sets=48", "l1.set_hash=1"}), "l1.sets = 48: expected a power of two with l1.set_hash = 1");
  EXPECT_EQ(refused({"l2.sets=128", "l2.set_hash=3"}), "l2.sets = 128: expected 32 or 64 with l2.set_hash = 3");
}

}  // namespace
}  // namespace warpsieve::tb
