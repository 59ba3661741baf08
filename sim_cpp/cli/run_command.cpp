#include "cli/run_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "cli/input_option.h"
#include "cli/numbers.h"
#include "cli/one_of.h"
#include "cli/table.h"
#include "core/output_file.h"
#include "core/shell.h"
#include "core/spread.h"
#include "cost/timing.h"
#include "memsys/gpu.h"
#include "run/atomic_file.h"
#include "run/interrupt.h"
#include "run/ordered_runs.h"
#include "run/run_json.h"
#include "run/simulate.h"
#include "run/version.h"
#include "schemes/own_machine.h"
#include "schemes/registry.h"
#include "trace/replay.h"
#include "workloads/suites.h"

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;

/// Words of a list, each once, without blanks around commas.
std::vector<std::string> words_of(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    const std::string word = CLI::detail::trim_copy(text);
    if (!word.empty() && std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
  }
  return out;
}

/// Those of --compare and that of --scheme, each once; "cmd+rata" is "rata+cmd".
std::vector<std::string> chosen_schemes(const RunOptions& o) {
  std::vector<std::string> names = words_of(o.compare), out;
  names.push_back(o.scheme);
  std::set<std::vector<std::string>> known;
  for (const std::string& name : names)
    if (known.insert(schemes::scheme_parts(name)).second) out.push_back(name);
  return out;
}

/// --profile, else the machine that the scheme is meant for, which is said where it is not the usual one.
std::string chosen_profile(const RunOptions& o) {
  if (!o.profile.empty()) return o.profile;
  const std::string own = schemes::quarter_profile(schemes::own_profile(o.scheme));
  if (own != kUsualProfile)
    fmt::print(stderr, "machine: {}, which scheme {} is meant for; --profile names another\n", own, o.scheme);
  return own;
}

/// Where a scheme has nothing to do. A trace may have brought its own accesses to private memory.
void say_idle_schemes(const RunOptions& o, const std::vector<std::string>& schemes,
                      const std::vector<workloads::SuiteRun>& runs) {
  if (std::all_of(runs.begin(), runs.end(), [](const auto& run) { return trace::names_trace(run.workload); })) return;
  for (const std::string& scheme : schemes) {
    const memsys::Profile machine = memsys::load_profile(o.profile, schemes::split_settings(o.set).machine);
    if (const std::string why = schemes::idle_reason(scheme, machine); !why.empty())
      fmt::print(stderr, "warpsieve: {}\n", why);
  }
}

/// What --workload or --suite names, each once; a suite may give parameters.
std::vector<workloads::SuiteRun> chosen_runs(const RunOptions& options) {
  if (!options.suite.empty()) {
    if (!options.workloads.empty())
      throw workloads::WorkloadError("run: --suite and --workload exclude each other: give one of them");
    std::vector<workloads::SuiteRun> runs;
    for (workloads::SuiteRun& run : workloads::load_suite(options.suite).runs)
      if (std::none_of(runs.begin(), runs.end(),
                       [&](const auto& other) { return other.workload == run.workload && other.set == run.set; }))
        runs.push_back(std::move(run));
    return runs;
  }
  const std::vector<std::string> names = words_of(options.workloads);
  if (names.empty())
    throw workloads::WorkloadError("run: no workload given: name one with --workload, or see --list");
  std::vector<workloads::SuiteRun> runs;
  for (const std::string& name : names) {
    if (!trace::names_trace(name)) workloads::workload_info(name);
    runs.push_back({name, {}});
  }
  return runs;
}

std::function<void(const memsys::Progress&)> progress_line(const std::string& label) {
  if (!isatty(STDERR_FILENO)) return {};
  return [label](const memsys::Progress& p) {
    fmt::print(stderr, "\r\033[K{}: {} block {}/{}, cycle {}, {} warp instructions", label, p.kernel, p.blocks_done,
               p.blocks, p.cycle, p.warp_instructions);
  };
}

/// Latencies of the scheme's blocks by the rule of cost/timing.h, as assignments; the user's own come after them.
/// Each is shown once.
std::vector<std::string> measured_latencies(const std::string& scheme, const RunOptions& o) {
  static std::set<std::string> shown;
  std::vector<std::string> out;
  const std::uint32_t mhz = memsys::load_profile(o.profile, schemes::split_settings(o.set).machine).dram.core_mhz;
  for (const std::string& part : schemes::scheme_parts(scheme))
    for (const cost::MeasuredLatency& m : cost::measured_latencies(part, mhz)) {
      out.push_back(fmt::format("{}={}", m.parameter, m.value));
      if (shown.insert(part + m.basis).second)
        fmt::print(beside(o.json), "latency of {}: {} = {}, {}\n", part, m.parameter, m.value, m.basis);
    }
  return out;
}

/// Finds a request that no run can serve before the first one starts.
std::vector<run::WaveformRequest> waveform_requests(const RunOptions& o, const std::vector<std::string>& schemes) {
  std::vector<run::WaveformRequest> out;
  const memsys::Profile any_machine;
  for (const std::string& text : o.fst) {
    out.push_back(run::parse_waveform(text));
    if (std::none_of(schemes.begin(), schemes.end(), [&](const std::string& scheme) {
          return !schemes::block_instances(scheme, out.back().block, any_machine).empty();
        }))
      throw ConfigError(fmt::format("--fst '{}': scheme {} has no block '{}'; see --list for the blocks of each",
                                    text, fmt::join(schemes, ", "), out.back().block));
  }
  return out;
}

/// "DIR/bfs.cmd."; a trace gives the name of its file. A suite may run one workload at several sizes: the second is
/// "DIR/bfs.cmd.2.".
std::string waveform_prefix(const std::string& dir, const std::string& workload, const std::string& scheme) {
  static std::map<std::string, unsigned> used;
  const std::string name = trace::names_trace(workload) ? std::filesystem::path(workload).stem().string() : workload;
  std::string prefix = (std::filesystem::path(dir) / fmt::format("{}.{}.", name, scheme)).lexically_normal().string();
  if (const unsigned number = ++used[prefix]; number > 1) prefix += fmt::format("{}.", number);
  return prefix;
}

/// What became of every request: one line each. Throws ConfigError for a window that the run never reached.
std::string describe_waveforms(const run::Simulated& done, const std::vector<run::WaveformRequest>& requests,
                               const std::string& scheme) {
  std::string out;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    bool written = false;
    for (const WrittenWaveform& w : done.waveforms) {
      if (w.window != i) continue;
      written = true;
      out += fmt::format("waveform: {}: {} clock edges in cycles {} to {}\n", w.path, w.edges, w.first, w.last);
    }
    if (written || schemes::block_instances(scheme, requests[i].block, memsys::Profile()).empty()) continue;
    if (done.last_cycle < requests[i].first)
      throw ConfigError(fmt::format("--fst '{}': scheme {}: the run ended in cycle {}, before the window",
                                    requests[i].text, scheme, done.last_cycle));
    out += fmt::format("waveform: {}: no file, the block is idle in all of these cycles\n", requests[i].text);
  }
  return out;
}

run::RunSpec spec_of(const workloads::SuiteRun& run, const std::string& scheme, unsigned repetition,
                     const RunOptions& o, const std::vector<run::WaveformRequest>& waveforms) {
  run::RunSpec spec{run.workload, scheme,   o.profile, o.scale,    o.input, {}, o.set,
                    o.backend,    o.blocks, o.seed,    repetition, {},      {}};
  if (repetition == 0) {
    spec.waveforms = waveforms;
    spec.waveform_prefix = waveform_prefix(o.fst_dir, run.workload, scheme);
  }
  for (const auto& [name, value] : run.set) spec.sizes.push_back(name + "=" + value);
  spec.sizes.insert(spec.sizes.end(), o.sizes.begin(), o.sizes.end());  // the later one counts
  if (o.latency == "measured") {
    const std::vector<std::string> measured = measured_latencies(scheme, o);
    spec.set.insert(spec.set.begin(), measured.begin(), measured.end());
  }
  return spec;
}

/// "+3.1 %"; of several repetitions "+3.1 ±0.4 %", and "~ +0.2 ±0.5 %" when 0 is inside the noise.
std::string change_text(const std::vector<double>& changes) {
  if (changes.empty()) return "";
  const Spread s = spread_of(changes);
  if (changes.size() == 1) return fmt::format("{:+.1f} %", s.mean);
  return fmt::format("{}{:+.1f} ±{:.1f} %", s.inside_noise() ? "~ " : "", s.mean, s.half);
}

ordered_json to_json(const std::vector<double>& values) {
  const Spread s = spread_of(values);
  return {{"mean", s.mean}, {"deviation", s.deviation}, {"half_interval_95", s.half}, {"values", values}};
}

run::Simulated run_here(const run::RunSpec& spec) {
  run::Simulated finished = run::simulate(spec, progress_line(fmt::format("{} {}", spec.workload, spec.scheme)));
  if (isatty(STDERR_FILENO)) fmt::print(stderr, "\r\033[K");
  return finished;
}

/// What `--json` writes: all that a report needs to say where the figures are from. `complete`: every run is there.
std::string results_text(const RunOptions& o, const ordered_json& runs, bool complete) {
  ordered_json json = {{"format", "warpsieve-run-1"},
                       {"version", run::version()},
                       {"command", o.command},
                       {"complete", complete},
                       {"seed", o.seed},
                       {"scale", o.scale},
                       {"input", o.input},
                       {"sizes", o.sizes},
                       {"runs", runs}};
  run::add_digest(json);
  // Names of files may be no UTF-8.
  return json.dump(1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string integrity_word(const memsys::Result& result) {
  const std::string word = !result.clean ? "CORRUPT" : result.verify.empty() ? "clean" : "WRONG RESULT";
  if (!result.stats.contains("values")) return word;
  return fmt::format("{} [values {}]", word, result.stats["values"].get<std::string>());
}

/// What has been run: the table, the JSON, and what is to be said at the end.
class Finished {
 public:
  Finished(const RunOptions& options, const std::vector<std::string>& schemes,
           const std::vector<run::WaveformRequest>& waveforms)
      : options_(options), schemes_(schemes), waveforms_(waveforms), to_(beside(options.json)), json_(options.json) {}

  /// The n-th run: the repetitions of the first scheme of the first workload, then those of the next scheme. Changes
  /// are relative to the same repetition of the first scheme, if it has ended.
  void add(std::size_t n, const run::RunSpec& spec, const run::Simulated& done) {
    const std::size_t pair = n / options_.repeat, scheme = pair % schemes_.size();
    const memsys::Result& r = done.result;
    const auto& kinds = r.stats["off_chip_requests"];
    const auto count = [&](const char* kind) { return kinds.at(kind).get<std::uint64_t>(); };
    const Figures mine{r.stats["ipc"].get<double>(), static_cast<double>(count("total"))};
    figures_[n] = mine;
    Row& row = rows_[pair];
    row.ipc.push_back(mine.ipc);
    row.requests.push_back(mine.requests);
    if (const auto base = figures_.find(n - scheme * options_.repeat); scheme && base != figures_.end()) {
      row.has_base = true;
      if (base->second.ipc != 0) row.ipc_changes.push_back(100.0 * (mine.ipc / base->second.ipc - 1.0));
      if (base->second.requests != 0)
        row.request_changes.push_back(100.0 * (mine.requests / base->second.requests - 1.0));
    }
    if (!r.clean || !r.verify.empty())
      problems_ += fmt::format("{} {}: {} {}\n", spec.workload, schemes_[scheme], r.integrity.dump(), r.verify);
    const std::string word = integrity_word(r);
    if (spec.repetition == 0 || !r.clean || !r.verify.empty()) row.data = word;
    seconds_ += done.cpu_seconds;
    instructions_ += r.warp_instructions;
    if (spec.repetition == 0) {
      peak_ = r.stats["peak_gbytes_per_channel"].get<double>();
      row.start = {spec.workload, schemes_[scheme], fmt::format("{}", r.cycles)};
      row.off_chip = count("total");
      for (const KindColumn& column : kinds_of_columns()) {
        row.kinds.push_back(0);
        for (const char* kind : column.kinds) row.kinds.back() += count(kind);
      }
      if (const auto memory = r.stats.find("private_memory"); memory != r.stats.end() && memory->contains("warning"))
        warnings_.insert(fmt::format("{}: {}", spec.workload, memory->at("warning").get<std::string>()));
      row.run = runs_.size();
      runs_.push_back(r.stats);
      waveform_lines_ += describe_waveforms(done, waveforms_, schemes_[scheme]);
    }
    if (options_.repeat > 1 && row.run < runs_.size()) runs_[row.run]["repeats"] = repeats(row);
    if (!options_.json.empty()) json_.update(results_text(options_, runs_, false));
  }

  /// The table and the JSON of what is finished.
  void show() {
    if (!runs_.empty()) fmt::print(to_, "{}\n", table());
    json_.finish();
  }
  ExitCode conclude() {
    if (!options_.json.empty()) json_.update(results_text(options_, runs_, true));
    show();
    fmt::print(to_, "{}", averages());
    fmt::print(
        to_,
        "off-chip requests in 32 bytes; DRAM peak {:.1f} GB/s per controller; blocks: {}{}{}; {:.0f} simulated warp "
        "instructions per CPU second\n",
        peak_, options_.backend, options_.blocks.empty() ? "" : ", ", fmt::join(options_.blocks, ", "),
        static_cast<double>(instructions_) / std::max(seconds_, 1e-9));
    if (options_.repeat > 1)
      fmt::print(to_,
                 "IPC and changes: means of {} repetitions with 0 to 2 cycles more in noc.latency and dram.latency; "
                 "±: 95 % confidence interval; ~: no change beyond the noise\n",
                 options_.repeat);
    fmt::print(to_, "{}", waveform_lines_);
    if (!options_.json.empty()) fmt::print(to_, "statistics: {}\n", options_.json);
    for (const std::string& warning : warnings_) fmt::print(stderr, "warpsieve: {}\n", warning);
    if (!problems_.empty()) fmt::print(stderr, "{}", problems_);
    return problems_.empty() ? kOk : kWrong;
  }

 private:
  struct Figures {
    double ipc, requests;
  };
  /// The columns after off-chip, which add up to it.
  struct KindColumn {
    const char* title;
    std::vector<const char*> kinds;
    bool always = true;  ///< else only where a run has some: few schemes do
  };
  /// A workload under a scheme, all repetitions; `start`, `off_chip` and `kinds` are of the machine as it is.
  struct Row {
    std::vector<std::string> start;
    std::uint64_t off_chip = 0;
    std::vector<std::uint64_t> kinds;  ///< by KindColumn
    std::string data;
    std::vector<double> ipc, requests, ipc_changes, request_changes;  ///< of the repetitions; changes in %
    bool has_base = false;
    std::size_t run = ~std::size_t{0};  ///< its place in the JSON
    std::string ipc_text() const { return fmt::format("{:.3f}", spread_of(ipc).mean); }
    std::string change(const std::vector<double>& of) const {
      return !has_base ? "" : of.empty() ? "-" : change_text(of);
    }
  };
  static ordered_json repeats(const Row& row) {
    ordered_json out = {
        {"count", row.ipc.size()}, {"ipc", to_json(row.ipc)}, {"off_chip_requests", to_json(row.requests)}};
    if (!row.ipc_changes.empty()) out["ipc_change_percent"] = to_json(row.ipc_changes);
    if (!row.request_changes.empty()) out["off_chip_change_percent"] = to_json(row.request_changes);
    return out;
  }
  static const std::vector<KindColumn>& kinds_of_columns() {
    static const std::vector<KindColumn> all = {
        {"write", {"write"}},           {"data-read", {"data_read"}},
        {"read-only", {"read_only"}},   {"metadata", {"metadata_read", "metadata_write"}},
        {"dedup-read", {"dedup_read"}}, {"verify-read", {"verify_read"}, false}};
    return all;
  }
  /// A line for each further scheme: its IPC over all workloads, relative to the first one's.
  std::string averages() const {
    std::map<std::size_t, std::vector<double>> all;  // IPC ratios, by the scheme's place
    for (const auto& [pair, row] : rows_)
      if (!row.ipc_changes.empty())
        if (const double ratio = 1 + spread_of(row.ipc_changes).mean / 100; ratio > 0)
          all[pair % schemes_.size()].push_back(ratio);
    std::string out;
    for (const auto& [scheme, ratios] : all) {
      if (ratios.size() < 2) continue;
      std::vector<double> sorted = ratios;
      std::sort(sorted.begin(), sorted.end());
      double sum = 0, logarithms = 0;
      for (const double ratio : sorted) sum += ratio, logarithms += std::log(ratio);
      const auto n = static_cast<double>(sorted.size());
      const double median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
      out +=
          fmt::format("IPC of {} relative to {}, {} workloads: mean {:.3f}, geometric mean {:.3f}, median {:.3f}\n",
                      schemes_[scheme], schemes_[0], sorted.size(), sum / n, std::exp(logarithms / n), median);
    }
    return out;
  }
  std::string table() const {
    std::vector<Table::Column> columns = {{"workload", Table::Align::left},
                                          {"scheme", Table::Align::left},
                                          {"cycles"},
                                          {"IPC"},
                                          {"IPC change"},
                                          {"off-chip"},
                                          {"change"}};
    std::vector<std::size_t> shown;
    for (std::size_t i = 0; i < kinds_of_columns().size(); ++i) {
      const KindColumn& column = kinds_of_columns()[i];
      if (!column.always && std::all_of(rows_.begin(), rows_.end(), [i](const auto& r) {
            return i >= r.second.kinds.size() || r.second.kinds[i] == 0;
          }))
        continue;
      shown.push_back(i);
      columns.push_back({column.title});
    }
    columns.push_back({"data", Table::Align::left});
    Table out(columns);
    for (const auto& [pair, row] : rows_) {
      if (row.start.empty()) continue;  // interrupted before the machine as it is was run
      std::vector<std::string> cells = row.start;
      for (std::string text : {row.ipc_text(), row.change(row.ipc_changes), fmt::format("{}", row.off_chip),
                               row.change(row.request_changes)})
        cells.push_back(std::move(text));
      for (const std::size_t i : shown) cells.push_back(fmt::format("{}", row.kinds[i]));
      cells.push_back(row.data);
      out.add(cells);
    }
    return out.text();
  }
  const RunOptions& options_;
  const std::vector<std::string>& schemes_;
  const std::vector<run::WaveformRequest>& waveforms_;
  std::FILE* to_;
  run::GrowingOutput json_;
  std::map<std::size_t, Row> rows_;         ///< by pair of workload and scheme
  std::map<std::size_t, Figures> figures_;  ///< of each run, by its number
  ordered_json runs_ = ordered_json::array();
  std::string problems_, waveform_lines_;
  std::set<std::string> warnings_;  ///< about workloads, whatever the scheme
  double seconds_ = 0, peak_ = 0;
  std::uint64_t instructions_ = 0;
};

struct {
  std::string line;
  Finished* finished = nullptr;
} on_full_disk;  // for the signal handler

/// The writer of waveforms maps its files into memory: on a full disk that ends in a bus error, which this turns into
/// what every other full disk ends in. The fault is the writer's own, in the middle of no other library, so that what
/// is finished can be shown from within the handler.
void catch_full_disk(const std::string& where, Finished& finished) {
  on_full_disk = {fmt::format("warpsieve: {}: cannot write the waveforms: No space left on device\n", where),
                  &finished};
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_RESETHAND;  // any other bus error happens again and ends the program as it would
  action.sa_sigaction = [](int, siginfo_t* info, void*) {
    if (info->si_code != BUS_ADRERR) return;
    try {
      on_full_disk.finished->show();
    } catch (const std::exception&) {  // the JSON may be on the same disk
    }
    std::fflush(stdout);
    [[maybe_unused]] const ssize_t n = write(STDERR_FILENO, on_full_disk.line.data(), on_full_disk.line.size());
    _exit(kBadInput);
  };
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

void declare_run(CLI::App& command, RunOptions& o) {
  command.add_option("-w,--workload", o.workloads, "Workloads, see --list, or trace:FILE")->delimiter(',');
  command.add_option("--suite", o.suite, "Workloads of a paper's suite (built-in name, see --list, or a TOML file)");
  command.add_option("-s,--scheme", o.scheme, "Scheme, see --list; parts are joined by +, as in rata+cmd")
      ->capture_default_str();
  command.add_option("--compare", o.compare, "Schemes to run as well; changes are relative to the first")
      ->delimiter(',');
  command
      .add_option("-p,--profile", o.profile,
                  "Machine: a built-in name or a TOML file (default: the one that --scheme is meant for, at quarter "
                  "size if there "
                  "is one: cmd-quarter for cmd)")
      ->check([](const std::string& name) {
        return name.empty() ? "'': expected the name of a profile or a file, found an empty one" : "";
      });
  command.add_option("--scale", o.scale,
                     fmt::format("Workload size: {} (default: the profile's)", workloads::kScales));
  add_input(command, o.input, o.sizes);
  command.add_option("--size", o.sizes, "Workload parameter name=value (repeatable)");
  command.add_option("--set", o.set, "Machine or scheme parameter name=value (repeatable)");
  command
      .add_option("--latency", o.latency,
                  "Latencies of the schemes' blocks: paper, or measured (path of the synthesized netlist in whole "
                  "clocks; printed); --set goes before both")
      ->check(one_of({"paper", "measured"}))
      ->capture_default_str();
  command.add_option("-b,--backend", o.backend, "Backend of the scheme's blocks: model, rtl or shadow")
      ->capture_default_str();
  command.add_option("--block", o.blocks, "Backend of one block: block=backend or block@mc0=backend (repeatable)");
  command.add_option("--fst", o.fst,
                     "Waveform of a block in a window of cycles: hash_store@mc0:10000-12000 (repeatable); the block "
                     "runs as RTL unless it is shadow");
  command.add_option("--fst-dir", o.fst_dir, "Folder of the waveforms")->capture_default_str();
  command.add_option("--seed", o.seed, "Seed of generated inputs")->transform(whole_number())->capture_default_str();
  command
      .add_option("--repeat", o.repeat,
                  "Runs of each workload under each scheme, with a cycle or two more in the latencies of network and "
                  "DRAM: changes get a mean and a 95 % confidence interval")
      ->transform(whole_number(1, run::kRepetitions))
      ->capture_default_str();
  command.add_option("-j,--jobs", o.jobs, "Simulations at a time, which changes no result; with --fst one at a time")
      ->transform(whole_number(1, 1024))
      ->capture_default_str();
  command
      .add_option(
          "--json", o.json,
          "Write all statistics to this file; with /dev/stdout the table goes to standard error. With --list: "
          "the list as JSON, to standard output without a file")
      ->expected(0, 1);
  command
      .add_option("--list", o.listed,
                  "List workloads, schemes, profiles and every parameter; with a name: this workload alone")
      ->expected(0, 1);
}

std::string results_command(const CLI::App& command) {
  static const std::set<std::string> changes_nothing = {"json", "jobs", "backend", "block", "fst", "fst-dir"};
  std::string out = "warpsieve run";
  std::set<const CLI::Option*> said;
  for (const CLI::Option* option : command.parse_order()) {
    const std::string& name = option->get_lnames().front();
    if (changes_nothing.contains(name) || !said.insert(option).second) continue;
    std::vector<std::string> values = option->results();
    if (const char between = option->get_delimiter())
      values = {fmt::format("{}", fmt::join(values, std::string(1, between)))};
    for (const std::string& value : values)
      out += fmt::format(" --{}{}{}", name, value.starts_with('-') ? "=" : " ", shell_quoted(value));
  }
  return out;
}

ExitCode run(const RunOptions& given) {
  RunOptions options = given;
  if (options.asks_for_json && options.json.empty())
    throw ConfigError("--json: expected the name of a file (only with --list it may stand alone)");
  const std::vector<workloads::SuiteRun> chosen = chosen_runs(options);
  const std::vector<std::string> schemes = chosen_schemes(options);
  options.profile = chosen_profile(options);
  if (!options.json.empty()) {
    std::vector<std::string> inputs = {options.input, options.profile, options.suite};
    for (const workloads::SuiteRun& run : chosen)
      if (trace::names_trace(run.workload)) inputs.push_back(trace::trace_path(run.workload));
    check_not_input(options.json, inputs);
    run::check_writable(options.json);
  }
  const std::vector<run::WaveformRequest> waveforms = waveform_requests(options, schemes);
  const char* const whole = std::getenv("WARPSIEVE_FST");
  const bool dumps = !waveforms.empty() || (whole && *whole);
  std::vector<run::RunSpec> specs;
  for (const workloads::SuiteRun& run : chosen)
    for (const std::string& scheme : schemes)
      for (unsigned repetition = 0; repetition < options.repeat; ++repetition) {
        specs.push_back(spec_of(run, scheme, repetition, options, waveforms));
        // What the last run would refuse is known before the first one starts.
        if (repetition == 0) run::check(specs.back());
      }
  say_idle_schemes(options, schemes, chosen);
  Finished finished(options, schemes, waveforms);
  if (dumps) catch_full_disk(waveforms.empty() ? whole : options.fst_dir, finished);
  std::optional<run::OrderedRuns> others;
  if (options.jobs > 1 && !dumps) others.emplace(specs, options.jobs);
  try {
    for (std::size_t n = 0; n < specs.size(); ++n)
      finished.add(n, specs[n], others ? others->next() : run_here(specs[n]));
  } catch (...) {
    // Whatever fails later, what is finished is shown.
    if (others && run::interrupt_signal())
      for (const auto& [n, done] : others->finished()) finished.add(n, specs[n], done);
    finished.show();
    throw;
  }
  return finished.conclude();
}

}  // namespace warpsieve::cli
