#include "cli/area_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "claims/evaluate.h"
#include "cli/claims_table.h"
#include "cli/json_output.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cost/area.h"
#include "cost/cacti/recorded.h"
#include "cost/claims.h"
#include "cost/timing.h"
#include "report/machine.h"
#include "schemes/registry.h"

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;

std::string instance(const cost::BlockUse& use) {
  return use.module + "@" + use.point + (use.addition ? " (addition)" : "");
}

std::string share(double mm2, const cost::AreaReport& r) {
  return r.l2_mm2 ? fmt::format("{:.2f} %", 100 * mm2 / *r.l2_mm2) : "-";
}

Table blocks_table(const cost::AreaReport& r) {
  Table table({{"block", Table::Align::left},
               {"instance", Table::Align::left},
               {"per", Table::Align::left},
               {"n"},
               {"GE each"},
               {"um2 each, 180 nm"},
               {fmt::format("um2 each, {} nm", r.node_nm)},
               {"path FO4"},
               {"storage bits each"},
               {"storage mm2 each"},
               {"logic mm2 all"},
               {"storage mm2 all"},
               {"total mm2"},
               {"of L2"},
               {"what", Table::Align::left}});
  double ge = 0;
  std::uint64_t bits = 0;
  for (const cost::BlockArea& b : r.blocks) {
    const bool known = b.synthesis.has_value();
    if (known) ge += b.count * b.synthesis->ge;
    bits += b.count * b.bits;
    table.add({b.use.block, instance(b.use), to_string(b.use.per), fmt::format("{}", b.count),
               known ? fmt::format("{:.0f}", b.synthesis->ge) : "?",
               known ? fmt::format("{:.0f}", b.synthesis->area_um2) : "?",
               known ? fmt::format("{:.1f}", b.logic_mm2 * 1e6) : "?",
               known ? fmt::format("{:.1f}{}", b.synthesis->fo4, b.cycles > 1 ? " !" : "") : "?",
               fmt::format("{}", b.bits), fmt::format("{:.5f}", b.storage_mm2),
               fmt::format("{:.5f}", b.count * b.logic_mm2), fmt::format("{:.5f}", b.count * b.storage_mm2),
               fmt::format("{:.5f}", b.total_mm2()), share(b.total_mm2(), r), b.use.what});
  }
  table.add({"total", "", "", "", fmt::format("{:.0f} all", ge), "", "", "", fmt::format("{} all", bits), "",
             fmt::format("{:.5f}", r.logic_mm2), fmt::format("{:.5f}", r.storage_mm2),
             fmt::format("{:.5f}", r.total_mm2()), share(r.total_mm2(), r),
             r.addition_mm2 > 0 ? fmt::format("of which additions {:.5f}", r.addition_mm2) : ""});
  return table;
}

Table arrays_table(const cost::AreaReport& r) {
  Table table({{"instance", Table::Align::left},
               {"memory", Table::Align::left},
               {"words x bits"},
               {"n"},
               {"CACTI, each", Table::Align::left},
               {"lanes"},
               {"mm2 of n"},
               {"mm2 with 1RW"},
               {"basis", Table::Align::left}});
  for (const cost::BlockArea& b : r.blocks) {
    for (const cost::ArrayArea& a : b.arrays) {
      table.add({instance(b.use), a.array.name, fmt::format("{} x {}", a.array.depth, a.array.width),
                 fmt::format("{}", a.array.copies), a.plan.query.describe(), fmt::format("{}", a.plan.lanes),
                 fmt::format("{:.5f}", a.mm2), fmt::format("{:.5f}", a.single_ported_mm2), a.each.basis()});
    }
  }
  return table;
}

/// As it is in claims.csv.
std::string stated(double value) {
  return std::abs(value) >= 1000 ? fmt::format("{:.0f}", value) : fmt::format("{:.4g}", value);
}

void print_sources(cost::Source& cacti, std::uint32_t node) {
  fmt::print("\nlogic: scripts/synth baseline, {} (NAND2 = {} um2); at {} nm scaled by ({}/180)^2 = {:.5f}\n",
             cost::Library::kName, cost::Library::kNand2, node, node, cost::Library::area_factor(node));
  fmt::print("storage: {}, itrs-hp, 350 K, data + tag area without the bounding box's dead space", cacti.name());
  if (node < cost::Scaling::kFrom) {
    fmt::print("; {} nm scaled from {} nm by F^2 = {:.4f}", node, cost::Scaling::kFrom,
               cost::Scaling::factor(node, cost::Scaling::kFrom, cost::Scaling::kArea));
  }
  fmt::print("\n");
  if (const auto* recorded = dynamic_cast<const cost::Recorded*>(&cacti)) {
    const auto e = recorded->leave_one_out(cost::Kind::ram, false, cost::Recorded::Metric::area);
    fmt::print(
        "interpolation over capacity inside the recorded range; area error of a left-out ram {:.1f} % median, "
        "{:.1f} % 90th percentile ({} points)\n",
        100 * e.median, 100 * e.p90, e.samples);
  }
}

void add_cacti(CLI::App& command, std::string& choice) {
  command
      .add_option("--cacti", choice,
                  "Source of memory figures: auto (CACTI= or `cacti` on PATH, else recorded), recorded, real, or the "
                  "path of a CACTI 7 binary")
      ->capture_default_str();
}

/// Assignments that a scheme has accepted, as values.
ordered_json values_in(const std::vector<std::string>& assignments) {
  ordered_json out = ordered_json::object();
  for (const std::string& a : assignments) {
    const std::string value = a.substr(a.find('=') + 1);
    const ordered_json number = ordered_json::parse(value, nullptr, false);
    out[a.substr(0, a.find('='))] = number.is_discarded() ? ordered_json(value) : number;
  }
  return out;
}

}  // namespace

void declare_area(CLI::App& command, AreaOptions& o) {
  command.add_option("-s,--scheme", o.scheme, "Scheme")->capture_default_str();
  command.add_option(
      "-p,--profile", o.profile,
      "Machine: a profile of `run`, a TOML file, or rata, justit, dpc, avc (default: the scheme's own)");
  command.add_option("--set", o.set, "A parameter of machine or scheme, as in `run`: l2_5mb.quarters=2");
  command.add_option("--node", o.node, "Feature size in nm that everything is brought to")
      ->transform(whole_number(cost::Scaling::kLowest, 90))
      ->capture_default_str();
  add_cacti(command, o.cacti);
  command.add_flag("--json", o.json, "JSON on standard output instead of tables");
}

ExitCode area(const AreaOptions& o) {
  const cost::SchemeBlocks& scheme = cost::scheme_blocks(o.scheme);
  const cost::Machine machine = report::machine_of(o.profile.empty() ? scheme.profile : o.profile, o.scheme, o.set);
  const auto cacti = cost::make_source(o.cacti);
  cost::AreaReport report = cost::area_of(scheme, machine, *cacti, o.node);
  for (std::string& note : cost::size_notes(scheme, values_in(schemes::split_settings(o.set).scheme)))
    report.notes.push_back(std::move(note));
  const std::string paper = schemes::scheme_info(schemes::scheme_parts(o.scheme).front()).paper;
  std::vector<claims::Row> found;
  if (!paper.empty()) found = claims::hardware_rows(paper, *cacti);
  if (o.json) {
    ordered_json out = {{"format", "warpsieve-area-1"}};
    out.update(to_json(report));
    out["findings"] = ordered_json::array();
    for (const claims::Row& row : found) out["findings"].push_back(to_json(row));
    print_json(out);
    return kOk;
  }
  fmt::print("{} on profile {}: {} SMs, {} clusters, {} controllers, {} L2 slices; {}\n\n", o.scheme, machine.name,
             machine.sms, machine.clusters, machine.controllers, machine.slices, scheme.doc);
  fmt::print("{}\n", blocks_table(report).text());
  if (report.l2_mm2) {
    fmt::print("L2: {} x ({}) = {:.4f} mm2\n", machine.slices, report.l2_query.describe(), *report.l2_mm2);
  }
  if (!report.scheme.dram_bits.empty()) {
    std::uint32_t bits = 0;
    std::vector<std::string> parts;
    for (const cost::DramBits& d : report.scheme.dram_bits) {
      bits += d.bits;
      parts.push_back(fmt::format("{} {}{}", d.bits, d.name, d.addition ? " (addition)" : ""));
    }
    fmt::print("DRAM: {} bits for each 128-byte line ({}) = {:.2f} %\n", bits, fmt::join(parts, ", "),
               100.0 * bits / 1024);
  }
  fmt::print("clock: {} MHz = {:.1f} FO4 at {} nm; !: the worst path is longer\n", machine.core_mhz,
             cost::period_fo4(machine.core_mhz, o.node), o.node);
  for (const std::string& note : report.notes) fmt::print("note: {}\n", note);
  if (!report.blocks.empty()) fmt::print("\n{}\n", arrays_table(report).text());
  if (!found.empty()) {
    fmt::print("\nAgainst the paper, at the paper's own machine and node:\n\n");
    print_claims(found, false);
    print_claims_legend(false);
  }
  print_sources(*cacti, o.node);
  return kOk;
}

void declare_claims(CLI::App& command, ClaimsOptions& o) {
  CLI::Option* area = command.add_flag("--area", o.area, "Hardware claims: the paper's value, ours, verdict, cause");
  command
      .add_option("--energy", o.energy,
                  "Energy claims, from this JSON file of `warpsieve run --json` with baseline and schemes")
      ->excludes(area);
  command.add_flag("--markdown", o.markdown, "The table as Markdown, reasons in it");
  add_cacti(command, o.cacti);
  command.add_flag("--json", o.json, "JSON on standard output instead of tables");
}

ExitCode claims(const ClaimsOptions& o) {
  if (!o.area) {  // what there is to check
    ordered_json out = {{"format", "warpsieve-claims-1"}, {"claims", ordered_json::array()}};
    Table table({{"claim", Table::Align::left},
                 {"what", Table::Align::left},
                 {"where", Table::Align::left},
                 {"unit", Table::Align::left},
                 {"paper"}});
    for (const cost::Claim& c : cost::all_claims()) {
      table.add({c.id, c.metric + ", " + c.scope, c.where, c.unit, stated(c.value)});
      out["claims"].push_back({{"id", c.id}, {"paper", c.value}, {"unit", c.unit}, {"where", c.where}});
    }
    if (o.json) {
      print_json(out);
    } else {
      fmt::print("{}\nthe hardware claims beside our figures: warpsieve claims --area\n", table.text());
    }
    return kOk;
  }
  const auto cacti = cost::make_source(o.cacti);
  const std::vector<claims::Row> found = claims::hardware_rows("", *cacti);
  if (o.markdown) {
    print_claims_markdown(found);
    return kOk;
  }
  if (o.json) {
    ordered_json out = {{"format", "warpsieve-claims-area-1"}, {"cacti", cacti->name()}};
    for (const claims::Row& row : found) out["findings"].push_back(to_json(row));
    print_json(out);
    return kOk;
  }
  print_claims(found, false);
  print_claims_legend(false);
  print_sources(*cacti, 16);
  return kOk;
}

}  // namespace warpsieve::cli
