// The workload suite: names, parameters, construction.
//
//   auto w = make_workload("bfs", {.set = {{"vertices", "4096"}}, .scale = Scale::quarter});
//
// Every size is a declared parameter with a value per scale: `paper` is the input of the benchmark suite's standard
// run, or three times an L2 of 4 MB where none is known; `full` takes seconds, `quarter` fits the quarter-scale
// machine (1 MB of L2), `small` is for tests. Unknown names and bad values throw WorkloadError with one line that
// names the nearest known one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/errors.h"
#include "simt/warp_trace.h"

namespace warpsieve::workloads {

class WorkloadError : public BadInput {
 public:
  using BadInput::BadInput;
};

enum class Scale { paper, full, quarter, small };
/// "paper, full, quarter or small"
extern const char* const kScales;
Scale parse_scale(std::string_view text);

/// One parameter. Integers have a range; a text parameter lists its choices.
struct Parameter {
  std::string name;
  std::string full, quarter, small;  ///< default for each scale
  std::string unit;
  std::string doc;
  std::int64_t min = 0, max = 0;     ///< integers: allowed range
  std::vector<std::string> choices;  ///< texts: allowed values; empty for integers
  std::string paper = {};            ///< default at scale `paper`; empty: as at `full`

  const std::string& default_for(Scale s) const {
    if (s == Scale::paper && !paper.empty()) return paper;
    return s == Scale::small ? small : s == Scale::quarter ? quarter : full;
  }
};

/// What a workload is at scale `paper`.
struct PaperScale {
  std::string standard = {};                      ///< input of the suite's standard run, and why ours differs
  std::map<std::string, std::string> sizes = {};  ///< parameters that differ from `full`
};

struct WorkloadInfo {
  std::string name;
  std::string suite;
  std::string doc;    ///< one line
  std::string input;  ///< which files the `input` option takes; empty for none
  std::vector<Parameter> parameters;
  std::string expected = {};  ///< what the kernels must show at full size, from the benchmark sources
  bool uses_seed = true;      ///< false: the benchmark's input is a formula
  PaperScale paper = {};
};

struct WorkloadOptions {
  std::string input = {};                       ///< graph, mesh or point file instead of the generator
  std::map<std::string, std::string> set = {};  ///< parameter overrides
  Scale scale = Scale::full;
  std::uint64_t seed = 1;
};

/// Checked parameter values, as a workload's constructor gets them.
class Settings {
 public:
  Settings(const WorkloadInfo& info, const WorkloadOptions& options);
  std::int64_t integer(const std::string& name) const;
  int count(const std::string& name) const { return static_cast<int>(integer(name)); }
  const std::string& text(const std::string& name) const;
  const std::string& input() const { return options_.input; }
  std::uint64_t seed() const { return options_.seed; }
  /// Every parameter, given or default, by name.
  std::map<std::string, std::string> values() const;
  /// WorkloadError for a given parameter that was not read: a size of the generator beside an input file.
  void check_all_read() const;

 private:
  WorkloadOptions options_;
  std::map<std::string, std::string> texts_;
  std::map<std::string, std::int64_t> integers_;
  mutable std::set<std::string> read_;
};

/// By name. Throws WorkloadError when two workloads have the same name.
const std::vector<WorkloadInfo>& workload_list();
const WorkloadInfo& workload_info(std::string_view name);
/// A WorkloadError about an input file begins with its name.
std::unique_ptr<simt::Workload> make_workload(std::string_view name, const WorkloadOptions& options = {});

/// An integer parameter and a text parameter, in one line each.
Parameter integer_parameter(std::string name, std::int64_t full, std::int64_t quarter, std::int64_t small,
                            std::int64_t min, std::int64_t max, std::string unit, std::string doc);
Parameter choice_parameter(std::string name, std::string value, std::vector<std::string> choices, std::string doc);

/// What each workload file defines, as a function `WorkloadEntry NAME_entry()` (found by list_entries.cmake).
struct WorkloadEntry {
  WorkloadInfo info;
  std::unique_ptr<simt::Workload> (*make)(const Settings&);
};
/// Those of the files here. Written by list_entries.cmake.
std::vector<WorkloadEntry> all_entries();
/// For workloads outside the tree: call it at the start of main(), before anything else of this library. They then
/// are workloads like the others, in every command. Throws std::logic_error when the list is in use already.
void register_workload(WorkloadEntry entry);

}  // namespace warpsieve::workloads
