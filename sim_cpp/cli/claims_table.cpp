#include "cli/claims_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cli/table.h"

namespace warpsieve::cli {

namespace {

using claims::Answer;
using claims::Row;
using claims::Verdict;
using Cell = Table::Cell;
using Colour = Table::Colour;

/// Five digits at most, without an exponent.
std::string digits(const std::optional<double>& value) {
  if (!value) return "-";
  return std::abs(*value) >= 1000 ? fmt::format("{:.0f}", *value) : fmt::format("{:.4g}", *value);
}

std::string figure(const Row& row, const std::optional<double>& value) {
  if (!value) return "-";
  return row.answer == Answer::hardware ? digits(value) : fmt::format("{:.1f}", *value);
}

std::string paper_figure(const Row& row) { return (row.bound ? "< " : "") + figure(row, row.paper); }

std::string what(const Row& row) { return row.scope.empty() ? row.what : row.what + ", " + row.scope; }

/// "+12.1 ±0.4", "~ 0.2 ±0.5" inside the noise.
std::string ours(const Row& row) {
  if (!row.ours || row.answer != Answer::runs) return figure(row, row.ours);
  return fmt::format("{}{:.1f}{}{}", row.inside_noise() ? "~ " : "", *row.ours,
                     row.repetitions > 1 ? fmt::format(" ±{:.1f}", row.noise) : "",
                     row.worst.empty() ? "" : fmt::format(" ({})", row.worst));
}

std::string agreeing(const Row& row) {
  return row.workloads.empty() ? "" : fmt::format("{} of {}", row.agree, row.workloads.size());
}

Colour colour_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::reproduced: return Colour::green;
    case Verdict::opposite: return Colour::red;
    case Verdict::no_effect:
    case Verdict::not_testable:
    case Verdict::no_runs: return Colour::grey;
    default: return Colour::none;
  }
}

/// "bfs 12.1 ±0.3, ~ cfd -3.0 ±4.1": the largest first. With a potential: "bfs 12.1 (90.0 of potential); mean 90.0 of
/// potential".
std::string spread(const Row& row) {
  auto sorted = row.workloads;
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.mean > b.mean; });
  std::string text;
  for (const claims::WorkloadFigure& w : sorted) {
    text += fmt::format("{}{}{} {:.1f}", text.empty() ? "" : ", ", std::abs(w.mean) <= w.noise ? "~ " : "", w.name,
                        w.mean);
    if (row.repetitions > 1) text += fmt::format(" ±{:.1f}", w.noise);
    for (const auto& [workload, reached] : row.of_potential)
      if (workload == w.name) text += fmt::format(" ({:.1f} of potential)", reached);
  }
  if (!row.of_potential.empty()) text += fmt::format("; mean {:.1f} of potential", claims::mean(row.of_potential));
  return text;
}

std::string difference(const Row& row) {
  if (!row.paper || !row.ours || *row.paper == 0) return "-";
  return fmt::format("{:+.1f} %", 100 * (*row.ours / *row.paper - 1));
}

bool all_hardware(const std::vector<Row>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.answer == Answer::hardware; });
}

/// A cell of a Markdown table.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
  return text;
}

std::string name(const Row& row) { return row.id + (row.in_claims ? "" : " *"); }

}  // namespace

void print_claims(const std::vector<Row>& rows, bool colours) {
  const bool hardware = all_hardware(rows);
  std::vector<Table::Column> columns = {{"claim", Table::Align::left},
                                        {"what", Table::Align::left},
                                        {"where", Table::Align::left},
                                        {"unit", Table::Align::left},
                                        {"paper"},
                                        {"ours"}};
  if (hardware)
    columns.push_back({"difference"});
  else
    columns.insert(columns.end(), {{"median"}, {"agree"}});
  columns.push_back({"verdict", Table::Align::left});
  Table table(columns, colours);
  for (const Row& row : rows) {
    std::vector<Cell> cells = {{name(row)},         {what(row)},
                               {row.where},         {row.unit},
                               {paper_figure(row)}, {ours(row), row.inside_noise() ? Colour::grey : Colour::none}};
    if (hardware)
      cells.push_back({difference(row)});
    else
      cells.insert(cells.end(), {{row.median ? fmt::format("{:.1f}", *row.median) : ""}, {agreeing(row)}});
    cells.push_back({to_string(row.verdict), colour_of(row.verdict)});
    table.add_cells(cells);
  }
  fmt::print("{}\n", table.text());
  for (const Row& row : rows) {
    if (row.workloads.empty() && row.why.empty()) continue;
    if (row.answer == Answer::hardware) {
      fmt::print("\n{}: {}\n", row.id, row.why);
      for (const std::string& line : row.arithmetic) fmt::print("    {}\n", line);
      continue;
    }
    fmt::print("{}: {}\n", row.id, row.workloads.empty() ? to_string(row.verdict) : spread(row));
    if (!row.why.empty()) fmt::print("    why: {}\n", row.why);
    if (!row.evidence.empty()) fmt::print("    evidence: {}\n", row.evidence);
  }
}

void print_claims_markdown(const std::vector<Row>& rows) {
  const bool hardware = all_hardware(rows);
  fmt::print("| claim | what | where | unit | paper | ours | {}verdict | {} |\n|---|---|---|---|--:|--:|{}---|---|\n",
             hardware ? "" : "median | agree | ", hardware ? "why" : "workloads", hardware ? "" : "--:|--:|");
  for (const Row& row : rows) {
    const std::string between =
        hardware ? ""
                 : fmt::format("{} | {} | ", row.median ? fmt::format("{:.1f}", *row.median) : "", agreeing(row));
    const std::string reasons = hardware || row.workloads.empty() ? row.why
                                : row.why.empty()                 ? spread(row)
                                                                  : spread(row) + ". " + row.why;
    fmt::print("| `{}`{} | {} | {} | {} | {} | {} | {}{} | {} |\n", row.id, row.in_claims ? "" : " *",
               cell(what(row)), cell(row.where), row.unit, paper_figure(row), ours(row), between,
               to_string(row.verdict), cell(reasons));
  }
}

void print_claims_legend(bool single_runs) {
  fmt::print(
      "\nours: arithmetic mean of the workloads; ±: 95 % confidence interval over the repetitions; ~: inside the "
      "noise; "
      "*: not in claims.csv\n{}\n",
      claims::legend());
  if (single_runs)
    fmt::print(
        "one run of each: its noise was not measured, and a change of less than {:g} points counts as none; --repeat "
        "measures it\n",
        claims::kDefaultNoise);
}

}  // namespace warpsieve::cli
