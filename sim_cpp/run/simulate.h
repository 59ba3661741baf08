// One simulation: a workload under a scheme on a machine. `warpsieve run` and every point of a sweep call this, so
// that both give the same statistics for the same request.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "cosim/waveform.h"
#include "memsys/gpu.h"
#include "run/waveform_request.h"

namespace warpsieve::run {

/// Noise is looked at with 0, 1 and 2 cycles more in both latencies: all pairs. On a mesh, with 0 to 8 in that of
/// DRAM.
inline constexpr unsigned kRepetitions = 9;

/// Of one simulation.
inline constexpr unsigned kMostThreads = 256;

struct RunSpec {
  std::string workload, scheme;  ///< workload: a name, or trace:FILE, which takes no scale, input, sizes
  std::string profile = "cmd-quarter";
  std::string scale;               ///< empty: full, or quarter for a profile whose name ends in -quarter
  std::string input;               ///< file instead of the generator, empty: none
  std::vector<std::string> sizes;  ///< workload parameters, "vertices=4096"
  std::vector<std::string> set;    ///< machine and scheme parameters, "cmd.fifo_entries=8"
  std::string backend = "model";
  std::vector<std::string> blocks;  ///< backend rules
  std::uint64_t seed = 1;
  /// Repetitions of one run differ by a cycle or two in the latency of the network and of the DRAM, so that their
  /// spread is the noise of the order of requests. 0: the machine as it is; at most kRepetitions - 1.
  unsigned repetition = 0;
  /// Blocks to dump; those that the scheme does not have are left out. A dumped block runs as RTL. Not part of a
  /// point's identity: it changes no result.
  std::vector<WaveformRequest> waveforms;
  std::string waveform_prefix;  ///< of the files' names
  /// That simulate it, at most: fewer where those are faster, by measurement (WARPSIEVE_ALL_THREADS=1: never fewer),
  /// and one with waveforms. Not part of a point's identity: they change no result.
  unsigned threads = 1;
};

/// "name=value" as a map, the last of each name; throws WorkloadError.
std::map<std::string, std::string> size_settings(const std::vector<std::string>& sizes);

struct Simulated {
  memsys::Result result;
  double cpu_seconds = 0;
  Cycle last_cycle = 0;                    ///< of the simulation, copies by the host and the final read-back included
  std::vector<WrittenWaveform> waveforms;  ///< `window` is the index of the request in the spec
  double wall_seconds = 0;
  /// How several threads shared it (memsys/windows.h). All zero: one did all.
  struct Shared {
    std::array<WorkerTeam::Times, memsys::Windows::kNetworks + 1> phases;  ///< by Windows::Phase
    memsys::Windows::Counts windows;
    unsigned sms = 0, partitions = 0;
  } shared;
};

using ProgressFunction = std::function<void(const memsys::Progress&)>;

/// BadInput (NotEnoughMemory among them: sizes are the caller's), std::invalid_argument (a block's parameters),
/// std::filesystem::filesystem_error: what the caller got wrong; everything else that is thrown went wrong here.
bool is_callers_mistake(const std::exception& error);
/// Throws what is_callers_mistake() knows for what the caller got wrong, Interrupted after a signal (interrupt.h),
/// and whatever a simulation that fails throws.
Simulated simulate(const RunSpec& spec, const ProgressFunction& progress = {});
/// Finds what simulate() would refuse before it starts, the contents of input files and traces excepted.
void check(const RunSpec& spec);

}  // namespace warpsieve::run
