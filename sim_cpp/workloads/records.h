// Wide records from registers.
#pragma once

#include <array>

#include "simt/vec.h"

namespace warpsieve::workloads {

/// Registers side by side as the members of R, for one wide store; free, as taking a record apart is.
template <class R, class... M>
simt::Vec<R> packed(const simt::Vec<M>&... parts) {
  std::array<R, simt::kLanes> v;
  for (unsigned l = 0; l < simt::kLanes; ++l) v[l] = R{parts[l]...};
  std::uint32_t last = simt::kNoProducer;
  for (const std::uint32_t p : {parts.producer()...})
    if (p != simt::kNoProducer && (last == simt::kNoProducer || p > last)) last = p;
  return simt::Vec<R>(v, last);
}

}  // namespace warpsieve::workloads
