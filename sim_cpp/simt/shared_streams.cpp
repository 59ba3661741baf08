#include "simt/shared_streams.h"

#include <cstring>
#include <type_traits>

namespace warpsieve::simt {

namespace {

static_assert(std::has_unique_object_representations_v<WarpInstr>);

bool equal(const std::vector<WarpInstr>& a, const std::vector<WarpInstr>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(WarpInstr)) == 0);
}

}  // namespace

void SharedStreams::share(BlockTrace& block) {
  if (known_.size() < block.warps.size()) known_.resize(block.warps.size());
  for (std::size_t w = 0; w < block.warps.size(); ++w) {
    WarpTrace& trace = block.warps[w];
    if (known_[w] && equal(*known_[w], trace.instrs))
      trace.same = known_[w];
    else if (w > 0 && equal(block.warps[w - 1].stream(), trace.instrs))
      trace.same = block.warps[w - 1].same;
    else
      trace.same = std::make_shared<const std::vector<WarpInstr>>(std::move(trace.instrs));
    std::vector<WarpInstr>().swap(trace.instrs);  // an assignment would keep the memory
    known_[w] = trace.same;
  }
}

}  // namespace warpsieve::simt
