// Energy of runs: the sums by hand, what scales with what, and the published figure of a DRAM stream.
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "cost/area.h"
#include "cost/cacti/recorded.h"
#include "cost/energy.h"
#include "cost/scheme_blocks.h"
#include "support.h"

namespace warpsieve::cost {
namespace {

using nlohmann::ordered_json;
using ::testing::HasSubstr;

ordered_json machine() {
  return {{"gpu.sms", 20},         {"gpu.controllers", 2},     {"l1.sets", 32},
          {"l1.ways", 16},         {"l2.sets", 128},           {"l2.ways", 16},
          {"noc.topology", 0},     {"noc.cluster", 1},         {"noc.vc_flits", 4},
          {"dram.core_mhz", 1365}, {"dram.command_mhz", 1750}, {"dram.tRC", 62},
          {"dram.tRAS", 50},       {"dram.burst", 2},          {"dram.tRFC", 126},
          {"dram.tREFI", 11862},   {"dram.column_bits", 6}};
}

/// What every run counts.
ordered_json zeros() {
  return {{"dram.reads", 0},      {"dram.writes", 0},     {"dram.activates", 0},   {"l1.load_sectors", 0},
          {"l1.fill_sectors", 0}, {"l2.read_sectors", 0}, {"l2.write_sectors", 0}, {"l2.atomic_sectors", 0}};
}

RunFigures figures(const std::string& scheme, const ordered_json& some, std::uint64_t cycles = 1365000,
                   const ordered_json& parameters = machine()) {
  ordered_json counters = zeros();
  counters.update(some);
  return RunFigures::from_json({{"workload", "toy"},
                                {"scheme", scheme},
                                {"profile", "p"},
                                {"cycles", cycles},
                                {"counters", std::move(counters)},
                                {"parameters", parameters}});
}

const EnergyComponent& component(const EnergyReport& r, const std::string& name) {
  for (const EnergyComponent& c : r.components)
    if (c.name == name) return c;
  throw std::runtime_error("no component " + name);
}

EnergyReport report(const RunFigures& run, Clock clock = Clock::always) {
  Recorded sweep;
  return energy_of(run, sweep, 16, clock);
}

TEST(DramEnergy, AStreamAtPeakCostsThePublishedAverage) {
  const DramEnergy e = dram_energy(figures("baseline", ordered_json::object()));
  const double ns = 1000.0 / 1750 * 2;  // one burst
  const double pj = e.activate / 64 + e.read + e.io + e.standby_mw * ns + e.refresh * ns / (11862 * 1000.0 / 1750);
  EXPECT_NEAR(pj / 256, 7.5, 1e-9);
  // 1.35 V x (71 mA x 62 - 61 mA x 50 - 60 mA x 12) x 0.571 ns
  EXPECT_NEAR(e.activate / e.scale, 1.35 * (71 * 62 - 61 * 50 - 60 * 12) * 1000 / 1750, 1e-9);
  EXPECT_GT(e.read, e.write);
}

TEST(Energy, ComponentsAreCountsTimesEnergyPlusLeakageTimesTime) {
  const RunFigures run = figures("baseline", {{"dram.activates", 10},
                                              {"dram.reads", 100},
                                              {"dram.writes", 7},
                                              {"noc.request_flits", 30},
                                              {"noc.reply_flits", 12}});
  const DramEnergy e = dram_energy(run);
  const EnergyReport r = report(run);
  const EnergyComponent& dram = component(r, "dram");
  EXPECT_NEAR(dram.dynamic_nj(), (10 * e.activate + 100 * e.read + 7 * e.write + 107 * e.io) / 1000, 1e-6);
  EXPECT_NEAR(run.seconds(), 0.001, 1e-12);
  EXPECT_NEAR(dram.leakage_nj, 2 * e.standby_mw * 1000, 1e-6);  // mW x 1 ms = uJ
  EXPECT_NEAR(component(r, "noc").dynamic_nj(), 42 * 0.31, 1e-9);
  double sum = 0;
  for (const EnergyComponent& c : r.components) sum += c.total_nj();
  EXPECT_NEAR(r.total_nj(), sum, 1e-6);
  EXPECT_NEAR(r.off_chip_nj(), sum - component(r, "l1").total_nj() - component(r, "noc").total_nj(), 1e-6);
}

TEST(Energy, WiderFlitsAndHeadersBesideThemTakeMoreWires) {
  const ordered_json counts = {{"noc.request_flits", 30},
                               {"noc.reply_flits", 12},
                               {"noc.request_packets", 9},
                               {"noc.reply_packets", 7},
                               {"noc.flit_hops", 84}};
  const auto nj = [&](unsigned bytes, unsigned header, unsigned topology) {
    ordered_json parameters = machine();
    parameters["noc.flit_bytes"] = bytes;
    parameters["noc.header"] = header;
    parameters["noc.topology"] = topology;
    const EnergyReport r = report(figures("baseline", counts, 1365000, parameters));
    std::map<std::string, double> terms;
    for (const EnergyTerm& t : component(r, "noc").terms) terms[t.event] = t.count * t.pj / 1000;
    return terms;
  };
  EXPECT_NEAR(nj(32, 0, 0)["flit through the crossbar"], 42 * 0.31, 1e-9);
  EXPECT_NEAR(nj(40, 0, 0)["flit through the crossbar"], 42 * 0.31 * 40 / 32, 1e-9);
  EXPECT_EQ(nj(40, 0, 0).size(), 1u);
  EXPECT_NEAR(nj(32, 1, 0)["header through the crossbar"], 16 * 0.31 * 8 / 32, 1e-9);
  EXPECT_NEAR(nj(64, 0, 1)["flit over one link"], 2 * nj(32, 0, 1)["flit over one link"], 1e-9);
  EXPECT_NEAR(nj(32, 1, 1)["header over one link"], nj(32, 1, 1)["flit over one link"] * 16 / 42 / 4, 1e-9);
  EXPECT_NEAR(
      nj(64, 0, 1)["flit into and out of a router's buffer"] / nj(32, 0, 1)["flit into and out of a router's buffer"],
      2, 0.2);
}

TEST(Energy, AnAtomicReadsAndWritesASectorOfTheL2Once) {
  // 64 lanes on two sectors: l2.read_sectors has the two already.
  const EnergyReport r =
      report(figures("baseline", {{"l2.read_sectors", 2}, {"l2.atomics", 64}, {"l2.atomic_sectors", 2}}));
  for (const EnergyTerm& t : component(r, "l2").terms) EXPECT_EQ(t.count, 2) << t.event;
}

TEST(Energy, ACleanVictimIsReadFromTheL2IntoTheFifo) {
  const EnergyReport r = report(figures("cmd", {{"l2.read_sectors", 100}, {"victim_fifo.inserted", 40}}));
  EXPECT_EQ(component(r, "l2").terms[0].count, 140);
  EXPECT_EQ(component(r, "l2").terms[1].count, 0);
}

TEST(Energy, TheL1PaysForLookupsStoresAndFillsOfBothSpacesAndOfPeers) {
  const auto counts = [](const ordered_json& events, std::uint64_t store_evicts = 0) {
    ordered_json parameters = machine();
    parameters["l1.store_evicts"] = store_evicts;
    const EnergyReport r = report(figures("rata", events, 1000, parameters));
    const std::vector<EnergyTerm> terms = component(r, "l1").terms;
    EXPECT_EQ(terms.size(), 2u);
    return std::pair(terms[0].count, terms[1].count);
  };
  const ordered_json global = {{"l1.load_sectors", 100},
                               {"l1.hit_sectors", 60},
                               {"l1.miss_sectors", 40},
                               {"l1.fill_sectors", 25},  // the others bypass it, or come from a peer
                               {"l1.store_hit_sectors", 8}};
  EXPECT_EQ(counts(global), std::pair(100.0, 33.0));
  EXPECT_EQ(counts(global, 1), std::pair(100.0, 25.0));  // stores only drop what they hit
  EXPECT_EQ(counts({{"l1.peer_sectors", 12}}), std::pair(12.0, 0.0));
  EXPECT_EQ(counts({{"local.l1_read_sectors", 5}, {"local.l1_written_back_sectors", 2}}), std::pair(7.0, 0.0));
  EXPECT_EQ(counts({{"local.l1_written_sectors", 9}}), std::pair(0.0, 9.0));
}

TEST(Energy, SectorsInSharedMemoryArePaidForByTheWord) {
  ordered_json parameters = machine();
  parameters["sm.shared_bytes"] = 49152;
  const EnergyReport r = report(figures("justit",
                                        {{"l1.load_sectors", 100},
                                         {"justit.shm_lookups", 50},
                                         {"justit.shm_hits", 10},
                                         {"justit.shm_fills", 3},
                                         {"justit.shm_stores", 2},
                                         {"justit.shm_dropped", 1}},
                                        1000, parameters));
  const std::vector<EnergyTerm>& terms = component(r, "l1").terms;
  ASSERT_EQ(terms.size(), 4u);
  EXPECT_EQ(terms[0].count, 90);                    // hits in shared memory take no data from the L1
  EXPECT_EQ(terms[2].count, 4 * 50 + 8 * 10);       // tags of four ways, data
  EXPECT_EQ(terms[3].count, 9 * (3 + 2) + 10 + 1);  // data and tag; order; valid bit
  Recorded sweep;
  Query bank;  // of 32
  bank.bytes = 1536;
  bank.word_bits = 32;
  bank.node_nm = 16;
  EXPECT_DOUBLE_EQ(terms[2].pj, 1000 * evaluate(sweep, bank).read_nj);
  EXPECT_DOUBLE_EQ(terms[3].pj, 1000 * evaluate(sweep, bank).write_nj);
  EXPECT_THAT(terms[2].source, HasSubstr("ram of 1536 B"));
}

TEST(Energy, TheTranslationCacheOfBcdIsPaidForPerRequest) {
  const EnergyReport none = report(figures("bcd", zeros())),
                     some = report(figures("bcd", {{"translation_cache.requests", 9}}));
  EXPECT_GT(component(some, "controller").dynamic_nj(), component(none, "controller").dynamic_nj());
}

TEST(Energy, WhatWouldBeDividedByZeroOrIsMissingIsRefused) {
  for (const char* name : {"noc.cluster", "dram.command_mhz", "dram.tREFI", "dram.burst", "dram.core_mhz"}) {
    ordered_json parameters = machine();
    parameters[name] = 0;
    try {
      report(figures("rata", zeros(), 1000, parameters));
      ADD_FAILURE() << name;
    } catch (const CostError& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string("a run of toy with ") + name + " = 0"));
    }
  }
  RunFigures old = figures("baseline", zeros());
  old.counters.erase("l2.atomic_sectors");
  try {
    report(old);
    ADD_FAILURE();
  } catch (const CostError& error) {
    EXPECT_THAT(error.what(), HasSubstr("without the counter 'l2.atomic_sectors'"));
  }
}

TEST(Energy, TwiceTheTimeIsTwiceTheLeakageAndNothingElse) {
  const ordered_json counters = {{"dram.reads", 5}, {"l2.read_sectors", 9}, {"type_cache.requests", 4}};
  const EnergyReport once = report(figures("cmd", counters)), twice = report(figures("cmd", counters, 2730000));
  for (std::size_t i = 0; i < once.components.size(); ++i) {
    EXPECT_DOUBLE_EQ(twice.components[i].dynamic_nj(), once.components[i].dynamic_nj());
    EXPECT_NEAR(twice.components[i].leakage_nj, 2 * once.components[i].leakage_nj, 1e-6);
  }
  EXPECT_GT(component(once, "controller").leakage_nj, 0);
  EXPECT_GT(component(once, "l2").leakage_nj, component(once, "controller").leakage_nj);  // 1 MB against 2 x 111 KB
}

TEST(Energy, UnitsThatSleptForTheWholeRunHaveNoLeakageAndNoClock) {
  for (const Clock clock : {Clock::always, Clock::gated}) {
    const auto controller = [&](const ordered_json& counters) {
      return component(report(figures("sieve", counters), clock), "controller");
    };
    const ordered_json reads = {{"l2.read_misses", 1000}};
    ordered_json none = reads, one = reads, both = reads;
    none["dedup.woken"] = 0;
    one["dedup.woken"] = 1;
    both["dedup.woken"] = 2;
    const EnergyComponent all = controller(reads);
    EXPECT_GT(all.leakage_nj, 0);
    EXPECT_GT(all.clock_nj, 0);
    EXPECT_DOUBLE_EQ(controller(both).total_nj(), all.total_nj());
    EXPECT_NEAR(controller(one).leakage_nj, all.leakage_nj / 2, 1e-6);
    EXPECT_EQ(controller(none).leakage_nj, 0);
    EXPECT_EQ(controller(none).clock_nj, 0);
  }
  EXPECT_THAT(report(figures("sieve", {{"dedup.woken", 1}})).notes,
              ::testing::Contains(HasSubstr("50 % of the controllers' units slept")));
}

TEST(Energy, EventsOfASchemeCostOnlyWhereTheyHappen) {
  const EnergyReport idle = report(figures("cmd", ordered_json::object()));
  EXPECT_EQ(component(idle, "controller").dynamic_nj(), 0);
  const EnergyReport lookups = report(figures("cmd", {{"address_cache.requests", 1000}}));
  const EnergyReport small = report(figures("cmd", {{"type_cache.requests", 1000}}));
  EXPECT_GT(component(small, "controller").dynamic_nj(), 0);
  EXPECT_GT(component(lookups, "controller").dynamic_nj(),
            component(small, "controller").dynamic_nj());  // 48 and 5 KB
  EXPECT_TRUE(component(report(figures("baseline", {{"type_cache.requests", 1000}})), "controller").terms.empty());
}

TEST(Energy, OtherSizesThanTheNetlistsAreNamedAndChangeNothing) {
  ordered_json same = machine(), other = machine();
  same.update({{"cmd.hash_sets", 128}, {"cmd.hash_ways", 16}, {"cmd.fifo_entries", 16}, {"rata.ways", 1024}});
  other.update({{"cmd.hash_sets", 4096}, {"cmd.hash_ways", 16}, {"cmd.address_sets", 32}});
  const ordered_json counters = {{"address_cache.requests", 1000}};
  const EnergyReport as_built = report(figures("cmd", counters, 1365000, same)),
                     asked = report(figures("cmd", counters, 1365000, other));
  EXPECT_THAT(as_built.size_notes, ::testing::IsEmpty());  // RATA's are not this scheme's
  EXPECT_THAT(asked.size_notes,
              ::testing::ElementsAre(
                  "cmd: hash_store@paper is counted as synthesized, for cmd.hash_sets = 128; the run has 4096: not "
                  "scaled to it",
                  "cmd: metadata_cache@address is counted as synthesized, for cmd.address_sets = 64; the run has 32: "
                  "not scaled to it"));
  EXPECT_THAT(asked.notes, ::testing::IsSupersetOf(asked.size_notes));
  EXPECT_THAT(to_json(asked)["notes"].dump(), HasSubstr("cmd.address_sets = 64; the run has 32"));
  EXPECT_DOUBLE_EQ(asked.total_nj(), as_built.total_nj());
}

TEST(Energy, EveryBlockWithArraysSaysForWhichSizes) {
  const std::set<std::string> fixed = {"critical_data_tracker"};  // the L1's lines and MSHRs, no scheme's parameter
  for (const SchemeBlocks& scheme : all_schemes())
    for (const BlockUse& use : scheme.blocks) {
      EXPECT_TRUE(use.arrays.empty() || !use.sizes.empty() || fixed.contains(use.module))
          << scheme.name << ' ' << use.module;
    }
}

TEST(Energy, MeasuredLogicIsEventsTimesEnergyScaledAndItsClockRunsAlways) {
  const auto logic = logic_energy("md5", "line_hasher", "s1");
  ASSERT_TRUE(logic);
  const double scale = 16.0 / 180 * (0.8 * 0.8) / (1.8 * 1.8);
  const EnergyReport idle = report(figures("cmd", ordered_json::object()));
  const EnergyReport busy = report(figures("cmd", {{"dedup.hashed_chunks", 1000}}));
  EXPECT_NEAR(component(busy, "controller").dynamic_nj(), logic->pj * scale, 1e-6);  // 1000 pJ = 1 nJ
  EXPECT_GT(component(idle, "controller").clock_mw,
            2 * logic->clock_pj * scale * 1365 / 1000);  // and the other blocks
  EXPECT_DOUBLE_EQ(component(busy, "controller").clock_mw, component(idle, "controller").clock_mw);
  EXPECT_NEAR(component(idle, "controller").clock_nj, component(idle, "controller").clock_mw * 1000, 1e-6);  // 1 ms
  EXPECT_EQ(component(idle, "dram").clock_mw, 0);
}

TEST(Energy, GatesPassWhatWasMeasuredOfEachEvent) {
  const double scale = 16.0 / 180 * (0.8 * 0.8) / (1.8 * 1.8);
  const auto clock_nj = [&](const ordered_json& counters, Clock clock) {
    return component(report(figures("cmd", counters), clock), "controller").clock_nj;
  };
  // Idle: two controllers of two slices, 1,365,000 cycles. What has gates is clocked in front of them only.
  double idle_pj = 0;
  for (const BlockUse& use : scheme_blocks("cmd").blocks) {
    const auto logic = logic_energy(use.block, use.module, use.point);
    ASSERT_TRUE(logic) << use.module;
    const double copies = (use.per == Per::slice ? 4.0 : 2.0) * use.count;
    idle_pj += copies * (logic->gated ? logic->gated->idle_pj : logic->clock_pj);
  }
  const double idle = clock_nj(ordered_json::object(), Clock::gated);
  EXPECT_NEAR(idle, idle_pj * scale * 1365, 1e-3);
  EXPECT_LT(idle, clock_nj(ordered_json::object(), Clock::always) / 5);
  // 1000 events: what passes for one is the difference in nJ per 1000 pJ.
  const auto hasher = logic_energy("md5", "line_hasher", "s1");
  const auto cache = logic_energy("metadata_cache", "metadata_cache", "type");
  ASSERT_TRUE(hasher && hasher->gated && cache && cache->gated);
  const auto passed = [&](const std::string& counter) { return clock_nj({{counter, 1000}}, Clock::gated) - idle; };
  EXPECT_NEAR(passed("dedup.hashed_chunks"), hasher->gated->events.at(0).second * scale, 1e-6);
  EXPECT_NEAR(passed("type_cache.requests"), cache->gated->events.at(0).second * scale, 1e-6);
  // Of the unit's control, a written line (four sectors) and a sector that is read.
  const auto control = logic_energy("dedup", "dedup", "paper");
  ASSERT_TRUE(control && control->gated && control->gated->events.size() == 2);
  EXPECT_NEAR(passed("dedup.write_sectors"), control->gated->events.at(0).second / 4 * scale, 1e-6);
  EXPECT_NEAR(passed("l2.read_misses"), control->gated->events.at(1).second * scale, 1e-6);
  // Every event of every scheme's blocks has its counters.
  for (const SchemeBlocks& scheme : all_schemes())
    EXPECT_NO_THROW(report(figures(scheme.name, ordered_json::object()), Clock::gated)) << scheme.name;
  // Never more than all clock pins in all cycles.
  const ordered_json many = {{"dedup.hashed_chunks", 1000000000}};
  EXPECT_NEAR(clock_nj(many, Clock::gated) - idle, (hasher->clock_pj - hasher->gated->idle_pj) * scale * 64 * 1365,
              1e-3);
}

TEST(Energy, HashersAreAsManyAsTheRunHad) {
  const auto logic = logic_energy("md5", "line_hasher", "s1");
  ASSERT_TRUE(logic);
  ordered_json run = {{"workload", "x"},   {"scheme", "cmd"},     {"profile", "cmd-quarter"},
                      {"cycles", 1365000}, {"counters", zeros()}, {"parameters", machine()}};
  const double usual = component(report(RunFigures::from_json(run)), "controller").clock_nj;
  run["scheme_report"] = {{"parameters", {{"cmd.hash_units", 4}}}};
  const double four = component(report(RunFigures::from_json(run)), "controller").clock_nj;
  EXPECT_NEAR(usual - four, 2 * 28 * logic->clock_pj * 16.0 / 180 * (0.8 * 0.8) / (1.8 * 1.8) * 1365, 1e-3);
}

TEST(Energy, ACacheOfTwentyWaysGetsTheFiguresOfSixteenAndSaysSo) {
  RunFigures run = figures("baseline", {{"l2.read_sectors", 1000}});
  run.parameters["l2.ways"] = 20;
  const EnergyReport r = report(run);
  EXPECT_THAT(r.notes, ::testing::Contains(HasSubstr("l2: 20 ways are not recorded, figures of 16 ways")));
  const EnergyReport smaller = report(figures("baseline", {{"l2.read_sectors", 1000}}));
  EXPECT_GT(component(r, "l2").dynamic_nj(), component(smaller, "l2").dynamic_nj());
  EXPECT_GT(component(r, "l2").leakage_mw, component(smaller, "l2").leakage_mw);
}

/// Profile avc.
TEST(Energy, AnL2OfOneSetStandsForNoneAndCostsNothing) {
  const ordered_json events = {{"l2.read_sectors", 1000}, {"dram.reads", 1000}};
  RunFigures run = figures("baseline", events);
  run.parameters["l2.sets"] = 1;
  run.parameters["l2.ways"] = 4;
  const EnergyReport none = report(run), usual = report(figures("baseline", events));
  EXPECT_EQ(component(none, "l2").total_nj(), 0);
  EXPECT_THAT(none.notes, ::testing::Contains("an L2 of one set, 4 lines per slice, stands for none: not counted"));
  EXPECT_NEAR(none.total_nj(), usual.total_nj() - component(usual, "l2").total_nj(), 1e-6);
  EXPECT_GT(component(usual, "l2").total_nj(), 0);
  run.parameters["l2.sets"] = 2;  // a cache, and one that CACTI has no figures for
  EXPECT_THROW(report(run), CactiError);
}

TEST(Energy, EveryBlockOfEverySchemeIsCountedOrNamedAsNotCounted) {
  for (const SchemeBlocks& scheme : all_schemes()) {
    const EnergyReport r = report(figures(scheme.name, ordered_json::object()));
    for (const BlockUse& use : scheme.blocks) {
      const std::string name = use.module + "@" + use.point;
      bool said = false;
      for (const std::string& note : r.notes) said = said || note.starts_with(name);
      for (const EnergyTerm& t : component(r, "controller").terms)
        said = said || t.event.starts_with(name + ": logic");
      EXPECT_TRUE(said) << scheme.name << " " << name;
    }
  }
}

TEST(Energy, TheLogicOfEveryBlockIsMeasured) {
  for (const SchemeBlocks& scheme : all_schemes()) {
    const EnergyReport r = report(figures(scheme.name, ordered_json::object()));
    for (const std::string& note : r.notes) EXPECT_EQ(note.find("@"), std::string::npos) << scheme.name << note;
  }
}

TEST(Energy, EveryCopyOfAnEncoderWorksOnEveryReply) {
  const auto one = logic_energy("dpc", "dpc_encoder", "paper"), decoder = logic_energy("dpc", "dpc_decoder", "paper");
  ASSERT_TRUE(one && decoder);
  const double scale = 16.0 / 180 * (0.8 * 0.8) / (1.8 * 1.8);
  const EnergyReport r = report(figures("df_trunc", {{"dpc.replies", 1000}}));
  EXPECT_NEAR(component(r, "controller").dynamic_nj(), (2 * one->pj + decoder->pj) * scale, 1e-6);
}

TEST(Energy, ACombinationCostsWhatItsPartsCost) {
  const ordered_json events = {{"cluster.lookups", 700}, {"dedup.write_sectors", 300}, {"dedup.hashed_chunks", 900}};
  const double both = component(report(figures("rata+cmd", events)), "controller").total_nj();
  const double parts = component(report(figures("rata", events)), "controller").total_nj() +
                       component(report(figures("cmd", events)), "controller").total_nj();
  EXPECT_GT(both, 0);
  EXPECT_NEAR(both, parts, 1e-9 * parts);
}

TEST(Energy, ParametersOfTheCombinedSchemesAreFound) {
  ordered_json run = {{"workload", "w"},
                      {"scheme", "rata+cmd"},
                      {"profile", "p"},
                      {"cycles", 1},
                      {"counters", ordered_json::object()},
                      {"parameters", {{"a", 1}}}};
  run["scheme_report"] = {{"rata", {{"parameters", {{"rata.ways", 8}}}, {"captured", 1.0}}},
                          {"cmd", {{"parameters", {{"cmd.contexts", 16}}}}}};
  const RunFigures r = RunFigures::from_json(run);
  EXPECT_EQ(r.parameter("a"), 1u);
  EXPECT_EQ(r.parameter("rata.ways"), 8u);
  EXPECT_EQ(r.parameter("cmd.contexts"), 16u);
}

TEST(Energy, BrokenRunsSayWhatIsMissing) {
  const auto message = [](const ordered_json& run) {
    try {
      Recorded sweep;
      energy_of(RunFigures::from_json(run), sweep, 16);
    } catch (const CostError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  ordered_json run = {{"workload", "toy"}, {"scheme", "cmd"},     {"profile", "p"},
                      {"cycles", 5},       {"counters", zeros()}, {"parameters", machine()}};
  EXPECT_EQ(message(run), "accepted");
  ordered_json broken = run;
  broken.erase("cycles");
  EXPECT_THAT(message(broken), HasSubstr("'cycles'"));
  broken = run;
  broken["cycles"] = "many";
  EXPECT_THAT(message(broken), HasSubstr("wrong type"));
  broken = run;
  broken["counters"] = 3;
  EXPECT_THAT(message(broken), HasSubstr("'counters'"));
  broken = run;
  broken["parameters"].erase("dram.tRC");
  EXPECT_THAT(message(broken), HasSubstr("dram.tRC"));
  broken = run;
  broken["scheme"] = "cdm";
  EXPECT_THAT(message(broken), HasSubstr("cdm"));
}

}  // namespace
}  // namespace warpsieve::cost
