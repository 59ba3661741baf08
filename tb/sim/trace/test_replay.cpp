// A trace stands for its workload: every statistic of a simulation is the same.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "memsys/gpu.h"
#include "schemes/registry.h"
#include "sim/memsys/random_traces.h"
#include "support.h"
#include "trace/replay.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

/// All that a simulation reports, without the name of the workload.
std::string statistics(simt::Workload& workload, const std::string& scheme, const std::string& profile,
                       const std::vector<std::string>& overrides = {}) {
  const memsys::Profile machine = memsys::load_profile(profile, overrides);
  schemes::SchemeOptions options;
  options.machine = &machine;
  const auto s = schemes::make_scheme(scheme, options);
  memsys::Result result = memsys::Gpu(machine, *s, workload).run();
  EXPECT_TRUE(result.clean) << result.integrity.dump();
  EXPECT_EQ(result.verify, "");
  result.stats.erase("workload");
  return result.stats.dump(1);
}

trace::ProgramInfo named(const std::string& workload) {
  trace::ProgramInfo info;
  info.workload = workload;
  return info;
}

std::unique_ptr<simt::Workload> small(const std::string& name) {
  return workloads::make_workload(name, {.scale = workloads::Scale::small});
}

void expect_same(const std::string& name, const std::vector<std::pair<std::string, std::string>>& machines) {
  const Scratch folder;
  const std::string path = folder.path(name);
  trace::record(*small(name), path, named(name));
  for (const auto& [scheme, profile] : machines) {
    trace::TraceWorkload replay(path);
    EXPECT_EQ(replay.name(), "trace:" + name);
    EXPECT_EQ(statistics(*small(name), scheme, profile), statistics(replay, scheme, profile))
        << name << ' ' << scheme << ' ' << profile;
  }
}

TEST(TraceReplay, EveryWorkloadGivesTheSameStatistics) {
  for (const auto& info : workloads::workload_list()) expect_same(info.name, {{"cmd", "cmd-quarter"}});
}

TEST(TraceReplay, TheSchemesGiveTheSameStatistics) {
  for (const char* name : {"bfs", "pagerank"})
    expect_same(name, {{"baseline", "cmd-quarter"}, {"rata", "rata-quarter"}, {"rata+cmd", "rata-quarter"}});
}

TEST(TraceReplay, UnitsAndPassesGiveTheSameStatistics) {
  const std::vector<std::string> machine = {"sm.fp_latency=7",  "sm.fp_interval=2", "sm.int_interval=2",
                                            "sm.dp_interval=8", "sm.dp_latency=40", "sm.shared_interval=2",
                                            "sm.sfu_interval=8"};
  const Scratch folder;
  for (const char* name : {"lavamd", "lud", "gemm"}) {
    const std::string path = folder.path(name);
    trace::record(*small(name), path, named(name));
    trace::TraceWorkload replay(path);
    const std::string with = statistics(replay, "baseline", "cmd-quarter", machine);
    EXPECT_EQ(statistics(*small(name), "baseline", "cmd-quarter", machine), with) << name;
    EXPECT_NE(statistics(*small(name), "baseline", "cmd-quarter"), with) << name;
  }
}

TEST(TraceReplay, HandMadeProgramsWithAtomicsAndHostWrites) {
  const Scratch folder;
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const auto make = [&] {
      ToyWorkload w(kRandomBytes);
      random_traces(w, {3, 3, 3, 60}, seed);
      return w;
    };
    ToyWorkload original = make(), again = make();
    trace::record(original, folder.path("t"), named("toy"));
    trace::TraceWorkload replay(folder.path("t"));
    EXPECT_EQ(statistics(again, "baseline", "cmd-quarter"), statistics(replay, "baseline", "cmd-quarter"));
  }
}

TEST(TraceReplay, ADamagedFileIsRefusedBeforeTheSimulation) {
  const Scratch folder;
  const std::string path = folder.path("t");
  trace::record(*small("vecadd"), path, named("vecadd"));
  std::string bytes = read_file(path);
  bytes[bytes.size() - 60] = static_cast<char>(bytes[bytes.size() - 60] ^ 4);
  write_bytes(path, bytes);
  EXPECT_THROW(trace::TraceWorkload{path}, trace::TraceError);
}

TEST(TraceReplay, AWrongFinalImageInTheTraceIsSeen) {
  const Scratch folder;
  const std::string path = folder.path("t"), bad = folder.path("bad");
  trace::record(*small("vecadd"), path, named("vecadd"));
  {
    trace::BlockReader in(path);
    trace::BlockWriter out(bad);
    trace::Block b;
    do {
      in.next(b);
      if (b.section == trace::Section::change) b.columns[1].planes[77] ^= 1;
      out.write(b.section, b.columns);
    } while (b.section != trace::Section::end);
    out.finish();
  }
  trace::TraceWorkload replay(bad);
  const memsys::Profile machine = memsys::load_profile("cmd-quarter");
  const auto scheme = schemes::make_scheme("baseline", {});
  EXPECT_FALSE(memsys::Gpu(machine, *scheme, replay).run().clean);
}

/// Gives a wrong result on purpose.
class WrongToy final : public simt::Workload {
 public:
  const std::string& name() const override { return toy_.name(); }
  void setup() override { toy_.setup(); }
  simt::Addr base() const override { return toy_.base(); }
  std::span<const std::uint8_t> image() const override { return toy_.image(); }
  std::unique_ptr<simt::Launch> next_launch() override { return toy_.next_launch(); }
  std::vector<simt::HostWrite> take_host_writes() override { return toy_.take_host_writes(); }
  std::string verify() override { return "word 3 is wrong"; }
  std::vector<std::pair<simt::Addr, std::uint64_t>> order_dependent() const override { return {}; }

 private:
  ToyWorkload toy_{kRandomBytes};
};

TEST(TraceReplay, AWrongResultDoesNotBecomeATrace) {
  const Scratch folder;
  WrongToy wrong;
  try {
    trace::record(wrong, folder.path("t"), named("toy"));
    FAIL() << "recorded";
  } catch (const trace::TraceError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("toy gives a wrong result: word 3 is wrong"));
  }
  EXPECT_EQ(files_in(folder), 0u);
}

}  // namespace
}  // namespace warpsieve::tb
