// Flits: the number of flits of a packet on a network's links, and the cycles for which it occupies a port.
//
//   noc.header 0   its header is in the first flit:  (header + payload) / noc.flit_bytes, rounded up
//   noc.header 1   it is on wires beside the flits:  payload / noc.flit_bytes, rounded up; without payload 1
// Packets are handed to a network with their size in bytes, header included.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "memsys/profile.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

class Flits {
 public:
  explicit Flits(const NocParams& noc)
      : bytes_(noc.flit_bytes), add_(bytes_ - 1 - (noc.header == kHeaderBeside ? kHeaderBytes : 0)),
        inverse_((std::uint64_t{1} << 32) / bytes_ + 1), longest_(noc.packet_per_cycle ? 1 : ~0u) {
    static_assert(kHeaderBytes <= 8, "add_ must not be below -1, no packet is empty: noc.flit_bytes is at least 8");
  }
  /// Returns the flits of a packet of `bytes`, 1 to 2000.
  unsigned of(unsigned bytes) const {
    // A division is slow; this one is exact, for inverse_ is less than 2^-32 x bytes_ too large.
    return std::max(1u, static_cast<unsigned>((bytes + add_) * inverse_ >> 32));
  }
  /// Returns the cycles for which a packet of `flits` occupies its input and its output.
  unsigned cycles(unsigned flits) const { return std::min(flits, longest_); }
  std::string doc() const { return std::to_string(bytes_) + "-byte flits granted"; }

 private:
  unsigned bytes_;
  unsigned add_;  ///< what the sum needs to be rounded up
  std::uint64_t inverse_;
  unsigned longest_;
};

}  // namespace warpsieve::memsys
