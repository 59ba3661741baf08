// ItemFields: payload of a module whose streams carry in_data_i and out_data_o, at most 64 bits (see StreamRtl).
#pragma once

#include "blocks/common/fifo.h"
#include "cosim/stream_rtl.h"

namespace warpsieve::common {

struct ItemFields {
  void put(auto& top, const FifoItem& item) const { top.in_data_i = item.data; }
  FifoItem get(const auto& top) const { return {top.out_data_o}; }
};

template <class V>
using ItemRtl = StreamRtl<V, FifoItem, FifoItem, ItemFields>;

}  // namespace warpsieve::common
