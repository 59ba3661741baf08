// cmd.potential: the counting store against a search through all lines, and beside the unit in whole machines, as
// models and as RTL: nothing simulated changes, what the unit removes it counts, and a hash store without limits
// removes exactly that.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>

#include "random_traces.h"
#include "schemes/cmd/unlimited_store.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using schemes::UnlimitedStore;
using Found = UnlimitedStore::Found;

unsigned pick(unsigned low, unsigned high) {
  return static_cast<unsigned>(*rc::gen::inRange(static_cast<int>(low), static_cast<int>(high) + 1));
}

/// What lines hold, compared byte for byte.
struct AllLines {
  struct Content {
    std::uint8_t domain, mask;
    std::vector<std::uint8_t> sectors;
    auto operator<=>(const Content&) const = default;
  };
  std::map<LocalLine, Content> lines;
  Found write(LocalLine line, SectorMask mask, const LineData& data, std::uint8_t domain) {
    Content content{domain, mask, {}};
    for (unsigned s = 0; s < kSectors; ++s)
      if (mask >> s & 1) content.sectors.insert(content.sectors.end(), data.sector(s), data.sector(s) + kSectorBytes);
    Found found = Found::nowhere;
    for (const auto& [other, held] : lines)
      if (held == content && found != Found::itself) found = other == line ? Found::itself : Found::elsewhere;
    lines[line] = std::move(content);
    return found;
  }
  std::size_t contents() const {
    std::set<Content> all;
    for (const auto& [line, held] : lines) all.insert(held);
    return all.size();
  }
};

TEST(UnlimitedStore, FindsWhatASearchThroughAllLinesFinds) {
  std::map<Found, std::uint64_t> seen;
  check_property("unlimited store", 300, [&] {
    const unsigned lines = pick(1, 12), domains = pick(1, 2);
    Stats stats;
    UnlimitedStore store(lines, stats);
    AllLines reference;
    std::map<Found, std::uint64_t> found;
    for (unsigned n = pick(1, 120); n; --n) {
      const LocalLine line{pick(0, lines - 1)};
      if (pick(0, 7) == 0) {
        store.write_intra(line);
        reference.lines.erase(line);
        continue;
      }
      // Few contents, which differ in one byte, also one that a mask hides.
      LineData data;
      if (const unsigned at = pick(0, 4)) data.bytes.at(at * 32 - 1) = static_cast<std::uint8_t>(pick(0, 1));
      const auto mask = static_cast<SectorMask>(pick(0, 2) ? kAllSectors : pick(1, 15));
      const auto domain = static_cast<std::uint8_t>(line % domains);
      const Found expected = reference.write(line, mask, data, domain);
      RC_ASSERT(store.write(line, mask, data.bytes.data(), domain) == expected);
      ++found[expected];
      RC_ASSERT(store.contents() == reference.contents());
    }
    RC_ASSERT(stats.value("dedup.potential_inter") == found[Found::elsewhere]);
    RC_ASSERT(stats.value("dedup.potential_silent") == found[Found::itself]);
    for (const auto& [how, count] : found) seen[how] += count;
  });
  for (const Found how : {Found::nowhere, Found::elsewhere, Found::itself}) EXPECT_GT(seen[how], 0u);
}

TEST(UnlimitedStore, SectorsOutsideOfTheMaskAreNoContentAndMasksAre) {
  Stats stats;
  UnlimitedStore store(4, stats);
  LineData a, b;
  b.bytes[127] = 1;
  EXPECT_EQ(store.write(LocalLine{0}, 0x1, a.bytes.data()), Found::nowhere);
  EXPECT_EQ(store.write(LocalLine{1}, 0x1, b.bytes.data()), Found::elsewhere);
  EXPECT_EQ(store.write(LocalLine{2}, 0x2, a.bytes.data()), Found::nowhere);  // the same 32 bytes in another sector
  EXPECT_EQ(store.write(LocalLine{3}, 0x3, a.bytes.data()), Found::nowhere);
  EXPECT_EQ(store.write(LocalLine{0}, 0xf, a.bytes.data()), Found::nowhere);
  EXPECT_EQ(store.write(LocalLine{1}, 0xf, b.bytes.data()), Found::nowhere);
  EXPECT_EQ(store.contents(), 4u);
}

const Pattern kStoreP = ramp(3), kStoreQ = ramp(7, 1);

std::uint64_t potential(SchemeRun& run) {
  return run.stat("dedup.potential_inter") + run.stat("dedup.potential_silent");
}
std::uint64_t removed(SchemeRun& run) { return run.stat("dedup.writes_inter") + run.stat("dedup.writes_silent"); }

// Line 4 is written to evict line 2, and so on: the flush at the end is not counted.
TEST(Potential, CountsByHand) {
  struct Case {
    const char* what;
    Steps steps;
    std::uint64_t inter, silent;
  };
  const Case cases[] = {
      {"another line holds it", Steps().store(0, kStoreP).store(2, kStoreP).load(4), 1, 0},
      {"the line itself", Steps().store(0, kStoreP).load(2).store(0, kStoreP).load(2), 0, 1},
      {"the line itself, although another does, too",
       Steps().store(0, kStoreP).store(2, kStoreP).store(0, kStoreP).store(2, kStoreP).load(4), 1, 2},
      {"it was overwritten", Steps().store(0, kStoreP).load(2).store(0, kStoreQ).store(4, kStoreP).load(2), 0, 0},
      {"an intra-duplicate is none", Steps().store(0, words(1)).store(2, words(1)).load(4), 0, 0},
      {"nor is what it replaced still there",
       Steps().store(0, kStoreP).load(2).store(0, words(1)).store(4, kStoreP).load(2), 0, 0},
      {"another mask", Steps().store(0, kStoreP).store(2, kStoreP, 0x3).load(4), 0, 0},
      {"in two parts", Steps().store(0, kStoreP).store(2, kStoreP, 0x3).load(4).store(2, kStoreP, 0xc).load(4), 1, 0},
      {"host data are no content", Steps().store(0, [](unsigned) { return std::uint8_t{0}; }).load(2), 0, 0},
  };
  for (const Case& c : cases)
    for (const Backend backend : {Backend::model, Backend::rtl}) {
      SCOPED_TRACE(c.what);
      SchemeRun run(scheme_of("cmd", {"cmd.potential=1"}, backend), c.steps.workload());
      EXPECT_TRUE(run.result.clean);
      EXPECT_EQ(run.stat("dedup.potential_inter"), c.inter);
      EXPECT_EQ(run.stat("dedup.potential_silent"), c.silent);
      EXPECT_EQ(removed(run), c.inter + c.silent);
    }
}

TEST(Potential, ALineThatForgotItsSlotIsADuplicateOfAnotherForTheUnit) {
  // One entry: Q drives out P of line 0, so that line 4 writes P again, and line 0 then finds that of line 4.
  SchemeRun run(scheme_of("cmd", {"cmd.potential=1", "cmd.hash_sets=1", "cmd.hash_ways=1"}),
                Steps().store(0, kStoreP).store(2, kStoreQ).store(4, kStoreP).store(0, kStoreP).load(2).workload());
  EXPECT_EQ(run.stat("dedup.writes"), 4u);
  EXPECT_EQ(run.stat("dedup.potential_inter"), 1u);   // line 4
  EXPECT_EQ(run.stat("dedup.potential_silent"), 1u);  // line 0
  EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
  EXPECT_EQ(run.stat("dedup.writes_silent"), 0u);
  EXPECT_EQ(run.stat("dedup.writes_unique_home"), 3u);
}

TEST(Potential, WhatTheLimitOfPartlyWrittenLinesRefusesIsPotential) {
  Steps steps;
  for (unsigned line = 0; line < 80; line += 2)
    steps.store(line, kStoreP, 0x3);  // 64 spare lines: at most 32 may share
  SchemeRun run(scheme_of("cmd", {"cmd.potential=1"}), steps.load(100).workload());
  EXPECT_EQ(run.stat("dedup.potential_inter"), 39u);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 32u);
  EXPECT_EQ(run.stat("dedup.partial_limit"), 7u);
}

TEST(Potential, LinesOfTwoTenantsAndOfTwoControllersDoNotMeet) {
  const auto inter = [](const std::string& scheme, unsigned other, const Profile& profile) {
    SchemeRun run(scheme_of(scheme, {"cmd.potential=1"}),
                  Steps().store(0, kStoreP).store(other, kStoreP).load(4).load(other + 4).workload(), profile);
    return run.stat("dedup.potential_inter");
  };
  EXPECT_EQ(inter("cmd", 500, one_line_slices()), 1u);
  EXPECT_EQ(inter("cmd+domain", 500, one_line_slices()), 0u);
  const Profile two = tiny({"l2.sets=1", "l2.ways=1", "gpu.controllers=2"});
  EXPECT_EQ(inter("cmd", 4 * 2, two), 1u);  // chunks of 256 bytes: lines 0, 1, 4, 5, 8 on the first controller
  EXPECT_EQ(inter("cmd", 2, two), 0u);
}

std::vector<std::string> small_machine() {
  return {set("gpu.sms", pick(1, 2)),  set("gpu.controllers", pick(1, 2)), set("l1.sets", 1),
          set("l1.ways", 1),           set("l2.sets", pick(1, 2)),         set("l2.ways", pick(1, 3)),
          set("l2.mshrs", pick(1, 8)), set("dram.latency", pick(0, 40))};
}

TEST(Potential, ChangesNothingElseOfAnyScheme) {
  check_property("potential, beside", 30, [] {
    const unsigned seed = pick(1, 1u << 30), warps = pick(1, 4), instrs = pick(1, 120);
    const auto machine = small_machine();
    for (const char* name : {"dedup", "cmd", "cmd+domain", "cmd+secure", "esd", "cmd+bpc"}) {
      SchemeRun off(scheme_of(name), random_workload(seed, 2, warps, instrs), load_profile("plain", machine));
      SchemeRun on(scheme_of(name, {"cmd.potential=1"}), random_workload(seed, 2, warps, instrs),
                   load_profile("plain", machine));
      RC_ASSERT(!off.gpu.stats().has("dedup.potential_inter"));
      nlohmann::ordered_json stats = on.result.stats;
      RC_ASSERT(stats["counters"].erase("dedup.potential_inter") == 1u);
      RC_ASSERT(stats["counters"].erase("dedup.potential_silent") == 1u);
      RC_ASSERT(stats["scheme_report"]["parameters"]["cmd.potential"] == 1);
      stats["scheme_report"]["parameters"]["cmd.potential"] = 0;
      if (stats != off.result.stats) RC_FAIL(nlohmann::json::diff(off.result.stats, stats).dump());
    }
  });
}

TEST(Potential, IsNeverLessThanWhatSmallStoresRemoveAndRefuse) {
  std::uint64_t lost = 0, merged = 0;
  check_property("potential, small stores", 80, [&] {
    const unsigned seed = pick(1, 1u << 30), warps = pick(1, 4), instrs = pick(1, 160);
    const auto machine = small_machine();
    for (const char* name : {"dedup", "cmd", "cmd+verify", "cmd+domain", "cmd+siphash", "esd"}) {
      SchemeRun run(
          scheme_of(name, {"cmd.potential=1", set("cmd.hash_sets", pick(1, 2)), set("cmd.hash_ways", pick(1, 3)),
                           set("cmd.buffer_entries", pick(1, 8)), set("cmd.hash_cycles_per_chunk", pick(0, 400)),
                           set("cmd.hash_units", pick(1, 4)), set("cmd.free_entries", pick(1, 2))}),
          random_workload(seed, 2, warps, instrs), load_profile("plain", machine));
      RC_ASSERT(run.result.clean);
      const std::uint64_t limits = run.stat("dedup.count_saturated") + run.stat("dedup.partial_limit");
      RC_ASSERT(potential(run) >= removed(run) + limits);
      RC_ASSERT(run.stat("dedup.potential_silent") >= run.stat("dedup.writes_silent"));
      RC_ASSERT(potential(run) + run.stat("dedup.writes_intra") <= run.stat("dedup.writes"));
      lost += potential(run) - removed(run);
      merged += run.stat("l2.dirty_evictions") > run.stat("dedup.writes");
    }
  });
  EXPECT_GT(lost, 0u);
  EXPECT_GT(merged, 0u) << "no write was merged in a buffer";
}

/// Nothing is evicted, refused or borrowed in vain: also a proof that each write is counted with the content and in
/// the order in which the unit looked it up, writes merged in the buffer included.
TEST(Potential, IsExactlyWhatAHugeStoreWithoutPartialLimitRemoves) {
  std::uint64_t inter = 0, silent = 0, merged = 0;
  check_property("potential, huge store", 60, [&] {
    const unsigned seed = pick(1, 1u << 30), warps = pick(1, 4), instrs = pick(1, 160);
    const auto machine = small_machine();
    for (const char* name : {"dedup", "cmd", "cmd+verify", "cmd+domain", "cmd+siphash", "cmd+bpc"}) {
      SchemeRun run(
          scheme_of(name, {"cmd.potential=1", set("cmd.hash_sets", 256), set("cmd.spare_shift", 0),
                           set("cmd.buffer_entries", pick(1, 8)), set("cmd.hash_cycles_per_chunk", pick(0, 400)),
                           set("cmd.hash_units", pick(1, 4))}),
          random_workload(seed, 2, warps, instrs), load_profile("plain", machine));
      RC_ASSERT(run.stat("dedup.partial_limit") == 0u);
      RC_ASSERT(potential(run) == removed(run));
      inter += run.stat("dedup.potential_inter");
      silent += run.stat("dedup.potential_silent");
      merged += run.stat("l2.dirty_evictions") > run.stat("dedup.writes");
    }
  });
  EXPECT_GT(inter, 0u);
  EXPECT_GT(silent, 0u);
  EXPECT_GT(merged, 0u) << "no write was merged in a buffer";
}

/// The paper's sizes, which are huge for sixteen lines.
TEST(Potential, IsTheSameOfModelsAndOfRtl) {
  std::uint64_t inter = 0, silent = 0;
  check_property("potential, RTL", 5, [&] {
    const unsigned seed = pick(1, 1u << 30), warps = pick(1, 4), instrs = pick(1, 120);
    const auto machine = small_machine();
    for (const char* name : {"cmd", "cmd+domain", "cmd+secure", "esd"}) {
      std::map<Backend, std::pair<std::uint64_t, std::uint64_t>> counted;
      for (const Backend backend : {Backend::model, Backend::rtl}) {
        SchemeRun run(scheme_of(name, {"cmd.potential=1"}, backend), random_workload(seed, 2, warps, instrs),
                      load_profile("plain", machine));
        RC_ASSERT(run.result.clean);
        counted[backend] = {run.stat("dedup.potential_inter"), run.stat("dedup.potential_silent")};
        RC_ASSERT(counted[backend] == counted[Backend::model]);
        RC_ASSERT(potential(run) >= removed(run));
        if (name != std::string_view("esd")) RC_ASSERT(potential(run) == removed(run));
      }
      inter += counted[Backend::model].first;
      silent += counted[Backend::model].second;
    }
  });
  EXPECT_GT(inter, 0u);
  EXPECT_GT(silent, 0u);
}

TEST(Potential, IsRefusedWhereLinesPassUnhashed) {
  try {
    scheme_of("cmd", {"cmd.potential=1", "cmd.bypass_level=24"});
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(),
                 "cmd.potential = 1 with cmd.bypass_level = 24: expected 0, the content of lines that "
                 "are not hashed is not known");
  }
  EXPECT_NO_THROW(scheme_of("cmd", {"cmd.bypass_level=24"}));
}

}  // namespace
}  // namespace warpsieve::tb
