// What `warpsieve bench` says of runs with several threads: speed-up, memory, time in barriers, and a model on paper
// of how many threads pay.
//
//   T(N) = rest + sum over the phases of a window (memsys/windows.h):
//            work x ceil(steps / N) / steps + calls x barrier
//   work     time in steps of the phase;  rest: wall time outside of phases, by one thread
//   steps    SMs, partitions or the two networks: no phase has more to share
//   barrier  what a call with two threads costs beyond its work. The model takes it for any N
// All figures are those of the run with two threads, so its own time checks the model only where steps do not divide
// evenly; the run with one thread is predicted, and so are those with more.
#pragma once

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cli/measure.h"

namespace warpsieve::cli {

/// 1, 2 and as many as the host has cores, each once.
std::vector<unsigned> thread_counts();
/// Runs of the same simulation, by thread_counts().
using ThreadRuns = std::vector<std::pair<unsigned, Measured>>;
/// Other work on the host makes single runs differ by a third and more.
inline constexpr unsigned kThreadTurns = 3;
/// Of two threads against one; at least one turn.
double median_speed_up(const std::vector<ThreadRuns>& turns);
/// The turn with that speed-up, and the speed-ups of all.
nlohmann::ordered_json threads_detail(std::vector<ThreadRuns> turns);
/// Seconds that the run, with two threads, would take with `threads`.
double predicted_seconds(const Measured& two, unsigned threads);

}  // namespace warpsieve::cli
