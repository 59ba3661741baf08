#include "cli/bench_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "cli/bench_threads.h"
#include "cli/measure.h"
#include "cli/table.h"
#include "core/output_file.h"
#include "core/params.h"
#include "inputs/random.h"
#include "memsys/dram/replay.h"
#include "run/atomic_file.h"
#include "run/simulate.h"
#include "run/version.h"
#include "workloads/registry.h"

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;

struct BenchRow {
  std::string name, unit;
  double value = 0, goal = 0;
  bool at_least = true;  ///< the goal; false: at most
  ordered_json detail;
  bool reached() const { return at_least ? value >= goal : value <= goal; }
};

/// `count` accesses of 32 bytes to the first 2^25 sectors of a channel, `gap` command cycles apart (0: as fast as the
/// queues take them).
std::vector<memsys::DramAccess> accesses(std::size_t count, bool random, std::uint64_t gap) {
  inputs::Random draw(1);
  std::vector<memsys::DramAccess> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t sector = random ? draw.below(1u << 25) : i & ((1u << 25) - 1);
    out[i] = {i * gap, sector * memsys::kSectorBytes, false};
  }
  return out;
}

Measured replay(const std::vector<memsys::DramAccess>& list) {
  return measure_apart([&] {
    const memsys::DramParams params = memsys::load_profile("cmd-gddr6").dram;
    Measured m;
    const Meter meter;
    const memsys::DramReplay r = memsys::replay(params, list, nullptr);
    meter.read(m);
    m.items = r.reads;
    return m;
  });
}

BenchRow dram_row(const char* name, bool random, double goal, bool quick) {
  const Measured m = replay(accesses(quick ? 20'000 : 2'000'000, random, 0));
  return {name, "requests/s", static_cast<double>(m.items) / m.cpu_seconds, goal, true, m.json()};
}

/// The same requests, 10^5 and 10^7 command cycles apart: what the idle cycles in between cost.
BenchRow idle_row(bool quick) {
  const std::size_t n = quick ? 5'000 : 500'000;
  const Measured close = replay(accesses(n, true, 100'000)), far = replay(accesses(n, true, 10'000'000));
  return {"dram_idle",
          "x CPU time for 100 x idle time",
          far.cpu_seconds / close.cpu_seconds,
          1.25,
          false,
          {{"close", close.json()}, {"far", far.json()}}};
}

Measured simulated(const run::RunSpec& spec) {
  return measure_apart([&] {
    Measured m;
    const Meter meter;
    const run::Simulated done = run::simulate(spec);
    meter.read(m);
    m.cpu_seconds = done.cpu_seconds;
    m.wall_seconds = done.wall_seconds;
    m.shared = done.shared;
    m.items = done.result.warp_instructions;
    m.requests = done.result.stats["off_chip_requests"]["total"].get<std::uint64_t>();
    m.wrong = !done.result.clean || !done.result.verify.empty();
    return m;
  });
}

run::RunSpec spec_of(const std::string& workload, std::vector<std::string> sizes) {
  run::RunSpec spec;
  spec.workload = workload;
  spec.scheme = "cmd";
  spec.profile = "cmd";
  spec.sizes = std::move(sizes);
  return spec;
}

BenchRow speed_row(const char* name, const run::RunSpec& spec, double goal) {
  const Measured m = simulated(spec);
  return {name, "warp instructions/s", static_cast<double>(m.items) / m.cpu_seconds, goal, true, m.json()};
}

/// The same kernel n and 8 n times: CPU time per off-chip request.
BenchRow growth_row(bool quick) {
  const std::string elements = quick ? "elements=4096" : "elements=524288";
  const auto measured = [&](const char* repeats) {
    run::RunSpec spec = spec_of("vecadd", {elements, repeats});
    spec.set.emplace_back("gpu.image_in_l2=0");  // or the smaller run might make no request
    return simulated(spec);
  };
  const Measured once = measured("repeats=1"), more = measured("repeats=8");
  const auto cost = [](const Measured& m) { return m.cpu_seconds / static_cast<double>(m.requests); };
  return {"growth",
          "x CPU time per request at 8 n",
          cost(more) / cost(once),
          1.25,
          false,
          {{"n", once.json()}, {"8n", more.json()}, {"wrong", once.wrong || more.wrong}}};
}

/// The workload with the largest memory image at full size.
std::string largest_workload() {
  std::string best;
  std::size_t most = 0;
  for (const auto& info : workloads::workload_list()) {
    const auto program = workloads::make_workload(info.name);
    program->setup();
    if (program->image().size() <= most) continue;
    most = program->image().size();
    best = info.name;
  }
  return best;
}

BenchRow memory_row(bool quick) {
  run::RunSpec spec = spec_of(quick ? "bfs" : largest_workload(), {});
  if (quick) spec.scale = "small";
  const Measured m = simulated(spec);
  return {"memory of " + spec.workload, "GB at most", m.peak_bytes / 1e9, 2.0, false, m.json()};
}

/// Wall time of a run with one thread by that with two: the median of several turns, in each of which all numbers of
/// threads run once.
BenchRow threads_row(const char* name, run::RunSpec spec, double goal, bool quick) {
  std::vector<ThreadRuns> turns(quick ? 1 : kThreadTurns);
  for (ThreadRuns& turn : turns) {
    for (const unsigned threads : thread_counts()) {
      spec.threads = threads;
      turn.emplace_back(threads, simulated(spec));
    }
  }
  return {name, "x wall time, 2 threads", median_speed_up(turns), goal, true, threads_detail(turns)};
}

std::string figure(double value) {
  return value >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.2f}", value);
}

/// By name, in the order in which they are taken.
std::vector<std::pair<std::string, std::function<BenchRow()>>> measurements(bool quick) {
  run::RunSpec rtl = spec_of("vecadd", quick ? std::vector<std::string>{"elements=2048", "repeats=1"}
                                             : std::vector<std::string>{"elements=262144", "repeats=4"});
  rtl.backend = "rtl";
  const auto vecadd = [quick] { return quick ? spec_of("vecadd", {"elements=4096"}) : spec_of("vecadd", {}); };
  const auto gather = [quick] { return quick ? spec_of("gather", {"threads=1024"}) : spec_of("gather", {}); };
  const auto kmeans = [quick] {
    run::RunSpec spec = spec_of("kmeans", {});
    if (quick) spec.scale = "small";
    return spec;
  };
  const auto with_rtl = [](run::RunSpec spec) {
    spec.backend = "rtl";
    return spec;
  };
  return {
      {"memory", [quick] { return memory_row(quick); }},  // first: a child starts with what its parent has
      {"dram_streaming", [quick] { return dram_row("dram_streaming", false, 3e6, quick); }},
      {"dram_random", [quick] { return dram_row("dram_random", true, 1e6, quick); }},
      {"dram_idle", [quick] { return idle_row(quick); }},
      {"vecadd", [=] { return speed_row("vecadd", vecadd(), 600e3); }},
      {"gather", [=] { return speed_row("gather", gather(), 150e3); }},
      {"vecadd_rtl", [=] { return speed_row("vecadd_rtl", rtl, 80e3); }},
      {"growth", [quick] { return growth_row(quick); }},
      {"threads vecadd", [=] { return threads_row("threads vecadd", vecadd(), 1.7, quick); }},
      {"threads gather", [=] { return threads_row("threads gather", gather(), 1.7, quick); }},
      {"threads kmeans", [=] { return threads_row("threads kmeans", kmeans(), 1.7, quick); }},
      {"threads vecadd_rtl", [=] { return threads_row("threads vecadd_rtl", with_rtl(vecadd()), 1.8, quick); }},
      {"threads gather_rtl", [=] { return threads_row("threads gather_rtl", with_rtl(gather()), 1.8, quick); }},
      {"threads kmeans_rtl", [=] { return threads_row("threads kmeans_rtl", with_rtl(kmeans()), 1.8, quick); }},
  };
}

}  // namespace

void declare_bench(CLI::App& command, BenchOptions& o) {
  command.add_option("--only", o.only, "Only the measurements whose name contains this");
  command.add_flag("--quick", o.quick, "Short runs: that everything works; the figures mean little");
  command.add_option("--json", o.json, "Write the figures and what is behind them to this file");
}

std::vector<std::string> bench_measurements() {
  std::vector<std::string> names;
  for (const auto& [name, run] : measurements(true)) names.push_back(name);
  return names;
}

ExitCode bench(const BenchOptions& options) {
  if (!options.json.empty()) run::check_writable(options.json);
  run::GrowingOutput file(options.json);
  std::FILE* const to = beside(options.json);
  const bool quick = options.quick;
  const auto all = measurements(quick);
  const std::vector<std::string> names = bench_measurements();
  if (std::none_of(names.begin(), names.end(), [&](const auto& n) { return n.find(options.only) != n.npos; }))
    throw ConfigError(fmt::format("bench: no measurement's name contains '{}': expected a part of {}", options.only,
                                  fmt::join(names, ", ")));
  Table table({{"measurement", Table::Align::left},
               {"measured"},
               {"goal"},
               {"unit", Table::Align::left},
               {"reached", Table::Align::left},
               {"host instructions per item"}});
  ordered_json rows = ordered_json::array();
  bool wrong = false;
  const auto measure = [&](const std::function<BenchRow()>& run) {
    try {
      return run();
    } catch (...) {  // whatever fails later, what is finished is shown
      if (!rows.empty()) fmt::print(to, "{}\n", table.text());
      file.finish();
      throw;
    }
  };
  for (const auto& [name, run] : all) {
    if (name.find(options.only) == std::string::npos) continue;
    const BenchRow row = measure(run);
    const ordered_json& instructions =
        row.detail.contains("host_instructions_per_item") ? row.detail["host_instructions_per_item"] : ordered_json();
    table.add({row.name, figure(row.value), figure(row.goal), row.unit, row.reached() ? "yes" : "no",
               instructions.is_number() ? figure(instructions.get<double>()) : "-"});
    rows.push_back({{"name", row.name},
                    {"value", row.value},
                    {"unit", row.unit},
                    {"goal", row.goal},
                    {"reached", row.reached()},
                    {"detail", row.detail}});
    wrong = wrong || row.detail.value("wrong", false);
    const ordered_json json = {
        {"format", "warpsieve-bench-1"}, {"version", run::version()}, {"quick", quick}, {"rows", rows}};
    file.update(json.dump(1) + "\n");
  }
  file.finish();
  fmt::print(to,
             "{}\nrates per second of CPU time, threads by wall time; cmd scheme on the cmd profile (80 SMs, 8 "
             "controllers), all checks on{}\n",
             table.text(),
             host_counts_instructions() ? "" : "; this host has no instruction counter (perf_event_open)");
  return wrong ? kWrong : kOk;
}

}  // namespace warpsieve::cli
