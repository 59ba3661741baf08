// SharedStreams: the instructions of a launch's warps, once where warps have the same ones. Long kernels would need
// gigabytes for copies: a warp of a convolution has 100,000 instructions of 32 bytes, and hundreds are resident.
#pragma once

#include <vector>

#include "simt/warp_trace.h"

namespace warpsieve::simt {

class SharedStreams {
 public:
  /// Another launch.
  void clear() { known_.clear(); }
  /// Moves the instructions of every warp to `same`: those of the same warp of the block before, or of the warp
  /// before it, where they are equal.
  void share(BlockTrace& block);

 private:
  using Stream = std::shared_ptr<const std::vector<WarpInstr>>;
  std::vector<Stream> known_;  ///< of each warp of the block before
};

}  // namespace warpsieve::simt
