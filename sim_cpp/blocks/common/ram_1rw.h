// ram_1rw: synchronous memory with one port, the wrapper of every larger memory that needs no more.
//
//   latency     1 cycle (rdata after the tick)    throughput  1 read or 1 write per cycle
//   lanes       a write changes the lanes of its mask
//   hold        rdata keeps its value in cycles without an access; across a write only with hold_data
// Lanes never written are undefined. A read and a write in one cycle is the user's mistake. RTL:
// rtl/common/ram_1rw.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "blocks/common/ram_1r1w.h"
#include "cosim/block.h"

namespace warpsieve::common {

struct PortParams {
  unsigned width = 32;     ///< bits per word
  unsigned depth = 64;     ///< words
  unsigned mask_bits = 1;  ///< lanes written apart, divides width
  bool hold_data = false;  ///< a write leaves rdata as it is
  unsigned lane_bits() const { return width / mask_bits; }
  bool operator==(const PortParams&) const = default;
};

struct SinglePortRam : Clocked {
  /// Writes the lanes whose bit of `mask` is set, lane 0 is bit 0.
  virtual void write(unsigned address, const RamWord& word, std::uint32_t mask) = 0;
  virtual void read(unsigned address) = 0;
  /// Lane of the last read, its lowest 64 bits; nothing (model) while it is undefined.
  virtual std::optional<std::uint64_t> lane(unsigned number) const = 0;
};

/// Backends model and rtl. Throws std::invalid_argument for any other and for a point not compiled.
std::unique_ptr<SinglePortRam> make_port_ram(const PortParams& params, Backend backend, std::string name = "ram_1rw");

}  // namespace warpsieve::common
