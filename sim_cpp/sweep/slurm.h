// Points on a cluster: job arrays of Slurm, whose tasks are `warpsieve sweep task`. The directory of the sweep must
// be visible to every node under the same path, and so must the program.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sweep/store.h"

namespace warpsieve::sweep {

/// Places in a list of points that one task works through.
using Chunk = std::vector<std::size_t>;

/// Chunks of at least `seconds` each by the times of finished points, at most `most` of them; without any times,
/// nothing can be said and all is one chunk. A last chunk that would be too short joins the one before.
std::vector<Chunk> make_chunks(const std::vector<Point>& points, const Times& times, double seconds,
                               std::size_t most);

struct SlurmOptions {
  double chunk_seconds = 30;
  std::size_t most_tasks = 1000;         ///< of one array (Slurm's MaxArraySize is 1001 unless changed)
  unsigned attempts = 3;                 ///< arrays that may have a point without finishing it
  std::vector<std::string> sbatch = {};  ///< further arguments: "--partition=long"
  double poll_seconds = 2;
  std::function<void(std::size_t done, std::size_t failed, std::size_t running, const std::string& line)> progress =
      {};
};

struct SlurmOutcome {
  std::size_t arrays = 0, tasks = 0;
  bool interrupted = false;  ///< the array under way was cancelled
};

/// Submits what is missing, waits, submits again what tasks left behind (killed, node lost). A first task of
/// `chunk_seconds` finds out how long points take. Points that no attempt finishes are recorded as failed. Throws
/// ConfigError when Slurm cannot be used.
SlurmOutcome run_on_slurm(const Store& store, const Sweep& sweep, const SlurmOptions& options);

/// The chunk of an array's task; throws ConfigError.
struct Task {
  std::vector<Point> points;
  double stop_after = 0;
};
Task read_task(const Store& store, const std::string& chunks_file, std::size_t number);

}  // namespace warpsieve::sweep
