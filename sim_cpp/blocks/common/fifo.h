// fifo: first-in first-out buffer, any depth from 1.
//
//   latency     1 cycle        throughput  1 item per cycle in each direction, at most depth/2
//   ready       while fewer than `depth` items are held (state only: a full FIFO that is popped in
//               this cycle takes its next item one cycle later)
// RTL: rtl/common/fifo.sv. Compiled RTL points: rtl/common/points.txt.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "cosim/block.h"

namespace warpsieve::common {

struct FifoParams {
  unsigned width = 32;  ///< bits per item, 1..64 in the model
  unsigned depth = 8;   ///< items
  bool operator==(const FifoParams&) const = default;
};

struct FifoItem {
  std::uint64_t data = 0;
  bool operator==(const FifoItem&) const = default;
};
std::string describe(const FifoItem& item);

using Fifo = Block<FifoItem, FifoItem>;

/// Throws std::invalid_argument when `backend` needs RTL and no compiled point has these parameters.
std::unique_ptr<Fifo> make_fifo(const FifoParams& params, Backend backend, std::string name = "fifo");

}  // namespace warpsieve::common
