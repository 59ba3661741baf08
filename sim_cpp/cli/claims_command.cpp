#include "cli/claims_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "claims/estimate.h"
#include "claims/evaluate.h"
#include "claims/finished_run.h"
#include "cli/claims_table.h"
#include "cli/energy_command.h"
#include "cli/json_output.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/terminal_options.h"
#include "core/params.h"
#include "cost/cacti/query.h"
#include "cost/energy.h"
#include "run/atomic_file.h"
#include "run/interrupt.h"
#include "run/run_json.h"
#include "run/version.h"
#include "sweep/pool.h"
#include "sweep/progress.h"
#include "sweep/store.h"
#include "workloads/registry.h"

namespace warpsieve::cli {

namespace {

using claims::Row;
using nlohmann::ordered_json;
using sweep::State;

constexpr std::uint32_t kNodeNm = 16;  // of the papers' energies

/// A built-in sweep of a paper and its directory.
struct PlannedSweep {
  sweep::Sweep points;
  sweep::Store store;
};

std::vector<PlannedSweep> planned(const std::string& paper, const SimulatedClaimsOptions& o) {
  std::vector<PlannedSweep> out;
  for (claims::ClaimSweep builtin : claims::claim_sweeps(paper)) {
    if (!o.scale.empty()) builtin = claims::at_scale(builtin, o.scale);
    if (o.repeat > 1) builtin = claims::repeated(builtin, o.repeat);
    out.push_back(
        {sweep::parse_sweep(builtin.text, builtin.file), sweep::Store(o.run + "/" + builtin.name + ".sweep")});
  }
  return out;
}

/// Says how much is left of all sweeps together, where there is anything.
void say_estimate(const std::vector<std::pair<std::string, std::vector<PlannedSweep>>>& papers,
                  const SimulatedClaimsOptions& o) {
  if (o.quiet) return;
  for (const auto& [paper, sweeps] : papers) {
    claims::Estimate all;
    std::size_t points = 0;
    for (const PlannedSweep& planned : sweeps) {
      const claims::Estimate e = claims::estimate(planned.store, planned.points);
      all.seconds.insert(all.seconds.end(), e.seconds.begin(), e.seconds.end());
      all.total += e.total;
      all.unknown += e.unknown;
      points += planned.points.points.size();
    }
    if (!all.seconds.empty())
      fmt::print(stderr, "warpsieve: claims of {}: {} of {} points to simulate, {}\n", paper, all.seconds.size(),
                 points, claims::describe(all, o.slurm.use ? 0 : o.jobs));
  }
}

/// Runs what the sweep has not finished.
void finish(const PlannedSweep& planned, const SimulatedClaimsOptions& o) {
  const sweep::Sweep& points = planned.points;
  planned.store.create(points);
  const auto states = planned.store.states(points);
  const auto in = [&](State s) { return static_cast<std::size_t>(std::count(states.begin(), states.end(), s)); };
  sweep::ProgressBar bar(run::progress_output(STDERR_FILENO, o.quiet), points.name, points.points.size(),
                         in(State::done) + in(State::failed));
  bar.expect(claims::estimate(planned.store, points).seconds);
  bar.say(fmt::format("{}: {} points, {} done; results in {}", points.name, points.points.size(), in(State::done),
                      planned.store.directory()));
  const bool interrupted = o.slurm.use ? run_on_slurm(planned.store, points, o.slurm, bar).interrupted
                                       : sweep::run_points(planned.store, points.points, o.jobs, bar).interrupted;
  if (interrupted) throw run::Interrupted("interrupted");
}

/// --finished: refuses the results of another sweep.
void check_same(const PlannedSweep& planned) {
  if (planned.store.load().text != planned.points.text)
    throw ConfigError(fmt::format("{}: has not the sweep '{}' of today at this --scale and --repeat: expected it",
                                  planned.store.directory(), planned.points.name));
}

struct Loaded {
  std::size_t failed = 0, missing = 0, again = 0;
  std::string version;       ///< of the program that simulated a sweep
  claims::ResultsHead head;  ///< of a results file
};

/// Adds every finished point of a sweep.
Loaded load_sweep(const std::string& directory, const claims::RuleSet& rules, claims::RunSet& runs) {
  const sweep::Store store(directory);
  const sweep::Sweep points = store.load();
  const sweep::Times times = store.times();
  Loaded loaded;
  loaded.version = points.version;
  for (const sweep::Point& point : points.points) {
    const State state = store.state(point);
    loaded.failed += state == State::failed;
    loaded.missing += state == State::missing || state == State::running;
    if (state != State::done) continue;
    const ordered_json run = store.result(point);
    try {
      if (!point.spec.scale.empty()) runs.is_scale(point.spec.scale);
      loaded.again += !runs.add(run, claims::given_by(point.spec, rules));
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{}: {}", directory, error.what()));
    }
  }
  for (claims::RunEntry& entry : runs.entries())
    if (entry.seconds == 0) entry.seconds = times.of_group(entry.workload + " " + entry.scheme).value_or(0);
  return loaded;
}

/// Adds the runs of a file of `run --json`; `names` are the statistics to keep.
Loaded load_runs(const std::string& text, const std::string& path, const claims::RuleSet& rules,
                 const std::vector<std::string>& names, claims::RunSet& runs) {
  ordered_json file = run::parse_runs(text, path, ", a sweep's directory or a results file");
  run::RunSpec spec;
  spec.input = run::text_field(file, path, "input");
  spec.seed = run::whole_field(file, path, "seed", 1);
  if (const auto sizes = file.find("sizes"); sizes != file.end() && sizes->is_array())
    for (const ordered_json& size : *sizes)
      if (size.is_string()) spec.sizes.push_back(size.get<std::string>());
  std::vector<ordered_json*> together;
  for (ordered_json& run : file["runs"]) together.push_back(&run);
  run::tell_apart(together);
  if (const std::string scale = run::text_field(file, path, "scale"); !scale.empty()) runs.is_scale(scale);
  std::vector<claims::FinishedRun> finished;
  for (const ordered_json& run : file["runs"]) {
    finished.push_back({&run, spec});
    finished.back().spec.workload = run.at("workload").get<std::string>();
  }
  Loaded loaded;
  std::size_t n = 0;
  for (claims::RunEntry& entry : claims::entries_of(finished, rules, names, runs.cacti()))
    loaded.again += !runs.add(finished[n++].run->at("profile").get<std::string>(), std::move(entry));
  return loaded;
}

bool is_results_file(const std::string& text) {
  return std::string_view(text).substr(0, 100).find(claims::kResultsFormat) != std::string_view::npos;
}

/// Everything behind the rows of one paper.
struct Paper {
  claims::RuleSet rules;
  claims::RunSet runs;
  std::string version, command;
  std::set<std::string> programs;     ///< that simulated the sweeps: versions
  std::set<std::string> cost_models;  ///< behind the energies
};

/// The parts of "A, B".
void insert_each(std::set<std::string>& into, const std::string& joined) {
  for (const auto part : std::views::split(joined, std::string_view(", "))) into.emplace(part.begin(), part.end());
}

/// `scale`: empty for quarter-scale machines.
std::string canonical_command(const std::string& paper, const std::string& scale, unsigned repeat) {
  return fmt::format("warpsieve claims --paper {} --run results/{}{} --repeat {}", paper, paper,
                     scale.empty() ? "" : " --scale " + scale, repeat);
}

/// Of all runs together. Energies of sweeps are this program's, the other statistics of the program that simulated.
void save(const Paper& paper, const Loaded& all, const SimulatedClaimsOptions& o) {
  if (all.failed || all.missing)
    throw ConfigError(fmt::format("{}: not written: {} points failed, {} are not finished: expected none", o.save,
                                  all.failed, all.missing));
  if (o.results.empty() && paper.programs.size() > 1)
    throw ConfigError(fmt::format("{}: not written: the sweeps are of the programs {}: expected one", o.save,
                                  fmt::join(paper.programs, ", ")));
  claims::ResultsHead head;
  head.paper = paper.rules.paper;
  head.profile = paper.runs.profile();
  head.scale = paper.runs.scale();
  head.repeat = o.run.empty() ? paper.runs.least_repetitions() : o.repeat;
  head.version = fmt::format("{}", fmt::join(paper.programs, ", "));
  head.cost_model = fmt::format("{}", fmt::join(paper.cost_models, ", "));
  head.command =
      canonical_command(head.paper, o.run.empty() && head.scale != "quarter" ? head.scale : o.scale, head.repeat);
  run::write_atomically(o.save, claims::results_text(head, paper.runs));
}

ordered_json to_json(const std::vector<Paper>& papers, const std::vector<Row>& rows) {
  ordered_json out = {{"format", "warpsieve-claims-2"}, {"papers", ordered_json::object()}};
  for (const Paper& p : papers) {
    ordered_json& about = out["papers"][p.rules.paper] = {
        {"profile", p.runs.profile()},   {"scale", p.runs.scale()}, {"repetitions", p.runs.most_repetitions()},
        {"version", p.version},          {"command", p.command},    {"default_noise", claims::kDefaultNoise},
        {"dram", ordered_json::object()}};
    for (const claims::DramLoad& load : claims::dram_loads(p.runs))
      about["dram"][load.workload] = {{"data_bus", load.bus}, {"activates", load.activates}, {"bound", load.bound()}};
  }
  out["verdicts"] = claims::legend();
  out["claims"] = ordered_json::array();
  for (const Row& row : rows) out["claims"].push_back(to_json(row));
  return out;
}

void print_dram_loads(const Paper& paper) {
  const auto loads = claims::dram_loads(paper.runs);
  if (loads.empty()) return;
  Table table({{"workload", Table::Align::left}, {"data bus, %"}, {"activates, %"}, {"DRAM", Table::Align::left}});
  for (const claims::DramLoad& load : loads)
    table.add({load.workload, fmt::format("{:.1f}", load.bus), fmt::format("{:.1f}", load.activates),
               load.bound() ? "bound" : ""});
  fmt::print(
      "\n{}: DRAM without the scheme, in % of the time of the kernels; bound: one of both is at least {:g} %\n{}\n",
      paper.rules.paper, claims::kDramBound, table.text());
}

/// The papers that are asked for, or those of the results files when nothing else is given.
std::vector<claims::RuleSet> wanted(const SimulatedClaimsOptions& o,
                                    const std::map<std::string, std::string>& files) {
  std::vector<claims::RuleSet> all = claims::rules(o.paper);
  if (!o.paper.empty() || !o.run.empty() || files.size() != o.results.size()) return all;
  std::set<std::string> there;
  for (const auto& [path, text] : files) {
    if (!is_results_file(text)) return all;
    there.insert(claims::paper_of_results(text, path));
  }
  std::erase_if(all, [&](const claims::RuleSet& rules) { return !there.contains(rules.paper); });
  return all;
}

bool is_energy(const claims::Rule& rule) {
  return std::any_of(rule.ratio.over.begin(), rule.ratio.over.end(),
                     [](const std::string& name) { return name.starts_with("energy."); });
}

bool is_energy(const Row& row, const claims::RuleSet& rules) {
  return std::any_of(rules.rules.begin(), rules.rules.end(),
                     [&](const claims::Rule& rule) { return rule.id == row.id && is_energy(rule); });
}

bool reads_energy(const claims::RuleSet& rules) {
  return std::any_of(rules.rules.begin(), rules.rules.end(),
                     [](const claims::Rule& rule) { return is_energy(rule); });
}

}  // namespace

void declare_simulated_claims(CLI::App& command, SimulatedClaimsOptions& o) {
  command.add_option(
      "--paper", o.paper,
      "With --results or --run: cmd, rata, justit, dpc, avc, or the goals of sieve alone, on the machine of "
      "cmd (sieve) or on an RTX 3070 (rtx3070)");
  command
      .add_option("--results", o.results,
                  "Figures from finished runs: directories of sweeps, files of --save, files of `run --json`")
      ->delimiter(',');
  CLI::Option* const run = command.add_option(
      "--run", o.run, "Run the built-in sweeps in this directory first, or what is missing of them");
  command
      .add_option("--scale", o.scale,
                  fmt::format("With --run: workloads of this scale ({}) on the papers' whole machines "
                              "(default: quarter-scale machines)",
                              workloads::kScales))
      ->needs(run);
  command
      .add_option("--repeat", o.repeat,
                  "With --run: each point so often, with 0 to 2 cycles more in noc.latency and dram.latency, for the "
                  "noise of every figure")
      ->transform(whole_number(1, run::kRepetitions))
      ->capture_default_str()
      ->needs(run);
  command.add_option("--save", o.save,
                     "With --paper and --run or --results: the statistics of all runs to this file. Sweeps and files "
                     "of --results may be of several programs; what they repeat is put together");
  CLI::Option* const finished = command.add_flag("--finished", o.finished,
                                                 "With --run: simulate nothing; take the sweeps in the directory, by "
                                                 "whichever program, with energies by this one");
  finished->needs(run);
  add_quiet(command, o.quiet);
  add_colour(command, o.colour);
  command.add_option("-j,--jobs", o.jobs, "Simulations at a time (--run)")
      ->transform(whole_number(1, 1024))
      ->capture_default_str();
  add_slurm(command, o.slurm);
  command.get_option("--slurm")->needs(run)->excludes(finished);
}

ExitCode simulated_claims(const SimulatedClaimsOptions& o) {
  if (!o.save.empty() && o.paper.empty()) throw ConfigError("claims: --save goes with --paper: a file has one paper");
  if (!o.save.empty() && o.run.empty() && o.results.empty())
    throw ConfigError("claims: --save goes with --run or --results: nothing else has runs");
  const auto cacti = cost::make_source(o.cacti);
  claims::rules(o.paper);                    // refuses an unknown paper before any file is read
  std::map<std::string, std::string> files;  // what is no directory, read once
  for (const std::string& path : o.results)
    if (std::error_code ignored; !std::filesystem::is_directory(path, ignored)) files[path] = run::read_text(path);
  const std::vector<claims::RuleSet> sets = wanted(o, files);
  std::vector<std::pair<std::string, std::vector<PlannedSweep>>> sweeps;
  if (!o.run.empty()) {
    for (const claims::RuleSet& rules : sets) sweeps.emplace_back(rules.paper, planned(rules.paper, o));
    if (!o.finished) say_estimate(sweeps, o);
  }
  std::vector<Paper> papers;
  std::vector<Row> found;
  std::set<std::string> notes;
  Loaded all;
  std::set<std::string> counted;  // every paper reads the same directories
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const claims::RuleSet& rules = sets[i];
    const std::vector<std::string> names = claims::statistic_names(rules);
    papers.push_back({rules, claims::RunSet(*cacti, names), run::version(), "", {}});
    Paper& paper = papers.back();
    std::vector<std::string> sources = o.results;
    if (!o.run.empty()) {
      paper.command = canonical_command(rules.paper, o.scale, o.repeat);
      for (const PlannedSweep& planned : sweeps[i].second) {
        if (o.finished)
          check_same(planned);
        else
          finish(planned, o);
        sources.push_back(planned.store.directory());
      }
    }
    for (const std::string& source : sources) {
      const auto file = files.find(source);
      Loaded loaded;
      if (file == files.end()) {
        loaded = load_sweep(source, rules, paper.runs);
        paper.version = loaded.version;
        paper.programs.insert(loaded.version);
        paper.cost_models.insert(claims::cost_model_digest());
      } else if (!is_results_file(file->second)) {
        loaded = load_runs(file->second, source, rules, names, paper.runs);
        paper.cost_models.insert(claims::cost_model_digest());
      } else if (claims::paper_of_results(file->second, source) == rules.paper) {
        loaded.head = claims::read_results_file(file->second, source, rules, paper.runs);
        paper.version = loaded.head.version;
        insert_each(paper.programs, loaded.head.version);
        insert_each(paper.cost_models, loaded.head.cost_model);
        paper.command = loaded.head.command;
        if (loaded.head.cost_model != claims::cost_model_digest() && reads_energy(rules))
          fmt::print(stderr, "warpsieve: claims: {}: its energies are from another version of the cost model\n",
                     source);
      }
      if (!counted.insert(source).second) continue;
      all.failed += loaded.failed;
      all.missing += loaded.missing;
      all.again += loaded.again;
    }
    for (Row& row : claims::every_row(rules, paper.runs))
      if (!o.energy || is_energy(row, rules)) found.push_back(std::move(row));
  }
  if (!o.save.empty()) save(papers.front(), all, o);
  if (o.energy)
    for (const auto& [path, text] : files)
      for (const cost::EnergyReport& r : energy_reports(path, *cacti, kNodeNm))
        notes.insert(r.size_notes.begin(), r.size_notes.end());
  if (o.json) {
    ordered_json out = to_json(papers, found);
    if (!notes.empty()) out["notes"] = notes;
    print_json(out);
  } else if (o.markdown) {
    print_claims_markdown(found);
    if (!notes.empty()) fmt::print("\n");
    for (const std::string& note : notes) fmt::print("- note: {}\n", note);
  } else {
    print_claims(found, has_colours(stdout, o.colour));
    print_claims_legend(std::any_of(found.begin(), found.end(), [](const Row& r) { return r.repetitions == 1; }));
    for (const std::string& note : notes) fmt::print("note: {}\n", note);
    if (!o.energy)
      for (const Paper& paper : papers) print_dram_loads(paper);
    for (const Paper& paper : papers)
      fmt::print("{}: profile {}, scale {}, repetitions: {}, program {}{}\n", paper.rules.paper, paper.runs.profile(),
                 paper.runs.scale(), paper.runs.most_repetitions(), paper.version,
                 paper.command.empty() ? "" : ", made by: " + paper.command);
  }
  if (all.failed || all.missing)
    fmt::print(stderr, "warpsieve: claims: {} points failed, {} are not finished: their workloads are left out\n",
               all.failed, all.missing);
  if (all.again)
    fmt::print(stderr,
               "warpsieve: claims: {} points differ from others in scale, sizes, input or seed alone: a figure is of "
               "the first of these that has all runs for it\n",
               all.again);
  return all.failed ? kWrong : kOk;
}

}  // namespace warpsieve::cli
