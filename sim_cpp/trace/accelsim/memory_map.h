// Device memory of an imported trace: the pages that the traced program used, side by side.
//
//   traced addresses          device memory
//   [page 5] ... [page 9]     [5][9][local memory]      pages of 64 KiB in ascending order
//
// The simulator's device memory is one range of at most 4 GiB below 2^40; traced addresses have 47 bits and gaps.
// Within a page nothing moves, and neighbouring pages stay neighbours.
#pragma once

#include <cstdint>
#include <set>
#include <vector>

#include "simt/warp_trace.h"

namespace warpsieve::trace::accelsim {

class MemoryMap {
 public:
  static constexpr unsigned kPageShift = 16;
  static constexpr simt::Addr kBase = 0x10000000;
  static constexpr std::uint64_t kMaxBytes = std::uint64_t{4} << 30;

  /// False when this were too much memory.
  bool use(std::uint64_t address, std::uint64_t bytes);
  bool use_local(std::uint64_t bytes);

  /// After the last use().
  void settle();
  /// A used traced address. What was used in one piece is one piece here.
  simt::Addr device(std::uint64_t address) const;
  simt::Addr local() const { return kBase + (static_cast<simt::Addr>(sorted_.size()) << kPageShift); }
  std::uint64_t bytes() const { return local() - kBase + local_bytes_; }

 private:
  std::size_t place(std::uint64_t page) const;

  std::set<std::uint64_t> pages_;
  std::vector<std::uint64_t> sorted_;
  std::uint64_t last_ = ~std::uint64_t{0};  ///< page used last: most uses repeat it
  std::uint64_t local_bytes_ = 0;           ///< a multiple of 256
  mutable std::size_t found_ = 0;
};

}  // namespace warpsieve::trace::accelsim
