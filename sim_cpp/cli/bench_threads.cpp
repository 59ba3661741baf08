#include "cli/bench_threads.h"

#include <algorithm>
#include <string>
#include <thread>

namespace warpsieve::cli {

namespace {

using nlohmann::ordered_json;

double ratio(double part, double all) { return all > 0 ? part / all : 0; }

double speed_up(const ThreadRuns& runs) { return ratio(runs[0].second.wall_seconds, runs[1].second.wall_seconds); }

/// To the middle: the turn with the median speed-up.
void sort(std::vector<ThreadRuns>& turns) {
  std::stable_sort(turns.begin(), turns.end(),
                   [](const ThreadRuns& a, const ThreadRuns& b) { return speed_up(a) < speed_up(b); });
}

}  // namespace

std::vector<unsigned> thread_counts() {
  std::vector<unsigned> out = {1, 2};
  if (const unsigned cores = std::thread::hardware_concurrency(); cores > 2) out.push_back(cores);
  return out;
}

double predicted_seconds(const Measured& two, unsigned threads) {
  const std::array<unsigned, 3> steps = {std::max(two.shared.partitions, 1u), std::max(two.shared.sms, 1u), 2};
  double seconds = two.wall_seconds;
  for (const WorkerTeam::Times& phase : two.shared.phases) seconds -= phase.inside / 2;  // the rest
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const WorkerTeam::Times& phase = two.shared.phases[i];
    const auto share = [&](unsigned n) { return static_cast<double>((steps[i] + n - 1) / n) / steps[i]; };
    seconds += phase.working * share(threads);
    if (threads > 1) seconds += std::max(0.0, phase.inside / 2 - phase.working * share(2));  // its barriers
  }
  return seconds;
}

double median_speed_up(const std::vector<ThreadRuns>& turns) {
  std::vector<ThreadRuns> sorted = turns;
  sort(sorted);
  return speed_up(sorted[sorted.size() / 2]);
}

ordered_json threads_detail(std::vector<ThreadRuns> turns) {
  sort(turns);
  const ThreadRuns& runs = turns[turns.size() / 2];
  const Measured& one = runs[0].second;
  const Measured& two = runs[1].second;
  ordered_json out = {{"runs", ordered_json::array()}, {"predicted_speed_up", ordered_json::object()}};
  bool wrong = false;
  for (const auto& [threads, m] : runs) {
    double inside = 0, working = 0;
    for (const WorkerTeam::Times& phase : m.shared.phases) {
      inside += phase.inside;
      working += phase.working;
    }
    const auto windows = static_cast<double>(m.shared.windows.windows);
    out["runs"].push_back({{"threads", threads},
                           {"wall_seconds", m.wall_seconds},
                           {"cpu_seconds", m.cpu_seconds},
                           {"speed_up", ratio(one.wall_seconds, m.wall_seconds)},
                           {"memory", ratio(m.peak_bytes, one.peak_bytes)},
                           {"in_barriers", ratio(inside - working, m.wall_seconds * threads)},
                           {"windows", m.shared.windows.windows},
                           {"windows_by_one_thread", ratio(static_cast<double>(m.shared.windows.alone), windows)},
                           {"windows_in_steps", ratio(static_cast<double>(m.shared.windows.stepped), windows)}});
  }
  for (const unsigned threads : {1, 2, 4, 8, 16, 64})
    out["predicted_speed_up"][std::to_string(threads)] = ratio(one.wall_seconds, predicted_seconds(two, threads));
  out["speed_ups"] = ordered_json::array();
  for (const ThreadRuns& turn : turns) {
    out["speed_ups"].push_back(speed_up(turn));
    for (const auto& run : turn) wrong = wrong || run.second.wrong;
  }
  out["wrong"] = wrong;
  return out;
}

}  // namespace warpsieve::cli
