// Runs, energy, area, claims and blocks, as the page's script reads them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>

#include "claims/evaluate.h"
#include "core/params.h"
#include "core/spread.h"
#include "cost/area.h"
#include "cost/embedded.h"
#include "cost/energy.h"
#include "memsys/profile.h"
#include "report/add_once.h"
#include "report/figures.h"
#include "report/machine.h"
#include "report/measured.h"
#include "report/page.h"
#include "run/version.h"
#include "schemes/registry.h"

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kNode = 16;  // nm, as the papers compare

/// Energy of runs by component, worked out once for each distinct run.
class Energies {
 public:
  Energies(cost::Source& cacti, std::size_t runs) : cacti_(cacti), skip_(runs > kMostEnergies) {
    if (skip_) note_ = fmt::format("Energy is worked out for up to {} runs; these are {}.", kMostEnergies, runs);
  }
  ordered_json of(const ordered_json& run) {
    if (skip_) return nullptr;
    try {
      const cost::EnergyReport report = cost::energy_of(cost::RunFigures::from_json(run), cacti_, kNode);
      ordered_json out;
      for (const cost::EnergyComponent& c : report.components) out[c.name] = c.total_nj();
      for (const std::string& n : report.notes) add("Energy: " + n + ".");
      return out;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {  // a cache that CACTI has no figure for
      add(fmt::format("No energy for {} {}: {}.", run["workload"].get<std::string>(),
                      run["scheme"].get<std::string>(), error.what()));
      return nullptr;
    }
  }
  std::string note() const { return note_; }

 private:
  void add(const std::string& text) {
    if (note_.find(text) == std::string::npos && note_.size() < 2000) note_ += (note_.empty() ? "" : " ") + text;
  }
  cost::Source& cacti_;
  bool skip_;
  std::string note_;
};

/// Percent of the baseline; null where there is nothing to compare with.
ordered_json change(const std::vector<double>& ratios) {
  return ratios.empty() ? ordered_json(nullptr) : ordered_json(100 * (spread_of(ratios).mean - 1));
}

/// Of the sums of all components.
ordered_json energy_change(const ordered_json& mine, const ordered_json& base) {
  const auto sum = [](const ordered_json& energy) {
    double out = 0;
    for (const ordered_json& part : energy) out += part.get<double>();
    return out;
  };
  if (mine.is_null() || base.is_null() || sum(base) <= 0) return nullptr;
  return 100 * (sum(mine) / sum(base) - 1);
}

ordered_json runs_data(const Results& results, const Comparison& comparison,
                       const std::vector<ordered_json>& energy) {
  const std::vector<std::size_t> simulation = simulations(results);
  std::map<std::size_t, const Compared*> compared;
  for (const Compared& one : comparison.runs) compared[one.run] = &one;
  ordered_json out = ordered_json::array();
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const ResultRun& r = results.runs[i];
    const ordered_json& run = r.run;
    const auto found = compared.find(i);
    const bool has = found != compared.end();
    out.push_back({{"workload", group_label(comparison, r)},
                   {"scheme", r.scheme},
                   {"seed", r.seed},
                   {"at", r.at},
                   {"simulation", simulation[i]},
                   {"compared", comparison.base_of[i] != Comparison::kNoBase},
                   {"cycles", run["cycles"]},
                   {"ipc", spread_of(repetitions(run, "ipc")).mean},
                   {"requests", run["off_chip_requests"]},
                   {"ipc_change", has ? change(found->second->ipc) : ordered_json(nullptr)},
                   {"off_chip_change", has ? change(found->second->requests) : ordered_json(nullptr)},
                   {"energy", energy[i]},
                   {"energy_change", has ? energy_change(energy[i], energy[found->second->base]) : nullptr}});
  }
  return out;
}

/// For each scheme, or place of a sweep of one: the geometric means over everything that it was compared in.
ordered_json headline_data(const Results& results, const Comparison& comparison, const std::vector<Figure>& figures) {
  struct Line {
    std::string name;
    std::vector<double> ipc, requests;
    std::set<std::size_t> simulations;
    std::set<std::string> workloads;
  };
  std::vector<Line> lines;
  const std::vector<std::size_t> simulation = simulations(results);
  for (const Compared& one : comparison.runs) {
    const ResultRun& r = results.runs[one.run];
    const bool first = std::all_of(r.at.begin(), r.at.end(), [](std::size_t v) { return v == 0; });
    if (comparison.alone && first) continue;
    const std::string name = comparison.alone ? r.scheme + " at " + place_text(results, r.at) : r.scheme;
    auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& l) { return l.name == name; });
    if (line == lines.end()) line = lines.insert(line, Line{name, {}, {}, {}, {}});
    line->simulations.insert(simulation[one.run]);
    line->workloads.insert(group_label(comparison, r));
    if (!one.ipc.empty()) line->ipc.push_back(spread_of(one.ipc).mean);
    if (!one.requests.empty()) line->requests.push_back(spread_of(one.requests).mean);
  }
  ordered_json out = ordered_json::array();
  for (const Line& line : lines) {
    const auto mean = [](const std::vector<double>& ratios) {
      return ratios.empty() ? ordered_json(nullptr) : ordered_json(100 * (geometric_mean(ratios) - 1));
    };
    ordered_json& item = out.emplace_back(ordered_json{{"name", line.name},
                                                       {"runs", line.simulations.size()},
                                                       {"workloads", line.workloads.size()},
                                                       {"ipc", mean(line.ipc)},
                                                       {"off_chip", mean(line.requests)}});
    if (!results.axes.empty()) continue;
    // As the bars say it, with their noise.
    for (const auto& [key, figure] : {std::pair{"ipc", 0}, {"off_chip", 1}})
      for (const FigureRow& row : figures[static_cast<std::size_t>(figure)].rows)
        if (row.group == "geometric mean" && row.series == line.name && row.value) {
          item[key] = *row.value;
          if (row.high) item[fmt::format("{}_half", key)] = (*row.high - *row.low) / 2;
        }
  }
  return out;
}

ordered_json integrity_data(const Results& results) {
  std::size_t runs = 0, corrupt = 0, wrong = 0;
  std::uint64_t checked = 0;
  const std::vector<std::size_t> simulation = simulations(results);
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const ResultRun& r = results.runs[i];
    if (simulation[i] < runs) continue;
    ++runs;
    corrupt += !r.run["integrity"].value("clean", false);
    wrong += !r.run["verify"].get<std::string>().empty();
    if (r.run["integrity"].contains("checked_sectors"))
      for (const auto& [source, count] : r.run["integrity"]["checked_sectors"].items())
        if (source != "l1" && source != "peer_l1")  // by their sums (l1/copies.h): the page speaks of bytes
          checked += count.get<std::uint64_t>();
  }
  return {{"runs", runs},
          {"corrupt", corrupt},
          {"wrong", wrong},
          {"checked", checked},
          {"failed", results.failures.size()},
          {"missing", results.missing}};
}

/// Of every scheme in the results that has hardware, on the machine it ran on.
ordered_json area_data(const Results& results, cost::Source& cacti, ordered_json& notes) {
  std::map<std::pair<std::string, std::string>, cost::Machine> seen;
  std::set<std::string> said;
  const auto note = [&](const std::string& text) {
    if (said.insert(text).second) notes.push_back(text);
  };
  ordered_json out = ordered_json::array();
  for (const ResultRun& r : results.runs) {
    const std::string profile = r.run["profile"].get<std::string>();
    const std::string scheme = r.run["scheme"].get<std::string>();  // whatever its parameters: they are not counted
    try {
      for (const std::string& text :
           cost::size_notes(cost::scheme_blocks(r.scheme), cost::RunFigures::from_json(r.run).parameters))
        note(fmt::format("Area on {}: {}", profile, text));
      const cost::Machine machine = machine_of_run(r.run);
      if (const auto [first, fresh] = seen.try_emplace({scheme, profile}, machine); !fresh) {
        if (!(first->second == machine))
          note(fmt::format("Area of {} on {}: of the first of several machines, {} SMs, {} controllers, {} KB of L2",
                           scheme, profile, first->second.sms, first->second.controllers,
                           first->second.slices * first->second.l2_slice_bytes / 1024));
        continue;
      }
      const cost::AreaReport area = cost::area_of(cost::scheme_blocks(scheme), machine, cacti, kNode);
      for (const std::string& text : area.notes) note(fmt::format("Area of {} on {}: {}", scheme, profile, text));
      if (area.blocks.empty()) continue;
      ordered_json entry = {{"scheme", scheme},
                            {"profile", profile},
                            {"node_nm", area.node_nm},
                            {"logic_mm2", area.logic_mm2},
                            {"storage_mm2", area.storage_mm2},
                            {"addition_mm2", area.addition_mm2},
                            {"l2_mm2", nullptr}};
      if (area.l2_mm2) entry["l2_mm2"] = *area.l2_mm2;
      out.push_back(std::move(entry));
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {  // a scheme, machine or memory without cost data
      note(fmt::format("No area for {} on {}: {}", scheme, profile, error.what()));
    }
  }
  return out;
}

/// Papers of the schemes, and the netlists of their hardware as "block/module@point".
struct OfSchemes {
  std::set<std::string> papers, netlists;
};

OfSchemes of_schemes(const Results& results) {
  std::set<std::string> names;
  for (const ResultRun& r : results.runs) names.insert(r.run["scheme"].get<std::string>());
  OfSchemes out;
  for (const std::string& name : names) try {
      for (const std::string& part : schemes::scheme_parts(name)) {
        const schemes::SchemeInfo& info = schemes::scheme_info(part);
        if (!info.paper.empty()) out.papers.insert(info.paper);
        for (const schemes::HardwareBlock& h : info.hardware)
          out.netlists.insert(fmt::format("{}/{}@{}", h.block, h.module, h.point));
      }
    } catch (const ConfigError&) {  // a scheme that this version does not know
      continue;
    }
  return out;
}

ordered_json block_data(const OfSchemes& wanted) {
  ordered_json out = ordered_json::array();
  const std::string_view folder = "synth/baseline/";
  for (unsigned i = 0; i < cost::kEmbeddedCount; ++i) {
    const std::string_view name = cost::kEmbedded[i].name;
    if (!name.starts_with(folder)) continue;
    const std::string block(name.substr(folder.size(), name.size() - folder.size() - 5));
    const ordered_json entries = ordered_json::parse(cost::kEmbedded[i].text);
    for (const auto& [key, e] : entries.items()) {
      if (!wanted.netlists.contains(fmt::format("{}/{}", block, key))) continue;
      out.push_back({{"block", block},
                     {"module", e["module"]},
                     {"point", e["point"]},
                     {"ge", e["ge"]},
                     {"registers", e["registers"]},
                     {"storage_bits", e["storage_bits"]},
                     {"ns", e["ns"]},
                     {"fo4", e["fo4"]}});
    }
  }
  return out;
}

/// Those of these papers.
ordered_json findings_of(const std::set<std::string>& papers, const ordered_json& all) {
  ordered_json out = ordered_json::array();
  for (const ordered_json& finding : all) {
    const auto id = finding["id"].get<std::string>();
    if (papers.contains(id.substr(0, id.find('.')))) out.push_back(finding);
  }
  return out;
}

Figure area_figure(const ordered_json& areas) {
  Figure f;
  f.kind = Figure::Kind::stack;
  f.id = f.section = "area";
  f.group_name = "machine";
  f.series_name = "scheme";
  f.y_label = "area";
  f.unit = "mm²";
  f.parts = {"logic", "storage"};
  for (const ordered_json& a : areas) {
    const auto scheme = a["scheme"].get<std::string>(), profile = a["profile"].get<std::string>();
    for (auto [list, name] : {std::pair{&f.groups, &profile}, {&f.series, &scheme}}) add_once(*list, *name);
    for (const std::string& part : f.parts) {
      FigureRow& row = f.rows.emplace_back();
      row.group = profile;
      row.series = scheme;
      row.part = part;
      row.value = a[part + "_mm2"].get<double>();
    }
  }
  f.title = fmt::format("Area of the hardware of {} at {} nm", list_of(f.series, "schemes"), kNode);
  return f;
}

template <class F>
std::vector<std::string> distinct(const Results& results, F&& get) {
  std::set<std::string> out;
  for (const ResultRun& r : results.runs) out.insert(get(r));
  return {out.begin(), out.end()};
}

}  // namespace

PageData page_data(const Results& results, const PageOptions& options) {
  const auto cacti = cost::make_source(options.cacti);
  Energies energies(*cacti, results.runs.size());
  ordered_json axes = ordered_json::array(), failures = ordered_json::array();
  std::vector<ordered_json> energy;
  for (const ResultRun& r : results.runs) energy.push_back(energies.of(r.run));
  const Comparison comparison = compare(results);
  const OfSchemes mine = of_schemes(results);
  for (const ResultAxis& a : results.axes) axes.push_back({{"name", a.name}, {"unit", a.unit}, {"values", a.labels}});
  ordered_json sources = ordered_json::array();
  for (const Source& s : results.sources) sources.push_back({{"file", s.file}, {"made", s.made}});
  for (const PointFailure& f : results.failures) failures.push_back({{"point", f.point}, {"error", f.error}});
  const auto workloads = distinct(results, [](const ResultRun& r) { return r.run["workload"].get<std::string>(); });
  const auto profiles = distinct(results, [](const ResultRun& r) { return r.run["profile"].get<std::string>(); });
  const auto seeds = distinct(results, [](const ResultRun& r) { return fmt::format("{}", r.seed); });

  ordered_json findings = ordered_json::array();
  for (const claims::Row& row : claims::hardware_rows("", *cacti)) findings.push_back(to_json(row));
  ordered_json area_notes = ordered_json::array();
  ordered_json areas = area_data(results, *cacti, area_notes);
  ordered_json integrity = integrity_data(results);
  std::vector<Figure> figures = run_figures(results, comparison, energy);
  ordered_json headline = headline_data(results, comparison, figures);
  for (Figure& f : curve_figures(results)) figures.push_back(std::move(f));
  if (!areas.empty()) figures.push_back(area_figure(areas));
  ordered_json drawn = ordered_json::array();
  for (const Figure& f : figures) drawn.push_back(to_json(f));

  std::string title = options.title, subtitle;
  if (results.runs.empty()) {
    std::vector<std::string> machines;
    for (const Curve& c : results.curves) add_once(machines, c.machine);
    if (title.empty()) title = fmt::format("warpsieve validate: {}", list_of(machines, "machines"));
    subtitle = fmt::format("machines: {}; {}", fmt::join(machines, ", "), run::version());
  } else {
    std::string compared = comparison.base;
    if (!comparison.runs.empty())
      compared = fmt::format("{} against {}", list_of(comparison.schemes, "schemes"), comparison.base_name);
    if (title.empty()) title = results.name.empty() ? compared : fmt::format("{}: {}", results.name, compared);
    subtitle = fmt::format("{} runs: {}; on {}; {}", integrity["runs"].get<std::size_t>(), fmt::join(workloads, ", "),
                           fmt::join(profiles, ", "), run::version());
  }
  std::size_t unmatched = 0;
  for (const std::size_t base : comparison.base_of) unmatched += base == Comparison::kNoBase;
  ordered_json json = {
      {"format", "warpsieve-report-2"},
      {"title", title},
      {"subtitle", subtitle},
      {"palette", kPalette},
      {"hues", kHues},
      {"steps", kSteps},
      {"base", comparison.base_name},
      {"schemes", comparison.schemes},
      {"seeds", comparison.seeds},
      {"unmatched", unmatched},
      {"headline", std::move(headline)},
      {"figures", std::move(drawn)},
      {"runs", runs_data(results, comparison, energy)},
      {"axes", std::move(axes)},
      {"at", usual_place(results)},
      {"failures", std::move(failures)},
      {"integrity", std::move(integrity)},
      {"areas", std::move(areas)},
      {"findings", findings_of(mine.papers, findings)},
      {"claims", claim_data(results, mine.papers, *cacti)},
      {"verdicts", claims::legend()},
      {"default_noise", claims::kDefaultNoise},
      {"blocks", block_data(mine)},
      {"notes", {{"energy", energies.note()}, {"area", std::move(area_notes)}}},
      {"provenance",
       {{"command", options.command},
        {"sources", std::move(sources)},
        {"version", run::version()},
        {"result_versions", results.versions},
        {"seeds", seeds},
        {"profiles", profiles},
        {"inputs", results.inputs},
        {"palette",
         fmt::format("{}, distinct for every kind of colour vision; maps in steps of cividis", kPaletteName)},
        {"sweep", results.sweep_text}}}};
  const std::vector<std::size_t> at = usual_place(results);
  for (Figure& f : figures) {
    const bool placed = std::any_of(f.rows.begin(), f.rows.end(), [](const FigureRow& r) { return !r.at.empty(); });
    f = at_place(f, at);
    if (placed) f.title += "; at " + place_text(results, at);
  }
  return {std::move(json), std::move(figures)};
}

}  // namespace warpsieve::report
