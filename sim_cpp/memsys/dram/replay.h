// Replay of a list of accesses on one DRAM channel that stands alone: what a user does to check the channel
// against bounds worked out by hand, or against another simulator.
//
//   clock      everything in command cycles (core clock = command clock, no fixed latency)
//   order      accesses enter their queue in the order of the list; one that is due waits while its queue is
//              full, and the later ones with it
//   idle time  costs nothing, however long
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "memsys/dram/dram.h"

namespace warpsieve::memsys {

struct DramAccess {
  std::uint64_t cycle = 0;    ///< earliest command cycle at which it may enter the queue; 0: at once
  std::uint64_t address = 0;  ///< a multiple of 32, below DramMap::bytes()
  bool write = false;
};

/// Which address bits select what, from bit 0 up: "o5,c6,g2,b2,r15" (offset, column, bank group, bank, row).
/// Fields may be split ("o5,c2,g2,c4,b2,r15"). Throws ConfigError when the bits of a field do not add up to
/// the channel's.
class DramMap {
 public:
  DramMap(const DramParams& params, const std::string& text);
  std::uint64_t bytes() const { return std::uint64_t{1} << bits_; }
  /// The same place in the channel's own address order (encode).
  std::uint64_t channel_address(const DramParams& params, std::uint64_t address) const;

 private:
  struct Field {
    char what;
    unsigned bits;
  };
  std::vector<Field> fields_;
  unsigned bits_ = 0;
};

struct DramReplay {
  std::uint64_t reads = 0, writes = 0;  ///< accesses
  std::uint64_t cycles = 0;             ///< command cycles from 0 to the end of the last data burst
  std::uint64_t read_latency = 0;       ///< sum over reads: from entering the queue to the last data
  std::uint64_t worst_read = 0;
  std::uint64_t bursts = 0, row_hits = 0, activates = 0, refreshes = 0, forwarded = 0, data_bus_cycles = 0;
};

/// `trace`: receives every command when not null. `params.core_mhz` and `.latency` are not used.
DramReplay replay(DramParams params, const std::vector<DramAccess>& accesses, std::vector<DramCommand>* trace);

}  // namespace warpsieve::memsys
