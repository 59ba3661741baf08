// The workloads of the survey by name.
#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>

#include "backprop.h"
#include "bfs.h"
#include "cfd.h"
#include "dwt2d.h"
#include "fast_walsh.h"
#include "gaussian.h"
#include "hotspot.h"
#include "kmeans.h"
#include "nn.h"
#include "pathfinder.h"
#include "vecadd.h"

namespace warpsieve::hardware {

struct ProgramEntry {
  const char* name;
  std::unique_ptr<Program> (*make)(const Setup&);
  bool takes_input = false;  ///< a file, in the formats that the workload of this name reads
};

template <class P>
std::unique_ptr<Program> make_program(const Setup& s) {
  return std::make_unique<P>(s);
}

inline constexpr std::array<ProgramEntry, 11> kPrograms{{{"backprop", make_program<Backprop>},
                                                         {"bfs", make_program<Bfs>, true},
                                                         {"cfd", make_program<Cfd>, true},
                                                         {"dwt2d", make_program<Wavelet>, true},
                                                         {"fast_walsh", make_program<FastWalsh>},
                                                         {"gaussian", make_program<Gaussian>, true},
                                                         {"hotspot", make_program<Hotspot>},
                                                         {"kmeans", make_program<KMeans>, true},
                                                         {"nn", make_program<NearestNeighbours>},
                                                         {"pathfinder", make_program<Pathfinder>},
                                                         {"vecadd", make_program<VecAdd>}}};

/// Throws std::invalid_argument for a name that none has.
inline const ProgramEntry& program_entry(const std::string& name) {
  std::string known;
  for (const ProgramEntry& e : kPrograms) {
    if (name == e.name) return e;
    known += std::string(known.empty() ? "" : ", ") + e.name;
  }
  throw std::invalid_argument("no workload '" + name + "' in the survey: expected one of " + known);
}

}  // namespace warpsieve::hardware
