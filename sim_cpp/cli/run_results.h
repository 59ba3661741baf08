// What `warpsieve run` has finished: its table, its JSON, and what is to be said at the end.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/run_command.h"
#include "cli/run_table.h"
#include "run/atomic_file.h"
#include "run/simulate.h"
#include "run/waveform_request.h"

namespace warpsieve::cli {

class RunResults {
 public:
  RunResults(const RunOptions& options, const std::vector<std::string>& schemes,
             const std::vector<run::WaveformRequest>& waveforms);

  /// The n-th run: the repetitions of the first scheme of the first workload, then those of the next scheme. Changes
  /// are relative to the same repetition of the first scheme, if it has ended.
  void add(std::size_t n, const run::RunSpec& spec, const run::Simulated& done);
  /// The table and the JSON of what is finished.
  void show();
  ExitCode conclude();

 private:
  struct Figures {
    double ipc, requests;
  };
  struct Row : RunRow {
    std::size_t run = ~std::size_t{0};  ///< its place in the JSON
  };
  std::string averages() const;
  std::string meaning() const;

  const RunOptions& options_;
  const std::vector<std::string>& schemes_;
  const std::vector<run::WaveformRequest>& waveforms_;
  std::FILE* to_;
  run::GrowingOutput json_;
  std::map<std::size_t, Row> rows_;         ///< by pair of workload and scheme
  std::map<std::size_t, Figures> figures_;  ///< of each run, by its number
  nlohmann::ordered_json runs_ = nlohmann::ordered_json::array();
  std::string problems_, waveform_lines_;
  std::set<std::string> warnings_;  ///< about workloads, whatever the scheme
  double seconds_ = 0, peak_ = 0;
  std::uint64_t instructions_ = 0;
};

}  // namespace warpsieve::cli
