// Bench: a machine on which microbenchmarks run. Steady state is the difference between a short and a long run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "memsys/profile.h"
#include "validate/machine.h"
#include "validate/program.h"

namespace warpsieve::validate {

inline constexpr std::uint64_t kLine = 128;
inline constexpr std::uint32_t kLanes = simt::kLanes;

struct Bench {
  MachineSpec spec;
  memsys::Profile profile;
  bool quick = false;

  Figures run(const std::string& name, std::uint32_t blocks, std::uint32_t warps, std::uint64_t bytes,
              Program::WriteWarp write, std::uint32_t registers = 32) const {
    Program program({name, blocks, warps * kLanes, 0, registers}, bytes, std::move(write));
    return run_program(spec, program);
  }
  double peak_bytes_per_cycle() const {
    return profile.controllers * profile.dram.peak_gbytes() * 1000.0 / profile.dram.core_mhz;
  }
  std::uint64_t l2_bytes() const {
    return std::uint64_t{2} * profile.controllers * profile.l2.sets * profile.l2.ways * kLine;
  }
  Bench with(std::vector<std::string> set) const {
    MachineSpec changed = spec;
    changed.set.insert(changed.set.end(), set.begin(), set.end());
    return {changed, memsys::load_profile(changed.profile, changed.set), quick};
  }
};

/// Core cycles of the long run beyond those of the short one.
template <class F>
double steady(F&& cycles, std::uint64_t from, std::uint64_t to) {
  return cycles(to) - cycles(from);
}

/// Core cycles per dependent load. One block loads a sector of every line, unless the footprint is far larger than
/// the L2. Then one lane of it reads the lines in random order, each load after the one before.
double chase(const Bench& b, std::uint64_t footprint);

}  // namespace warpsieve::validate
