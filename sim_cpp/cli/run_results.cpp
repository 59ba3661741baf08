#include "cli/run_results.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/terminal.h"
#include "core/output_file.h"
#include "core/spread.h"
#include "run/run_json.h"
#include "run/version.h"
#include "schemes/registry.h"

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;

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

ordered_json to_json(const std::vector<double>& values) {
  const Spread s = spread_of(values);
  return {{"mean", s.mean}, {"deviation", s.deviation}, {"half_interval_95", s.half}, {"values", values}};
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

ordered_json repeats(const RunRow& row) {
  ordered_json out = {
      {"count", row.ipc.size()}, {"ipc", to_json(row.ipc)}, {"off_chip_requests", to_json(row.requests)}};
  if (!row.ipc_changes.empty()) out["ipc_change_percent"] = to_json(row.ipc_changes);
  if (!row.request_changes.empty()) out["off_chip_change_percent"] = to_json(row.request_changes);
  return out;
}

}  // namespace

RunResults::RunResults(const RunOptions& options, const std::vector<std::string>& schemes,
                       const std::vector<run::WaveformRequest>& waveforms)
    : options_(options), schemes_(schemes), waveforms_(waveforms), to_(beside(options.json)), json_(options.json) {}

void RunResults::add(std::size_t n, const run::RunSpec& spec, const run::Simulated& done) {
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
    row.workload = spec.workload;
    row.scheme = schemes_[scheme];
    row.cycles = fmt::format("{}", r.cycles);
    row.off_chip = count("total");
    for (const RequestColumn& column : request_columns()) {
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

void RunResults::show() {
  if (!runs_.empty()) {
    std::vector<const RunRow*> rows;
    for (const auto& [pair, row] : rows_)
      if (!row.workload.empty()) rows.push_back(&row);  // else interrupted before the machine as it is was run
    const RunTable table = run_table(rows, options_.wide ? 0 : width_of(to_), has_colours(to_, options_.colour));
    fmt::print(to_, "{}\n\n{}", table.text, table.left_out);
  }
  json_.finish();
}

ExitCode RunResults::conclude() {
  if (!options_.json.empty()) json_.update(results_text(options_, runs_, true));
  show();
  fmt::print(to_, "{}{}", averages(), meaning());
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
  if (options_.explain) fmt::print(to_, "\n{}\n", explained_columns());
  fmt::print(to_, "{}", waveform_lines_);
  if (!options_.json.empty()) fmt::print(to_, "statistics: {}\n", options_.json);
  for (const std::string& warning : warnings_) fmt::print(stderr, "warpsieve: {}\n", warning);
  if (!problems_.empty()) fmt::print(stderr, "{}", problems_);
  return problems_.empty() ? kOk : kWrong;
}

/// A line for each further scheme: its IPC over all workloads, relative to the first one's.
std::string RunResults::averages() const {
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
    out += fmt::format("IPC of {} relative to {}, {} workloads: mean {:.3f}, geometric mean {:.3f}, median {:.3f}\n",
                       schemes_[scheme], schemes_[0], sorted.size(), sum / n, std::exp(logarithms / n), median);
  }
  return out;
}

std::string RunResults::meaning() const {
  const std::string changes =
      schemes_.size() > 1
          ? fmt::format("changes are against {}: more IPC and fewer off-chip requests are better; ", schemes_.front())
          : "";
  return changes + "clean: every byte read matched a golden memory; --explain: what each column means\n";
}

}  // namespace warpsieve::cli
