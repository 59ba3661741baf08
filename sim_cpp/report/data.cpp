// Runs, energy, area, claims and blocks, as the page's script reads them.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <new>
#include <set>

#include "cost/area.h"
#include "cost/claims.h"
#include "cost/embedded.h"
#include "cost/energy.h"
#include "memsys/profile.h"
#include "report/machine.h"
#include "report/measured.h"
#include "report/page.h"
#include "run/version.h"

namespace warpsieve::report {

namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kNode = 16;  // nm, as the papers compare
constexpr std::size_t kMostEnergies = 1000;

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

ordered_json run_data(const ResultRun& r, std::size_t simulation, Energies& energies) {
  const ordered_json& run = r.run;
  return {{"workload", run["workload"]},
          {"scheme", r.scheme},
          {"profile", run["profile"]},
          {"seed", r.seed},
          {"at", r.at},
          {"simulation", simulation},
          {"cycles", run["cycles"]},
          {"ipc", run["ipc"]},
          {"requests", run["off_chip_requests"]},
          {"energy", energies.of(run)}};
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

ordered_json staircase_data(const Results& results) {
  ordered_json out = ordered_json::array();
  for (const Staircase& s : results.staircases) {
    ordered_json measured = ordered_json::array(), references = ordered_json::array();
    for (const Staircase::Point& p : s.measured) measured.push_back({{"kib", p.kib}, {"cycles", p.cycles}});
    for (const Staircase::Point& p : s.references)
      references.push_back({{"kib", p.kib}, {"cycles", p.cycles}, {"what", p.what}, {"source", p.source}});
    out.push_back({{"machine", s.machine}, {"measured", std::move(measured)}, {"references", std::move(references)}});
  }
  return out;
}

ordered_json block_data() {
  ordered_json out = ordered_json::array();
  const std::string_view folder = "synth/baseline/";
  for (unsigned i = 0; i < cost::kEmbeddedCount; ++i) {
    const std::string_view name = cost::kEmbedded[i].name;
    if (!name.starts_with(folder)) continue;
    const std::string block(name.substr(folder.size(), name.size() - folder.size() - 5));
    const ordered_json entries = ordered_json::parse(cost::kEmbedded[i].text);
    for (const auto& [key, e] : entries.items())
      out.push_back({{"block", block},
                     {"module", e["module"]},
                     {"point", e["point"]},
                     {"ge", e["ge"]},
                     {"registers", e["registers"]},
                     {"storage_bits", e["storage_bits"]},
                     {"ns", e["ns"]},
                     {"fo4", e["fo4"]}});
  }
  return out;
}

template <class F>
std::vector<std::string> distinct(const Results& results, F&& get) {
  std::set<std::string> out;
  for (const ResultRun& r : results.runs) out.insert(get(r));
  return {out.begin(), out.end()};
}

}  // namespace

ordered_json page_data(const Results& results, const PageOptions& options) {
  const auto cacti = cost::make_source(options.cacti);
  Energies energies(*cacti, results.runs.size());
  ordered_json runs = ordered_json::array(), axes = ordered_json::array(), failures = ordered_json::array();
  const std::vector<std::size_t> simulation = simulations(results);
  for (std::size_t i = 0; i < results.runs.size(); ++i)
    runs.push_back(run_data(results.runs[i], simulation[i], energies));
  for (const ResultAxis& a : results.axes) axes.push_back({{"name", a.name}, {"unit", a.unit}, {"values", a.labels}});
  ordered_json sources = ordered_json::array();
  for (const Source& s : results.sources) sources.push_back({{"file", s.file}, {"made", s.made}});
  for (const PointFailure& f : results.failures) failures.push_back({{"point", f.point}, {"error", f.error}});
  const auto schemes = distinct(results, [](const ResultRun& r) { return r.scheme; });
  const auto workloads = distinct(results, [](const ResultRun& r) { return r.run["workload"].get<std::string>(); });
  const auto profiles = distinct(results, [](const ResultRun& r) { return r.run["profile"].get<std::string>(); });
  const auto seeds = distinct(results, [](const ResultRun& r) { return fmt::format("{}", r.seed); });
  std::string title = options.title;
  if (title.empty()) title = results.name.empty() ? fmt::format("{}", fmt::join(schemes, ", ")) : results.name;
  if (title.empty()) title = "warpsieve validate";

  const std::vector<cost::Finding> hardware = cost::all_findings(*cacti);
  ordered_json findings = ordered_json::array();
  for (const cost::Finding& f : hardware) findings.push_back(to_json(f));
  ordered_json area_notes = ordered_json::array();
  ordered_json areas = area_data(results, *cacti, area_notes);
  ordered_json integrity = integrity_data(results);
  std::string subtitle =
      fmt::format("{} runs: {}; {}; {}; {}", integrity["runs"].get<std::size_t>(), fmt::join(workloads, ", "),
                  fmt::join(schemes, ", "), fmt::join(profiles, ", "), run::version());
  if (results.runs.empty()) {
    std::vector<std::string> machines;
    for (const Staircase& s : results.staircases) machines.push_back(s.machine);
    subtitle = fmt::format("machines: {}; {}", fmt::join(machines, ", "), run::version());
  }
  return {{"format", "warpsieve-report-1"},
          {"title", title},
          {"subtitle", subtitle},
          {"runs", std::move(runs)},
          {"axes", std::move(axes)},
          {"failures", std::move(failures)},
          {"integrity", std::move(integrity)},
          {"staircases", staircase_data(results)},
          {"areas", std::move(areas)},
          {"findings", std::move(findings)},
          {"claims", claim_data(results, hardware)},
          {"blocks", block_data()},
          {"notes", {{"energy", energies.note()}, {"area", std::move(area_notes)}}},
          {"provenance",
           {{"command", options.command},
            {"sources", std::move(sources)},
            {"version", run::version()},
            {"result_versions", results.versions},
            {"seeds", seeds},
            {"profiles", profiles},
            {"inputs", results.inputs},
            {"sweep", results.sweep_text}}}};
}

}  // namespace warpsieve::report
