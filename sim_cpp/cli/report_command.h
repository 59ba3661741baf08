// warpsieve report: one HTML file from results, and its figures as files.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_codes.h"

namespace CLI {
class App;
}

namespace warpsieve::cli {

struct ReportOptions {
  std::vector<std::string> results;
  std::string output, figures, title, cacti = "auto";
  bool licences = false;
  std::string command;  ///< as it was given, for the report itself
};

void declare_report(CLI::App& command, ReportOptions& options);
ExitCode report(const ReportOptions& options);

}  // namespace warpsieve::cli
