// One warp on one SM and one controller under the four systems of the JUSTIT paper.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/schemes/support.h"

namespace warpsieve::tb {

/// One sector of a line, by one lane (a one-sector request).
inline WarpBuilder::Lanes one(unsigned line, unsigned sector) { return {{0, line * 128u + sector * 32u}}; }
/// Two sectors of a line, by two lanes.
inline WarpBuilder::Lanes two(unsigned line, unsigned first, unsigned second) {
  return {{0, line * 128u + first * 32u}, {1, line * 128u + second * 32u}};
}

/// One warp whose every instruction waits for the one before and for the stores to have reached the L2.
class Chain {
 public:
  Chain& load(const WarpBuilder::Lanes& lanes) {
    last_ = {warp_.load(lanes, 4, last_)};
    return *this;
  }
  Chain& store(const WarpBuilder::Lanes& lanes, std::uint8_t value) {
    warp_.store(
        lanes, 4, [value](unsigned lane, unsigned b) { return static_cast<std::uint8_t>(value + lane + b); }, last_);
    return wait();
  }
  Chain& atomic(const WarpBuilder::Lanes& lanes) {
    last_ = {warp_.atomic(lanes, simt::AtomicOp::add_u32, [](unsigned) { return 1u; })};
    return *this;
  }
  /// Long enough for anything under way to arrive.
  Chain& wait() {
    last_ = {warp_.alu(1000, last_)};
    return *this;
  }
  const WarpBuilder& warp() const { return warp_; }

 private:
  WarpBuilder warp_;
  std::vector<std::uint32_t> last_;
};

inline ToyWorkload chain_workload(const Chain& chain, std::uint32_t shared_bytes = 0) {
  ToyWorkload w(1 << 16);
  w.add({chain.warp()}).shared_bytes = shared_bytes;
  return w;
}

}  // namespace warpsieve::tb
