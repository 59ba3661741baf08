#include "cli/energy_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "cli/json_output.h"
#include "cli/numbers.h"
#include "cli/one_of.h"
#include "cli/table.h"
#include "core/params.h"
#include "cost/energy.h"
#include "run/run_json.h"

namespace warpsieve::cli {
namespace {

using nlohmann::ordered_json;

std::string micro(double nj) { return fmt::format("{:.2f}", nj / 1000); }

}  // namespace

void declare_energy(CLI::App& command, EnergyOptions& o) {
  command.add_option("results", o.results, "JSON file that `warpsieve run --json` wrote")->required();
  command.add_option("--node", o.node, "Feature size in nm")->transform(whole_number(7, 90))->capture_default_str();
  command.add_option("--cacti", o.cacti, "Source of memory figures: auto, recorded, real, or a CACTI 7 binary")
      ->capture_default_str();
  command
      .add_option("--clock", o.clock,
                  "Clock pins of the blocks: in every cycle (always), or what clock gates pass, codecs while they "
                  "work (gated)")
      ->check(one_of({"always", "gated"}))
      ->capture_default_str();
  command.add_flag("--relative", o.relative,
                   "Components in parts of the first scheme's DRAM + controller + L2, as the papers plot them");
  command.add_flag("--terms", o.terms, "Every event with its count, energy and source");
  command.add_flag("--json", o.json, "JSON on standard output instead of tables");
}

std::vector<cost::EnergyReport> energy_reports(const std::string& results, cost::Source& cacti, std::uint32_t node,
                                               cost::Clock clock) {
  std::vector<cost::EnergyReport> reports;
  ordered_json file = run::read_runs(results);
  if (const std::string warning = run::incomplete_warning(file, results); !warning.empty())
    fmt::print(stderr, "warpsieve: {}\n", warning);
  ordered_json& runs = file["runs"];
  if (runs.empty()) throw ConfigError(fmt::format("{}: holds no run", results));
  std::vector<ordered_json*> together;
  for (ordered_json& run : runs) together.push_back(&run);
  run::tell_apart(together);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    try {
      reports.push_back(cost::energy_of(cost::RunFigures::from_json(runs[i]), cacti, node, clock));
    } catch (const cost::CostError& error) {
      throw ConfigError(fmt::format("{}: run {}: {}", results, i + 1, error.what()));
    }
  }
  return reports;
}

ExitCode energy(const EnergyOptions& o) {
  const auto cacti = cost::make_source(o.cacti);
  const bool gated = o.clock == "gated";
  const std::vector<cost::EnergyReport> reports =
      energy_reports(o.results, *cacti, o.node, gated ? cost::Clock::gated : cost::Clock::always);
  std::map<std::string, const cost::EnergyReport*> first;
  for (const cost::EnergyReport& r : reports) first.emplace(r.run.workload, &r);
  if (o.json) {
    ordered_json out = {{"format", "warpsieve-energy-1"},
                        {"cacti", cacti->name()},
                        {"clock", o.clock},
                        {"runs", ordered_json::array()}};
    for (const cost::EnergyReport& r : reports) {
      ordered_json j = to_json(r);
      j["relative_total"] = r.total_nj() / first[r.run.workload]->total_nj();
      j["relative_dram_controller_l2"] = r.off_chip_nj() / first[r.run.workload]->off_chip_nj();
      out["runs"].push_back(std::move(j));
    }
    print_json(out);
    return kOk;
  }
  std::vector<Table::Column> columns = {{"workload", Table::Align::left}, {"scheme", Table::Align::left}};
  for (const cost::EnergyComponent& c : reports.front().components)
    columns.push_back({c.name + (o.relative ? "" : " uJ")});
  columns.insert(columns.end(), {{"leakage uJ"}, {"dram+controller+l2 uJ"}, {"relative"}, {"all uJ"}, {"relative "}});
  Table table(columns);
  for (const cost::EnergyReport& r : reports) {
    const cost::EnergyReport& base = *first[r.run.workload];
    std::vector<std::string> row = {r.run.workload, r.run.scheme};
    double leakage = 0;
    for (const cost::EnergyComponent& c : r.components) {
      row.push_back(o.relative ? fmt::format("{:.3f}", c.total_nj() / base.off_chip_nj()) : micro(c.total_nj()));
      leakage += c.leakage_nj;
    }
    row.insert(row.end(),
               {micro(leakage), micro(r.off_chip_nj()), fmt::format("{:.3f}", r.off_chip_nj() / base.off_chip_nj()),
                micro(r.total_nj()), fmt::format("{:.3f}", r.total_nj() / base.total_nj())});
    table.add(row);
  }
  fmt::print("{}\n", table.text());
  fmt::print(
      "relative to the first scheme of the workload{}; {} nm; leakage (DRAM: standby) is inside the components; "
      "memories: {}\n",
      o.relative ? ", components too: parts of its dram + controller + l2" : "", o.node, cacti->name());
  if (o.terms) {
    for (const cost::EnergyReport& r : reports) {
      Table terms({{"component", Table::Align::left},
                   {"event", Table::Align::left},
                   {"count"},
                   {"pJ each"},
                   {"uJ"},
                   {"source", Table::Align::left}});
      for (const cost::EnergyComponent& c : r.components) {
        for (const cost::EnergyTerm& t : c.terms)
          terms.add({c.name, t.event, fmt::format("{:.0f}", t.count), fmt::format("{:.3f}", t.pj), micro(t.nj()),
                     t.source});
        terms.add({c.name, c.name == "dram" ? "standby" : "leakage", "", "", micro(c.leakage_nj),
                   fmt::format("{:.2f} mW", c.leakage_mw)});
        if (c.clock_mw > 0)
          terms.add(
              {c.name, "clock pins of the logic", "", "", micro(c.clock_nj),
               fmt::format("measured: {:.2f} mW, {}", c.clock_mw,
                           gated ? "what clock gates pass; codecs while they work" : "every cycle, no gating")});
      }
      fmt::print("\n{} {}\n{}\n", r.run.workload, r.run.scheme, terms.text());
    }
  }
  std::vector<std::string> notes;
  for (const cost::EnergyReport& r : reports)
    for (const std::string& note : r.notes)
      if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
  for (const std::string& note : notes) fmt::print("note: {}\n", note);
  return kOk;
}

}  // namespace warpsieve::cli
