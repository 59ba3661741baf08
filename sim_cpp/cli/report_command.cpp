#include "cli/report_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "core/output_file.h"
#include "core/params.h"
#include "report/page.h"
#include "report/svg.h"
#include "run/atomic_file.h"
#include "sweep/store.h"

namespace warpsieve::cli {

namespace {

namespace fs = std::filesystem;

std::string file_of(const std::string& folder, const report::Figure& figure, const char* ending) {
  return (fs::path(folder) / (figure.id + ending)).string();
}

/// Before the work: the folder is there and can be written, and is not that of a sweep.
void prepare_folder(const std::string& folder, const std::vector<std::string>& results) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw ConfigError(fmt::format("{}: cannot write: expected a folder for --figures: {}", folder,
                                  error ? error.message() : "it is a file"));
  const std::string file = (fs::path(folder) / "ipc.csv").string();
  for (const std::string& result : results) sweep::Store(result).check_not_own(file);
  run::check_writable(file);
}

}  // namespace

void declare_report(CLI::App& command, ReportOptions& o) {
  command.add_option(
      "results", o.results,
      "What `run --json` wrote (several are joined), `validate --json` and `workloads --format json`, or a sweep's "
      "directory or database");
  command.add_option("-o,--output", o.output, "HTML file to write");
  command.add_option("--figures", o.figures, "Folder to write every chart into, as SVG and as CSV");
  command.add_option("--title", o.title, "Title (default: what is compared)");
  command.add_option("--cacti", o.cacti, "Source of memory figures, as in `area`")->capture_default_str();
  command.add_flag("--licences", o.licences, "Print the licences of the report's own script");
}

ExitCode report(const ReportOptions& o) {
  if (o.licences) {
    fmt::print("{}", report::script_licences());
    return kOk;
  }
  if (o.results.empty()) throw ConfigError("report: no results given: what `run --json` wrote, or a sweep");
  if (o.output.empty() && o.figures.empty())
    throw ConfigError("report: no output given: -o report.html, --figures FOLDER, or both");
  std::FILE* to = stdout;
  if (!o.output.empty()) {
    check_not_input(o.output, o.results);
    for (const std::string& result : o.results) sweep::Store(result).check_not_own(o.output);
    run::check_writable(o.output);
    to = beside(o.output);
  }
  if (!o.figures.empty()) prepare_folder(o.figures, o.results);
  const report::Results results = report::read_results(o.results);
  for (const std::string& warning : results.warnings) fmt::print(stderr, "warpsieve: {}\n", warning);
  const report::PageData data =
      report::page_data(results, {.title = o.title, .command = o.command, .cacti = o.cacti});
  if (!o.output.empty()) {
    const std::string page = report::page_html(data.json);
    run::write_atomically(o.output, page);
    fmt::print(to, "{}: {} runs, {} KB\n", o.output, data.json["integrity"]["runs"].get<std::size_t>(),
               (page.size() + 1023) / 1024);
  }
  if (!o.figures.empty()) {
    for (const report::Figure& f : data.figures) {
      run::write_atomically(file_of(o.figures, f, ".svg"), report::to_svg(f));
      run::write_atomically(file_of(o.figures, f, ".csv"), report::to_csv(f));
    }
    fmt::print(to, "{}: {} figures, each as SVG and as CSV\n", o.figures, data.figures.size());
  }
  return kOk;
}

}  // namespace warpsieve::cli
