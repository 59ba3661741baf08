// lru: true least-recently-used order of the ways of many sets.
//
// Per set a permutation of the ways, most recently used first; reset order 0, 1, 2, ... Any number of
// ways from 1 to 64. touch() is a search and a move of at most `ways` bytes; nothing allocates after
// construction. The same operation as rtl/common/lru.sv, which keeps the order elsewhere too.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace warpsieve::common {

class LruSets {
 public:
  LruSets(std::size_t sets, unsigned ways) : ways_(ways), order_(sets * ways) {
    assert(ways >= 1 && ways <= 64);
    reset();
  }
  void reset() {
    for (std::size_t at = 0; at < order_.size(); at += ways_) {
      std::iota(order_.begin() + at, order_.begin() + at + ways_, std::uint8_t{0});
    }
  }
  unsigned ways() const { return ways_; }
  /// Position 0 is the most recently used way.
  std::span<const std::uint8_t> order(std::size_t set) const { return {&order_[set * ways_], ways_}; }
  /// `order` must be a permutation of the ways (restores a saved state).
  void set_order(std::size_t set, std::span<const std::uint8_t> order) {
    assert(order.size() == ways_);
    std::memcpy(&order_[set * ways_], order.data(), ways_);
  }
  /// `way` becomes the most recently used; the others keep their order.
  void touch(std::size_t set, unsigned way) {
    assert(way < ways_);
    std::uint8_t* order = &order_[set * ways_];
    if (order[0] == way) return;
    const auto* at = static_cast<const std::uint8_t*>(std::memchr(order, static_cast<int>(way), ways_));
    std::memmove(order + 1, order, static_cast<std::size_t>(at - order));
    order[0] = static_cast<std::uint8_t>(way);
  }
  unsigned victim(std::size_t set) const { return order_[set * ways_ + ways_ - 1]; }
  /// Least recently used way whose bit in `eligible` is set; none when no way is eligible.
  std::optional<unsigned> victim(std::size_t set, std::uint64_t eligible) const {
    const std::uint8_t* order = &order_[set * ways_];
    for (unsigned p = ways_; p-- > 0;) {
      if (eligible >> order[p] & 1) return order[p];
    }
    return std::nullopt;
  }

 private:
  unsigned ways_;
  std::vector<std::uint8_t> order_;
};

}  // namespace warpsieve::common
