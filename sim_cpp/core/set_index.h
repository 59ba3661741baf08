// SetIndex: the set of a cache that a line belongs to: its number modulo the number of sets, or a hash of it.
#pragma once

#include <bit>
#include <cstdint>

#include "core/index_hash.h"

namespace warpsieve {

class SetIndex {
 public:
  /// With a hash, `sets` is a power of two.
  SetIndex(std::uint32_t sets, HashKind kind)
      : sets_(sets), last_(std::has_single_bit(sets) ? sets - 1 : 0),
        bits_(static_cast<unsigned>(std::countr_zero(sets))), hash_(kind, bits_) {}
  std::uint32_t operator()(std::uint32_t line) const {
    if (!last_) return line % sets_;
    return (line & last_) ^ hash_(line >> bits_);
  }

 private:
  std::uint32_t sets_;
  std::uint32_t last_;  ///< sets - 1 for a power of two, else 0: a division is slow
  unsigned bits_;       ///< of the number of a set
  IndexHash hash_;
};

}  // namespace warpsieve
