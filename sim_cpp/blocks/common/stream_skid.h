// stream_skid: register slice that cuts a ready/valid stream in both directions.
//
//   latency     1 cycle        throughput  1 item per cycle, also under back-pressure
//   holds       2 items; ready while fewer are held (state only)
// From outside it is a FIFO of two items, and the model is one. RTL: rtl/common/stream_skid.sv.
#pragma once

#include "blocks/common/fifo.h"

namespace warpsieve::common {

struct StreamSkidParams {
  unsigned width = 32;  ///< bits per item, 1..64 in the model
  bool operator==(const StreamSkidParams&) const = default;
};

using StreamSkid = Block<FifoItem, FifoItem>;

/// Throws std::invalid_argument when `backend` needs RTL and no compiled point has these parameters.
std::unique_ptr<StreamSkid> make_stream_skid(const StreamSkidParams& params, Backend backend,
                                             std::string name = "stream_skid");

}  // namespace warpsieve::common
