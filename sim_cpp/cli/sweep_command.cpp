#include "cli/sweep_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/json_output.h"
#include "cli/numbers.h"
#include "cli/table.h"
#include "cli/terminal_options.h"
#include "core/errors.h"
#include "core/params.h"
#include "run/atomic_file.h"
#include "run/interrupt.h"
#include "run/version.h"
#include "sweep/database.h"
#include "sweep/pool.h"
#include "sweep/progress.h"
#include "sweep/slurm.h"
#include "sweep/status.h"

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;
using sweep::State;

/// The directory of a sweep: as it is named, or beside the caller after the name of the file.
std::string directory_of(const SweepOptions& o) {
  if (!o.directory.empty()) return o.directory;
  return std::filesystem::path(o.file).stem().string() + ".sweep";
}

/// status and merge take the file or the directory, and speak of what `sweep run` read.
struct Existing {
  sweep::Store store;
  sweep::Sweep points;
  bool changed = false;        ///< a file was given and stands for something else now
  std::size_t new_points = 0;  ///< of the file now
};

/// Which of all that points are made of has changed.
std::string what_changed(const Existing& then, const std::string& file, const std::string& text) {
  std::error_code error;
  const std::string& ran = then.points.file;
  if (std::filesystem::is_regular_file(ran, error) && !std::filesystem::equivalent(ran, file, error) && !error)
    return fmt::format("{} has the results of {}, not of {}", then.store.directory(), ran, file);
  if (text != then.points.text) return file + " has changed since `sweep run`";
  if (run::version() != then.points.version)
    return fmt::format("this program has changed since `sweep run` of {}", file);
  return fmt::format("a file that {} names has changed since `sweep run`", file);
}

Existing existing(const SweepOptions& o) {
  std::error_code ignored;
  const bool there = std::filesystem::is_regular_file(o.file, ignored);
  const sweep::Store store(there || o.file.ends_with(".toml") ? directory_of(o) : o.file);
  Existing out{store, store.load()};
  if (!there) return out;
  const std::string text = run::read_text(o.file);
  std::string now;
  try {
    std::set<std::string> then;
    for (const sweep::Point& p : out.points.points) then.insert(p.id);
    const sweep::Sweep read = sweep::parse_sweep(text, o.file);
    for (const sweep::Point& p : read.points) out.new_points += !then.contains(p.id);
    now = fmt::format("{} points now, {} of them new", read.points.size(), out.new_points);
    out.changed = text != out.points.text || out.new_points != 0;
  } catch (const std::exception& error) {  // what ran is there all the same
    now = fmt::format("cannot be read now ({})", error.what());
    out.changed = true;
  }
  if (out.changed)
    fmt::print(stderr, "warpsieve: {}\n",
               one_line(fmt::format("{}: {}; this is about the {} points of then", what_changed(out, o.file, text),
                                    now, out.points.points.size())));
  return out;
}

/// A result that was cut is simulated again, and that is said. One that was changed is refused: a ConfigError.
void check_results(const sweep::Store& store, const sweep::Sweep& points) {
  for (const sweep::Point& p : points.points)
    if (const std::string cut = store.cut_result(p); !cut.empty())
      fmt::print(stderr, "warpsieve: {}\n",
                 one_line(fmt::format("{}: not a whole result (cut?): its point counts as missing", cut)));
  store.check_finished(points);
}

ExitCode interrupted() { throw run::Interrupted("interrupted"); }

ExitCode run_sweep(const SweepOptions& o) {
  const sweep::Sweep points = sweep::read_sweep(o.file);
  const sweep::Store store(directory_of(o));
  store.create(points);
  check_results(store, points);
  std::size_t done = 0, failed = 0;
  for (const sweep::Point& p : points.points) {
    const State state = store.state(p);
    if (state == State::failed && o.retry_failed) {
      store.forget_failure(p);
    } else {
      done += state == State::done;
      failed += state == State::failed;
    }
  }
  {
    sweep::ProgressBar bar(run::progress_output(STDERR_FILENO, o.quiet), points.name, points.points.size(),
                           done + failed);
    const std::string start = fmt::format("{} points, {} done, {} failed before; results in {}", points.points.size(),
                                          done, failed, store.directory());
    // A log is told what it goes on from; a first run says nothing there.
    if (done + failed)
      bar.tell(start);
    else
      bar.say(start);
    if (o.slurm.use) {
      run_on_slurm(store, points, o.slurm, bar);
    } else {
      const unsigned jobs = o.jobs ? o.jobs : std::max(1u, std::thread::hardware_concurrency());
      sweep::run_points(store, points.points, jobs, bar);
    }
  }
  const sweep::Status now = sweep::status_of(store, points);
  fmt::print("{}: {} of {} points done, {} failed; results in {}\n", points.name, now.done, now.total, now.failed,
             store.directory());
  if (run::interrupt_signal()) interrupted();
  for (const sweep::PointNote& failure : now.failures)
    fmt::print(stderr, "warpsieve: {}\n", one_line(failure.label + ": " + failure.text));
  return now.failed ? kWrong : kOk;
}

ExitCode run_task(const SweepOptions& o) {
  const sweep::Store store(o.file);
  const sweep::Task task = sweep::read_task(store, o.chunks, o.task);
  sweep::PoolOptions options;
  options.jobs = o.jobs ? o.jobs : 1;
  options.stop_after = task.stop_after;
  options.progress = [](const sweep::PoolProgress& p) {
    if (!p.finished.empty()) fmt::print("{}\n", p.finished);
    std::fflush(stdout);
  };
  const sweep::PoolOutcome outcome = sweep::run_points(store, task.points, options);
  if (outcome.interrupted) interrupted();
  return kOk;  // failed points are recorded; Slurm's own state says whether the task ended
}

ExitCode show_status(const SweepOptions& o) {
  const Existing sweep = existing(o);
  check_results(sweep.store, sweep.points);
  const sweep::Status s = sweep::status_of(sweep.store, sweep.points);
  if (o.json) {
    ordered_json out = {{"format", "warpsieve-status-1"},
                        {"name", s.name},
                        {"version", s.version},
                        {"total", s.total},
                        {"done", s.done},
                        {"failed", s.failed},
                        {"running", s.running},
                        {"missing", s.missing},
                        {"file_changed", sweep.changed},
                        {"new_points", sweep.new_points},
                        {"left_seconds", nullptr},
                        {"peak_megabytes", nullptr},
                        {"failures", ordered_json::array()},
                        {"runners", ordered_json::array()}};
    if (s.left_seconds) out["left_seconds"] = *s.left_seconds;
    if (s.peak) out["peak_megabytes"] = s.peak->megabytes;
    for (const auto& f : s.failures) out["failures"].push_back({{"point", f.label}, {"error", f.text}});
    for (const auto& r : s.runners) out["runners"].push_back({{"point", r.label}, {"process", r.text}});
    print_json(out);
    return kOk;
  }
  fmt::print("{} ({}): {} points: {} done, {} running, {} failed, {} missing", s.name, s.version, s.total, s.done,
             s.running, s.failed, s.missing);
  if (s.missing + s.running > 0 && s.left_seconds) fmt::print("; about {} left", run::duration_text(*s.left_seconds));
  if (s.peak) fmt::print("; at most {:.0f} MB of memory ({})", s.peak->megabytes, s.peak->group);
  fmt::print("\n");
  for (const auto& r : s.runners) fmt::print("running  {}  [{}]\n", r.label, r.text);
  for (const auto& f : s.failures) fmt::print("failed   {}: {}\n", f.label, f.text);
  return kOk;
}

ExitCode merge_sweep(const SweepOptions& o) {
  const Existing sweep = existing(o);
  const sweep::Store& store = sweep.store;
  check_results(store, sweep.points);
  const std::string path = o.database.empty() ? store.path("sweep.sqlite") : o.database;
  const sweep::Merged merged = sweep::merge(store, path);
  fmt::print("{}: {} points, {} of them failed, {} new; {} still missing\n", path, merged.done + merged.failed,
             merged.failed, merged.added, merged.missing);
  return kOk;
}

ExitCode list_sweep(const SweepOptions& o) {
  const sweep::Sweep points = sweep::read_sweep(o.file);
  Table table({{"point", Table::Align::left}, {"what", Table::Align::left}, {"combinations"}});
  std::vector<std::size_t> uses(points.points.size(), 0);
  for (const sweep::Row& row : points.rows) ++uses[row.point];
  for (std::size_t i = 0; i < points.points.size(); ++i)
    table.add({points.points[i].id.substr(0, 12), points.points[i].label(), fmt::format("{}", uses[i])});
  fmt::print("{}\n{}: {} points for {} combinations\n", table.text(), points.name, points.points.size(),
             points.rows.size());
  return kOk;
}

CLI::App* action(CLI::App& command, SweepOptions& o, const char* name, const char* doc) {
  return command.add_subcommand(name, doc)->final_callback([&o, name] { o.action = name; });
}

}  // namespace

void declare_sweep(CLI::App& command, SweepOptions& o) {
  command.require_subcommand(1);
  CLI::App* run = action(command, o, "run", "Simulate what is missing, here or on Slurm");
  run->add_option("file", o.file,
                  "Sweep file (TOML), see sweep/README.md in the sources' sim_cpp or in share/doc/warpsieve")
      ->required();
  run->add_option("-o,--output", o.directory, "Directory of the results (default: FILE's name with .sweep)");
  run->add_option("-j,--jobs", o.jobs, "Points at a time, each with one thread (default: all processors)")
      ->transform(whole_number(1, 1024));
  add_quiet(*run, o.quiet);
  add_slurm(*run, o.slurm);
  run->add_flag("--retry-failed", o.retry_failed, "Run failed points again");
  CLI::App* status = action(command, o, "status", "What is done, running and failed, and how long the rest takes");
  status->add_option("sweep", o.file, "Directory of the results, or the sweep file")->required();
  status->add_flag("--json", o.json, "JSON on standard output");
  CLI::App* merge = action(command, o, "merge", "All results into one SQLite file");
  merge->add_option("sweep", o.file, "Directory of the results, or the sweep file")->required();
  merge->add_option("-o,--output", o.database, "Database (default: sweep.sqlite in the directory)");
  CLI::App* list = action(command, o, "list", "The points of a sweep file, without simulating");
  list->add_option("file", o.file, "Sweep file (TOML)")->required();
  CLI::App* task = action(command, o, "task", "One task of a job array (Slurm calls this)");
  task->group("");  // not for people
  task->add_option("directory", o.file)->required();
  task->add_option("--chunks", o.chunks)->required();
  task->add_option("--task", o.task)->required();
  task->add_option("-j,--jobs", o.jobs);
}

ExitCode sweep_command(const SweepOptions& o) {
  if (o.action == "run") return run_sweep(o);
  if (o.action == "status") return show_status(o);
  if (o.action == "merge") return merge_sweep(o);
  if (o.action == "list") return list_sweep(o);
  return run_task(o);
}

}  // namespace warpsieve::cli
