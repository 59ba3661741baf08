// ram_1r1w: one-read one-write synchronous memory, the wrapper of every larger memory.
//
//   latency     1 cycle (rdata after the tick)    throughput  1 read and 1 write per cycle
//   collision   a read returns the word from before a write of the same cycle
//   hold        rdata keeps its value in cycles without a read
// Words never written are undefined. RTL: rtl/common/ram_1r1w.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/block.h"

namespace warpsieve::common {

struct RamParams {
  unsigned width = 32;  ///< bits per word
  unsigned depth = 64;  ///< words
  bool operator==(const RamParams&) const = default;
};

/// Little-endian, (width + 7) / 8 bytes, unused top bits zero.
using RamWord = std::vector<std::uint8_t>;

struct Ram : Clocked {
  virtual void write(unsigned address, const RamWord& word) = 0;
  virtual void read(unsigned address) = 0;
  /// Word of the last read; empty (model) while it is undefined.
  virtual RamWord rdata() const = 0;
};

/// Backends model and rtl. Throws std::invalid_argument for any other and for a point not compiled.
std::unique_ptr<Ram> make_ram(const RamParams& params, Backend backend, std::string name = "ram_1r1w");

}  // namespace warpsieve::common
