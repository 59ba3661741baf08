// Machines with clusters of SMs and hand-made kernels on them: one warp per SM, block i on SM i.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "schemes/registry.h"
#include "sim/memsys/toy.h"

namespace warpsieve::tb {

/// Two SMs in one cluster, one controller; clocks as in the latency tests of the memory model: launch 0 | issue 1 |
/// LSU 2 | link 3 | grant 4 | ...
inline memsys::Profile two_sms(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"gpu.sms=2",          "noc.cluster=2",         "l1.line_fill=1", "dram.latency=0",
                                  "dram.tREFI=1000000", "dram.command_mhz=1365", "l1.sets=64",     "l1.ways=6"};
  set.insert(set.end(), more.begin(), more.end());
  return tiny(set);
}

struct ClusterRun {
  ClusterRun(const std::string& name, const memsys::Profile& profile, ToyWorkload workload,
             std::vector<std::string> set = {}, Backend backend = Backend::model)
      : program(std::move(workload)),
        scheme(schemes::make_scheme(name, {.set = std::move(set), .backend = backend, .backends = {}})),
        gpu(profile, *scheme, program), result(gpu.run()) {}
  std::uint64_t stat(const std::string& name) { return gpu.stats().value(name); }
  ToyWorkload program;
  std::unique_ptr<memsys::Scheme> scheme;
  memsys::Gpu gpu;
  memsys::Result result;
};

/// One kernel whose block i is warp i.
inline ToyWorkload one_warp_each(const std::vector<WarpBuilder>& warps) {
  ToyWorkload w(1 << 16);
  w.add({warps.at(0)});
  for (std::size_t i = 1; i < warps.size(); ++i) w.block({warps[i]});
  return w;
}

/// Nothing until cycle `cycle` (1 + a multiple of 4), in which the next instruction that names the result issues.
inline std::uint32_t wait_until(WarpBuilder& warp, Cycle cycle) {
  return warp.alu(static_cast<std::uint16_t>((cycle - 1) / 4));
}

}  // namespace warpsieve::tb
