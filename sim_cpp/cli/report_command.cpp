#include "cli/report_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/output_file.h"
#include "core/params.h"
#include "report/page.h"
#include "run/atomic_file.h"
#include "sweep/store.h"

namespace warpsieve::cli {

void declare_report(CLI::App& command, ReportOptions& o) {
  command.add_option(
      "results", o.results,
      "What `run --json` wrote (several are joined) and `validate --json`, or a sweep's directory or database");
  command.add_option("-o,--output", o.output, "HTML file to write");
  command.add_option("--title", o.title, "Title (default: the sweep's name, or the schemes)");
  command.add_option("--cacti", o.cacti, "Source of memory figures, as in `area`")->capture_default_str();
  command.add_flag("--licences", o.licences, "Print the licences of the report's own script");
}

ExitCode report(const ReportOptions& o) {
  if (o.licences) {
    fmt::print("{}", report::script_licences());
    return kOk;
  }
  if (o.results.empty()) throw ConfigError("report: no results given: what `run --json` wrote, or a sweep");
  if (o.output.empty()) throw ConfigError("report: no output file given: -o report.html");
  check_not_input(o.output, o.results);
  for (const std::string& result : o.results) sweep::Store(result).check_not_own(o.output);
  run::check_writable(o.output);
  const report::Results results = report::read_results(o.results);
  for (const std::string& warning : results.warnings) fmt::print(stderr, "warpsieve: {}\n", warning);
  const nlohmann::ordered_json data =
      report::page_data(results, {.title = o.title, .command = o.command, .cacti = o.cacti});
  const std::string page = report::page_html(data);
  run::write_atomically(o.output, page);
  fmt::print(beside(o.output), "{}: {} runs, {} KB\n", o.output, data["integrity"]["runs"].get<std::size_t>(),
             (page.size() + 1023) / 1024);
  return kOk;
}

}  // namespace warpsieve::cli
