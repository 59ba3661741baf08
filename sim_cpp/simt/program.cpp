#include "simt/program.h"

#include <fmt/format.h>

namespace warpsieve::simt {

void Program::setup() {
  if (memory_.frozen()) throw std::logic_error(fmt::format("workload '{}': setup called twice", name_));
  build();
  memory_.freeze();
}

std::unique_ptr<Launch> Program::next_launch() {
  if (!memory_.frozen()) throw std::logic_error(fmt::format("workload '{}': next_launch before setup", name_));
  if (previous_finished_ && !*previous_finished_)
    throw std::logic_error(
        fmt::format("workload '{}': next launch asked for before the previous one has ended", name_));
  if (!host_) host_ = host();
  std::unique_ptr<KernelLaunch> l = host_.next();
  previous_finished_ = l ? l->finished() : nullptr;
  return l;
}

void RunCounts::add(const BlockTrace& block) {
  ++blocks;
  warps += block.warps.size();
  for (const WarpTrace& w : block.warps) {
    warp_instructions += w.warp_instructions();
    for (const WarpInstr& i : w.instrs) {
      loads += i.op == Op::load;
      stores += i.op == Op::store;
      atomics += i.op == Op::atomic;
      if (i.op != Op::load && i.op != Op::store && i.op != Op::atomic) continue;
      std::array<Addr, kLanes> sectors;
      const auto lanes = static_cast<unsigned>(std::popcount(i.mask));
      unsigned distinct = 0;
      for (unsigned l = 0; l < lanes; ++l) {
        const Addr s = w.address(i, l) / 32;
        if (distinct && sectors[distinct - 1] == s) continue;
        if (std::find(sectors.begin(), sectors.begin() + distinct, s) == sectors.begin() + distinct)
          sectors[distinct++] = s;
      }
      requests += distinct;
    }
  }
}

RunCounts run_launches(Workload& w) {
  RunCounts n;
  while (const auto l = w.next_launch()) {
    ++n.launches;
    for (std::uint32_t b = 0; b < l->shape().blocks; ++b) n.add(l->run_block(b));
    w.take_host_writes();
  }
  return n;
}

}  // namespace warpsieve::simt
