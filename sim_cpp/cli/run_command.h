// warpsieve run: one or more workloads under one or more schemes, with real data and golden checks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

/// Without -p, for every scheme that is meant for no other machine.
inline constexpr const char* kUsualProfile = "cmd-quarter";

struct RunOptions {
  std::vector<std::string> workloads;
  std::string suite;  ///< instead of workloads: a paper's, or a TOML file
  std::string scheme = "cmd";
  std::vector<std::string> compare;  ///< further schemes, run first; figures are given relative to the first
  std::string profile;               ///< empty: the one that `scheme` is meant for
  std::string scale;                 ///< empty: full, or quarter for a profile whose name ends in -quarter
  std::string input;
  std::vector<std::string> sizes;  ///< workload parameters
  std::vector<std::string> set;    ///< profile and scheme parameters
  std::string backend = "model";
  std::string latency = "paper";    ///< or "measured": cost/timing.h
  std::vector<std::string> blocks;  ///< backend rules
  std::uint64_t seed = 1;
  unsigned repeat = 1;   ///< runs of each pair of workload and scheme, whose spread is the noise
  unsigned jobs = 1;     ///< simulations at a time; the results do not depend on it
  unsigned threads = 1;  ///< of each simulation; nor on this
  std::string json;
  std::vector<std::string> fst;  ///< waveforms: block@instance:first-last
  std::string fst_dir = ".";
  std::string listed;          ///< --list: this workload alone; empty: all
  bool asks_for_json = false;  ///< --json was given, which --list takes without a file
  bool wide = false, explain = false, quiet = false;
  std::string colour = "auto";  ///< or always, never
  std::string command;          ///< results_command
};

/// Adds the subcommand's options, bound to `options`.
void declare_run(CLI::App& command, RunOptions& options);
/// The command that was given, for the results. Without the options that change no result, so that the same results
/// stay the same bytes: where they go, how many at a time, which backends, waveforms.
std::string results_command(const CLI::App& command);
ExitCode run(const RunOptions& options);

}  // namespace warpsieve::cli
