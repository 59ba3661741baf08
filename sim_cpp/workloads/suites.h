// Suites as data: which workloads, with which parameters, a paper's study runs.
//
//   doc = "what the paper looks at"
//   [[run]]
//   workload = "bfs"
//   vertices = 65536        # any parameter of the workload; the rest keep the scale's defaults
//
// The files of sim_cpp/configs/suites are compiled in and known by their stem; `all` is every workload.
#pragma once

#include <string>
#include <vector>

#include "workloads/registry.h"

namespace warpsieve::workloads {

struct SuiteRun {
  std::string workload;
  std::map<std::string, std::string> set;
};

struct Suite {
  std::string name, doc;
  std::vector<SuiteRun> runs;
};

std::vector<std::string> suite_names();
/// A built-in suite, or a file when the name has a '/' or ends in .toml. Every workload and parameter is
/// checked; WorkloadError names the file and the line.
Suite load_suite(const std::string& name_or_path);
/// The same from text; `file` stands in messages.
Suite parse_suite(const std::string& name, const std::string& file, std::string_view text);

}  // namespace warpsieve::workloads
