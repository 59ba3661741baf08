#include "cli/claims_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "claims/evaluate.h"
#include "cli/json_output.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal_options.h"
#include "core/params.h"
#include "cost/cacti/query.h"
#include "run/interrupt.h"
#include "sweep/pool.h"
#include "sweep/progress.h"
#include "sweep/store.h"
#include "workloads/registry.h"

namespace warpsieve::cli {

namespace {

using claims::SimulatedClaim;
using nlohmann::ordered_json;
using sweep::State;

/// Runs what the built-in sweep has not finished in `directory`.
void finish(const claims::ClaimSweep& builtin, const std::string& directory, const SimulatedClaimsOptions& o) {
  const sweep::Sweep points = sweep::parse_sweep(builtin.text, builtin.file);
  const sweep::Store store(directory);
  store.create(points);
  const auto states = store.states(points);
  const auto in = [&](State s) { return static_cast<std::size_t>(std::count(states.begin(), states.end(), s)); };
  sweep::ProgressBar bar(run::progress_output(STDERR_FILENO, o.quiet), points.name, points.points.size(),
                         in(State::done) + in(State::failed));
  bar.say(fmt::format("{}: {} points, {} done; results in {}", points.name, points.points.size(), in(State::done),
                      directory));
  if (sweep::run_points(store, points.points, o.jobs, bar).interrupted) throw run::Interrupted("interrupted");
}

struct Loaded {
  std::size_t runs = 0, failed = 0, missing = 0, again = 0;
};

/// What the workload of a point ran on.
std::string input_of(const run::RunSpec& spec) {
  return fmt::format("{} {} {} {}", spec.scale, fmt::join(spec.sizes, ","), spec.input, spec.seed);
}

/// Adds every finished point of a sweep whose rules are wanted.
Loaded load(const std::string& directory, const claims::RuleSet& rules, claims::RunSet& runs) {
  const sweep::Store store(directory);
  const sweep::Sweep points = store.load();
  Loaded loaded;
  for (const sweep::Point& point : points.points) {
    const State state = store.state(point);
    loaded.runs += state == State::done;
    loaded.failed += state == State::failed;
    loaded.missing += state == State::missing || state == State::running;
    if (state != State::done) continue;
    ordered_json run = store.result(point);
    try {
      if (!point.spec.scale.empty()) runs.is_scale(point.spec.scale);
      loaded.again += !runs.add(std::move(run), point.spec.set, input_of(point.spec),
                                claims::named_sizes(rules, point.spec.workload, point.spec.sizes));
    } catch (const ConfigError& error) {
      throw ConfigError(fmt::format("{}: {}", directory, error.what()));
    }
  }
  return loaded;
}

std::string figure(const SimulatedClaim& c, const std::optional<double>& value) {
  if (!value) return "-";
  if (c.answer == claims::Answer::runs) return fmt::format("{:.2f}", *value);
  return std::abs(*value) >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.4g}", *value);
}

/// "bfs 12.1, cfd -3.0": the largest first. With a potential: "bfs 12.1 (90.0 of potential), cfd 0.0; mean 90.0 of
/// potential".
std::string spread(const SimulatedClaim& claim) {
  auto sorted = claim.workloads;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [name, value] : sorted) {
    text += fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ", name, value);
    for (const auto& [workload, reached] : claim.of_potential)
      if (workload == name) text += fmt::format(" ({:.1f} of potential)", reached);
  }
  if (!claim.of_potential.empty())
    text += fmt::format("; mean {:.1f} of potential", claims::mean(claim.of_potential));
  return text;
}

std::string verdict(const SimulatedClaim& c) {
  return c.answer == claims::Answer::runs && !c.finding.ours ? "no runs" : to_string(c.finding.verdict);
}

std::string paper_figure(const SimulatedClaim& c) {
  return (c.finding.bound ? "< " : "") + figure(c, c.finding.paper);
}

void print_text(const std::vector<SimulatedClaim>& found) {
  Table table({{"claim", Table::Align::left},
               {"what", Table::Align::left},
               {"where", Table::Align::left},
               {"unit", Table::Align::left},
               {"paper"},
               {"ours"},
               {"geometric"},
               {"workloads"},
               {"verdict", Table::Align::left}});
  for (const SimulatedClaim& c : found)
    table.add({c.finding.id, c.finding.what + ", " + c.scope, c.finding.where, c.finding.unit, paper_figure(c),
               figure(c, c.finding.ours), figure(c, c.geometric), fmt::format("{}", c.workloads.size()), verdict(c)});
  fmt::print("{}\n", table.text());
  for (const SimulatedClaim& c : found) {
    if (c.workloads.empty() && c.finding.why.empty()) continue;
    fmt::print("{}: {}\n", c.finding.id, c.workloads.empty() ? verdict(c) : spread(c));
    if (!c.finding.why.empty()) fmt::print("    {}\n", c.finding.why);
  }
}

void print_markdown(const std::vector<SimulatedClaim>& found) {
  fmt::print(
      "| claim | what | where | unit | paper | ours | verdict | workloads |\n|---|---|---|---|--:|--:|---|---|\n");
  for (const SimulatedClaim& c : found)
    fmt::print("| `{}` | {}, {} | {} | {} | {} | {} | {} | {}{}{} |\n", c.finding.id, c.finding.what, c.scope,
               c.finding.where, c.finding.unit, paper_figure(c), figure(c, c.finding.ours), verdict(c), spread(c),
               c.finding.why.empty() || c.workloads.empty() ? "" : ". ", c.finding.why);
}

}  // namespace

void declare_simulated_claims(CLI::App& command, SimulatedClaimsOptions& o) {
  command.add_option("--paper", o.paper, "With --results or --run: cmd, rata, justit, dpc or avc alone");
  command.add_option("--results", o.results, "Figures from finished sweeps, by their directories")->delimiter(',');
  command.add_option("--run", o.run, "Run the built-in sweeps in this directory first, or what is missing of them");
  command.add_option("--scale", o.scale,
                     fmt::format("With --run: workloads of this scale ({}) on the papers' whole machines "
                                 "(default: quarter-scale machines)",
                                 workloads::kScales));
  add_quiet(command, o.quiet);
  command.add_option("-j,--jobs", o.jobs, "Simulations at a time (--run)")
      ->transform(whole_number(1, 1024))
      ->capture_default_str();
}

ExitCode simulated_claims(const SimulatedClaimsOptions& o) {
  const auto cacti = cost::make_source(o.cacti);
  std::vector<SimulatedClaim> found;
  std::map<std::string, std::string> profiles, scales;
  std::size_t failed = 0, missing = 0, again = 0;
  std::set<std::string> counted;  // every paper reads the same directories
  for (const claims::RuleSet& rules : claims::rules(o.paper)) {
    claims::RunSet runs(*cacti);
    std::vector<std::string> directories = o.results;
    if (!o.run.empty()) {
      for (claims::ClaimSweep builtin : claims::claim_sweeps(rules.paper)) {
        if (!o.scale.empty()) builtin = claims::at_scale(builtin, o.scale);
        directories.push_back(o.run + "/" + builtin.name + ".sweep");
        finish(builtin, directories.back(), o);
      }
    }
    for (const std::string& directory : directories) {
      const Loaded loaded = load(directory, rules, runs);
      if (!counted.insert(directory).second) continue;
      failed += loaded.failed;
      missing += loaded.missing;
      again += loaded.again;
    }
    profiles[rules.paper] = runs.profile();
    scales[rules.paper] = runs.scale();
    for (SimulatedClaim& claim : claims::every_row(rules, runs)) found.push_back(std::move(claim));
  }
  if (o.json) {
    ordered_json out = {{"format", "warpsieve-claims-runs-1"},
                        {"profiles", profiles},
                        {"scales", scales},
                        {"claims", ordered_json::array()}};
    for (const SimulatedClaim& claim : found) out["claims"].push_back(to_json(claim));
    print_json(out);
  } else if (o.markdown) {
    print_markdown(found);
  } else {
    print_text(found);
    fmt::print(
        "\nours: arithmetic mean of the workloads; within: 20 % or 3 points; direction: further off, the paper's "
        "conclusion holds; contradicts: neither\n");
    for (const auto& [paper, profile] : profiles)
      fmt::print("{}: profile {}, scale {}\n", paper, profile, scales[paper]);
  }
  if (failed || missing)
    fmt::print(stderr, "warpsieve: claims: {} points failed, {} are not finished: their workloads are left out\n",
               failed, missing);
  if (again)
    fmt::print(stderr,
               "warpsieve: claims: {} points differ from others in scale, sizes, input or seed alone: a figure is of "
               "the first of these that has all runs for it\n",
               again);
  return failed ? kWrong : kOk;
}

}  // namespace warpsieve::cli
