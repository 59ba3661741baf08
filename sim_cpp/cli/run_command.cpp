#include "cli/run_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "cli/input_option.h"
#include "cli/numbers.h"
#include "cli/one_of.h"
#include "cli/run_results.h"
#include "cli/terminal_options.h"
#include "core/output_file.h"
#include "core/shell.h"
#include "cost/timing.h"
#include "memsys/gpu.h"
#include "run/atomic_file.h"
#include "run/interrupt.h"
#include "run/ordered_runs.h"
#include "run/progress.h"
#include "run/simulate.h"
#include "schemes/own_machine.h"
#include "schemes/registry.h"
#include "trace/replay.h"
#include "workloads/suites.h"

namespace warpsieve::cli {

namespace {

/// Words of a list, each once, without blanks around commas.
std::vector<std::string> words_of(const std::vector<std::string>& given) {
  std::vector<std::string> out;
  for (const std::string& text : given) {
    const std::string word = CLI::detail::trim_copy(text);
    if (!word.empty() && std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
  }
  return out;
}

template <class List>
bool has_name(const List& list, const std::string& name) {
  return std::any_of(list.begin(), list.end(), [&](const auto& info) { return info.name == name; });
}

/// Those of --compare and that of --scheme, each once; "cmd+rata" is "rata+cmd".
std::vector<std::string> chosen_schemes(const RunOptions& o) {
  std::vector<std::string> names = words_of(o.compare), out;
  names.push_back(o.scheme);
  std::set<std::vector<std::string>> known;
  for (const std::string& name : names) {
    if (!has_name(schemes::scheme_list(), name) && has_name(workloads::workload_list(), name))
      throw ConfigError(fmt::format("'{0}' is a workload, not a scheme: type --workload {0}", name));
    if (known.insert(schemes::scheme_parts(name)).second) out.push_back(name);
  }
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
    if (!has_name(workloads::workload_list(), name) && has_name(schemes::scheme_list(), name))
      throw workloads::WorkloadError(fmt::format("'{0}' is a scheme, not a workload: type --scheme {0}", name));
    if (!trace::names_trace(name)) workloads::workload_info(name);
    runs.push_back({name, {}});
  }
  return runs;
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

run::RunSpec spec_of(const workloads::SuiteRun& run, const std::string& scheme, unsigned repetition,
                     const RunOptions& o, const std::vector<run::WaveformRequest>& waveforms) {
  run::RunSpec spec{run.workload, scheme,   o.profile, o.scale,    o.input, {}, o.set,
                    o.backend,    o.blocks, o.seed,    repetition, {},      {}, o.threads};
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

/// What --workload names; runs of one workload with other sizes are other groups.
std::string group_of(const run::RunSpec& spec) {
  return fmt::format("{} {}", spec.workload, fmt::join(spec.sizes, " "));
}

/// All runs, in their order, with their progress on standard error.
void run_all(const std::vector<run::RunSpec>& specs, unsigned jobs, bool quiet, RunResults& finished) {
  std::vector<std::string> groups;
  for (const run::RunSpec& spec : specs) groups.push_back(group_of(spec));
  run::RunEstimate estimate(std::move(groups), jobs);
  run::ProgressLine line(run::progress_output(STDERR_FILENO, quiet), "run");
  const auto show = [&](const run::RunSpec* spec, const memsys::Progress& p) {
    if (!line.due()) return;
    run::HowFar far = estimate.now(run::steady_seconds());
    if (spec)
      far.what +=
          fmt::format(", {} {}: {} block {}/{}", spec->workload, spec->scheme, p.kernel, p.blocks_done, p.blocks);
    line.show(far);
  };
  std::optional<run::OrderedRuns> others;
  if (jobs > 1) {
    others.emplace(specs, jobs);
    others->watch(
        [&](std::size_t n, bool ended) {
          if (ended)
            estimate.finish(n, run::steady_seconds(), 0);
          else
            estimate.start(n, run::steady_seconds());
        },
        [&] { show(nullptr, {}); });
  }
  try {
    for (std::size_t n = 0; n < specs.size(); ++n) {
      const run::RunSpec& spec = specs[n];
      if (!others) estimate.start(n, run::steady_seconds());
      const run::Simulated done = others ? others->next() : run::simulate(spec, [&](const memsys::Progress& p) {
        estimate.reach(n, p.warp_instructions);
        show(&spec, p);
      });
      if (!others) estimate.finish(n, run::steady_seconds(), done.result.warp_instructions);
      line.clear();
      finished.add(n, spec, done);
    }
  } catch (...) {
    // Whatever fails later, what is finished is shown.
    line.clear();
    if (others && run::interrupt_signal())
      for (const auto& [n, done] : others->finished()) finished.add(n, specs[n], done);
    finished.show();
    throw;
  }
}

struct {
  std::string line;
  RunResults* finished = nullptr;
} on_full_disk;  // for the signal handler

/// The writer of waveforms maps its files into memory: on a full disk that ends in a bus error, which this turns into
/// what every other full disk ends in. The fault is the writer's own, in the middle of no other library, so that what
/// is finished can be shown from within the handler.
void catch_full_disk(const std::string& where, RunResults& finished) {
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
    [[maybe_unused]] const ssize_t n = ::write(STDERR_FILENO, on_full_disk.line.data(), on_full_disk.line.size());
    _exit(kBadInput);
  };
  sigaction(SIGBUS, &action, nullptr);
}

}  // namespace

void declare_run(CLI::App& command, RunOptions& o) {
  command.add_option("-w,--workload", o.workloads, "Workloads, see --list, or trace:FILE")->delimiter(',');
  command.add_option("--suite", o.suite, "Workloads of a paper's suite (built-in name, see --list, or a TOML file)");
  command.add_option("-s,--scheme", o.scheme, "Scheme, see --list; parts are joined by +, as in rata+cmd")
      ->check([](const std::string& name) {
        return name.empty() ? "'': expected the name of a scheme, found an empty one" : "";
      })
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
      .add_option("--threads", o.threads,
                  "Threads of one simulation, at most, which changes no result; with --fst one")
      ->transform(whole_number(1, run::kMostThreads))
      ->capture_default_str();
  command
      .add_option(
          "--json", o.json,
          "Write all statistics to this file; with /dev/stdout the table goes to standard error. With --list: "
          "the list as JSON, to standard output without a file")
      ->expected(0, 1);
  command
      .add_option("--list", o.listed,
                  "List workloads, schemes, profiles and every parameter; with a name: this workload or scheme alone")
      ->expected(0, 1);
  command.add_flag("--wide", o.wide, "All columns of the table, however wide the terminal is");
  command.add_flag("--explain", o.explain,
                   "Unit, better direction and meaning of each column; without a workload these alone");
  add_colour(command, o.colour);
  add_quiet(command, o.quiet);
}

std::string results_command(const CLI::App& command) {
  static const std::set<std::string> changes_nothing = {"json",    "jobs", "threads", "backend", "block", "fst",
                                                        "fst-dir", "wide", "color",   "explain", "quiet"};
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
  if (options.explain && options.workloads.empty() && options.suite.empty()) {
    fmt::print("{}", explained_columns());
    return kOk;
  }
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
  RunResults finished(options, schemes, waveforms);
  if (dumps) catch_full_disk(waveforms.empty() ? whole : options.fst_dir, finished);
  run_all(specs, dumps ? 1 : options.jobs, options.quiet, finished);
  return finished.conclude();
}

}  // namespace warpsieve::cli
