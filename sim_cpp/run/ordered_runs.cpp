#include "run/ordered_runs.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <stdexcept>

#include "core/errors.h"
#include "core/params.h"
#include "run/interrupt.h"

namespace warpsieve::run {

namespace {

using nlohmann::ordered_json;

/// What the parent gets: a result, or an error and whose mistake it was.
std::string outcome(const RunSpec& spec) {
  // Names of files may be no UTF-8.
  const auto text = [](const ordered_json& told) {
    return told.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  };
  try {
    const Simulated done = simulate(spec);
    return text({{"stats", done.result.stats},
                 {"integrity", done.result.integrity},
                 {"clean", done.result.clean},
                 {"verify", done.result.verify},
                 {"cycles", done.result.cycles},
                 {"warp_instructions", done.result.warp_instructions},
                 {"cpu_seconds", done.cpu_seconds},
                 {"last_cycle", done.last_cycle}});
  } catch (const std::bad_alloc&) {  // for the text: a run that does not fit is simulate()'s
    return text({{"error", NotEnoughMemory(fmt::format("{} under {}", spec.workload, spec.scheme)).what()},
                 {"of_caller", true}});
  } catch (const std::exception& e) {
    return text({{"error", e.what()}, {"of_caller", is_callers_mistake(e)}});
  }
}

Simulated simulated(const ordered_json& told) {
  Simulated out;
  out.result.stats = told.at("stats");
  out.result.integrity = told.at("integrity");
  out.result.clean = told.at("clean").get<bool>();
  out.result.verify = told.at("verify").get<std::string>();
  out.result.cycles = told.at("cycles").get<Cycle>();
  out.result.warp_instructions = told.at("warp_instructions").get<std::uint64_t>();
  out.cpu_seconds = told.at("cpu_seconds").get<double>();
  out.last_cycle = told.at("last_cycle").get<Cycle>();
  return out;
}

std::string end_of(int status) {
  return WIFSIGNALED(status) ? fmt::format("signal {} ({})", WTERMSIG(status), strsignal(WTERMSIG(status)))
                             : fmt::format("exit code {}", WEXITSTATUS(status));
}

}  // namespace

OrderedRuns::OrderedRuns(std::vector<RunSpec> specs, unsigned jobs) : jobs_(std::max(1u, jobs)) {
  for (RunSpec& spec : specs) runs_.push_back({std::move(spec), {}, {}, 0});
}

OrderedRuns::~OrderedRuns() {
  for (const Run& run : runs_)
    if (run.child) end_child(*run.child);
}

void OrderedRuns::watch(std::function<void(std::size_t, bool)> change, std::function<void()> waiting) {
  change_ = std::move(change);
  waiting_ = std::move(waiting);
}

void OrderedRuns::start_more() {
  const auto running = static_cast<std::size_t>(
      std::count_if(runs_.begin(), runs_.end(), [](const Run& run) { return run.child.has_value(); }));
  for (std::size_t n = running; n < jobs_ && started_ < runs_.size(); ++n, ++started_) {
    runs_[started_].child = start_child([&spec = runs_[started_].spec](int pipe) {
      write_all(pipe, outcome(spec));
      return 0;
    });
    change_(started_, false);
  }
}

/// Returns when a child writes or ends, a signal comes, or the time is over.
bool OrderedRuns::listen(int milliseconds) {
  std::vector<pollfd> set;
  std::vector<Run*> who;
  for (Run& run : runs_) {
    if (!run.child) continue;
    set.push_back({run.child->pipe, POLLIN, 0});
    who.push_back(&run);
  }
  if (poll(set.data(), set.size(), milliseconds) <= 0) return false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!set[i].revents) continue;
    std::array<char, 65536> buffer;
    const ssize_t n = read(set[i].fd, buffer.data(), buffer.size());
    if (n > 0) {
      who[i]->said.append(buffer.data(), static_cast<std::size_t>(n));
    } else if (n == 0) {
      who[i]->status = wait_for_end(*who[i]->child);
      who[i]->child.reset();
      change_(static_cast<std::size_t>(who[i] - runs_.data()), true);
    }
  }
  return true;
}

Simulated OrderedRuns::next() {
  Run& run = runs_.at(given_);
  do {
    throw_if_interrupted();
    start_more();
    if (run.child) listen(500);
    waiting_();
  } while (run.child);
  throw_if_interrupted();
  ++given_;
  if (run.said.empty())
    throw std::runtime_error(
        fmt::format("{} {}: the process ended with {}", run.spec.workload, run.spec.scheme, end_of(run.status)));
  const ordered_json told = ordered_json::parse(run.said);
  run.said.clear();
  if (!told.contains("error")) return simulated(told);
  const auto error = told.at("error").get<std::string>();
  if (told.at("of_caller").get<bool>()) throw ConfigError(error);
  throw std::runtime_error(error);
}

std::vector<std::pair<std::size_t, Simulated>> OrderedRuns::finished() {
  while (listen(0)) {
  }
  std::vector<std::pair<std::size_t, Simulated>> out;
  for (std::size_t i = given_; i < started_; ++i) {
    if (runs_[i].child) continue;
    const ordered_json told =
        ordered_json::parse(runs_[i].said, nullptr, false);  // an ended child may have said half
    if (told.is_object() && !told.contains("error")) out.emplace_back(i, simulated(told));
  }
  return out;
}

}  // namespace warpsieve::run
