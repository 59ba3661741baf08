// Random traces under every data-filtering scheme on machines where every table, queue and cache is as small as it
// gets, on crossbar and mesh: always clean, and every kind of miss and reply adds up.
#include <gtest/gtest.h>

#include <map>

#include "sim/schemes/random_traces.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr const char* kSchemes[] = {"dpc", "df_trunc", "df_man", "df_trunc+rc", "df_man+rc"};

void add_up(SchemeRun& run) {
  if (!run.result.clean) RC_FAIL(run.result.integrity.dump());
  RC_ASSERT(run.stat("l1.fills") == run.stat("dpc.replies"));
  RC_ASSERT(run.gpu.golden().checks(Source::reply_decoder) == run.stat("dpc.brought_sub_blocks"));
  std::uint64_t flits = 0;
  for (unsigned f = 1; f <= 5; ++f) flits += f * run.stat(fmt::format("dpc.replies_{}_flit", f));
  RC_ASSERT(flits + run.stat("dpc.flits_saved") == 5 * run.stat("dpc.replies"));
  if (!run.gpu.stats().has("critical.hits")) return;
  std::uint64_t loads = 0, sent = 0;
  for (const char* kind : {"hits", "first_misses", "subsequent_misses", "merged", "hit_invalid"})
    loads += run.stat(fmt::format("critical.{}", kind));
  RC_ASSERT(loads == run.stat("l1.load_requests"));
  for (const char* reason : {"partial", "demanded", "fdr", "again", "ica"})
    sent += run.stat(fmt::format("critical.requests_{}", reason));
  RC_ASSERT(sent == run.stat("dpc.replies") + run.stat("packet_filter.merged"));
  RC_ASSERT(sent == run.stat("critical.first_misses") + run.stat("critical.subsequent_misses") +
                        run.stat("critical.hit_invalid"));
  RC_ASSERT(sent == run.stat("packet_filter.registered") + run.stat("packet_filter.merged") +
                        run.stat("packet_filter.full") + run.stat("packet_filter.no_room") +
                        run.stat("packet_filter.written"));
}

TEST(RandomTraces, EveryDataFilterIsCleanWithTheSmallestSizes) {
  // What must have happened somewhere, or the cases test less than they say.
  std::map<std::string, std::uint64_t> seen;
  for (const char* n : {"critical.hits",
                        "critical.subsequent_misses",
                        "critical.hit_invalid",
                        "critical.merged",
                        "critical.waits",
                        "critical.requests_fdr",
                        "critical.requests_ica",
                        "critical.requests_again",
                        "packet_filter.merged",
                        "packet_filter.no_room",
                        "packet_filter.written",
                        "packet_filter.full",
                        "packet_filter.sent_truncated",
                        "packet_filter.sent_zero_filled",
                        "packet_filter.sent_whole",
                        "dpc.incompressible",
                        "l1.replays",
                        "l1.stalls",
                        "l1.stale_hits",
                        "dpc.replies_1_flit",
                        "dpc.replies_5_flit"})
    seen[n] = 0;
  check_property("data filters, smallest sizes", 120, [&] {
    const auto pick = [](unsigned low, unsigned high) {
      return static_cast<unsigned>(*rc::gen::inRange(static_cast<int>(low), static_cast<int>(high) + 1));
    };
    const unsigned kernels = pick(1, 3), warps = pick(1, 4), instrs = pick(1, 120), seed = pick(1, 1u << 30);
    std::vector<std::string> machine = {
        set("gpu.sms", pick(1, 3)),         set("gpu.controllers", pick(1, 2)),  set("gpu.patience", 200000),
        set("l1.sets", pick(1, 2)),         set("l1.ways", pick(2, 3)),          set("l1.mshrs", pick(1, 4)),
        set("l1.merges", pick(1, 3)),       set("noc.topology", pick(0, 1)),     set("noc.mesh_width", 3),
        set("noc.mesh_height", 2),          set("noc.vc_flits", pick(1, 4)),     set("noc.latency", pick(1, 8)),
        set("noc.input_queue", pick(1, 2)), set("noc.output_queue", pick(1, 3)), set("l2.sets", pick(1, 2)),
        set("l2.ways", pick(1, 3)),         set("l2.mshrs", pick(1, 8)),         set("l2.reply_queue", pick(1, 4)),
        set("l2.latency", pick(1, 60)),     set("l2.miss_latency", pick(1, 20)), set("dram.latency", pick(0, 40))};
    machine.insert(machine.end(), {set("l2.fetch_sectors", pick(1, 2)), set("l2.partial_writes", pick(0, 1)),
                                   set("l2.atomic_ops", pick(0, 8)), set("l2.atomic_same_address", pick(0, 3))});
    const std::vector<std::string> blocks = {set("dpc.table_sets", 1u << pick(0, 1)),
                                             set("dpc.table_ways", pick(1, 2)),
                                             set("dpc.window", pick(1, 6)),
                                             set("dpc.ica_percent", pick(0, 60)),
                                             set("dpc.fdr_percent", pick(0, 1) ? 100 : pick(20, 90)),
                                             set("dpc.append", pick(0, 1)),
                                             set("dpc.window_need", pick(0, 1)),
                                             set("dpc.encode_cycles", pick(0, 5)),
                                             set("dpc.decode_cycles", pick(0, 5)),
                                             set("dpc.filter_cycles", pick(0, 5))};
    for (const char* name : kSchemes) {
      SchemeRun run(scheme_of(name, blocks), random_workload(seed, kernels, warps, instrs),
                    load_profile("plain", machine));
      add_up(run);
      for (auto& [counter, count] : seen)
        if (run.gpu.stats().has(counter)) count += run.stat(counter);
    }
  });
  for (const auto& [counter, count] : seen) EXPECT_GT(count, 0u) << counter << " never happened";
}

TEST(RandomTraces, ModelRtlAndShadowGiveTheSameBytes) {
  const Profile machine =
      load_profile("dpc-quarter", {"gpu.sms=2", "gpu.controllers=1", "noc.mesh_width=2", "noc.mesh_height=2"});
  for (const char* name : kSchemes)
    for (unsigned seed = 1; seed <= 3; ++seed) {
      std::string model;
      for (const Backend backend : {Backend::model, Backend::rtl, Backend::shadow}) {
        SchemeRun run(scheme_of(name, {}, backend), random_workload(seed, 2, 4, 200), machine);
        EXPECT_TRUE(run.result.clean) << name;
        if (model.empty()) model = run.result.stats.dump();
        EXPECT_EQ(run.result.stats.dump(), model) << name << " " << to_string(backend) << " seed " << seed;
      }
    }
}

TEST(RandomTraces, SameRunTwiceGivesTheSameBytes) {
  for (const char* name : kSchemes) {
    const auto once = [&] {
      return SchemeRun(scheme_of(name), random_workload(7, 2, 4, 150), load_profile("dpc-quarter"))
          .result.stats.dump();
    };
    EXPECT_EQ(once(), once()) << name;
  }
}

TEST(Combined, DataFilterBesideDeduplication) {
  for (const char* name : {"dpc+cmd", "df_man+rc+cmd", "df_trunc+dedup"})
    for (const char* topology : {"noc.topology=0", "noc.topology=1"}) {
      SchemeRun run(scheme_of(name), random_workload(11, 2, 4, 150),
                    load_profile("dpc-quarter", {topology, "l2.sets=1", "l2.ways=2"}));
      EXPECT_TRUE(run.result.clean) << name;
      EXPECT_GT(run.stat("dpc.replies"), 0u);
      EXPECT_GT(run.stat("dedup.writes"), 0u);
    }
}

}  // namespace
}  // namespace warpsieve::tb
