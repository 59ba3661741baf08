// plru_tree: tree pseudo-LRU of the ways of many sets, any number of ways from 2 to 64.
//
// The tree spans the next power of two; victims outside the range are skipped (decision A16): a node
// without a way in its upper half always points to its lower half. Touching a way turns every node on
// its path away from it, so the way touched last is never the victim. Reset: victim 0.
//
//   PlruSets         the state of many sets, for simulator caches (two mask operations per touch)
//   make_plru_tree   one set as a clocked block, with the RTL behind it (rtl/common/plru_tree.sv)
#pragma once

#include <bit>
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/block.h"

namespace warpsieve::common {

class PlruSets {
 public:
  PlruSets(std::size_t sets, unsigned ways) : paths_(ways), points_up_(sets) {
    assert(ways >= 2 && ways <= 64);
    const unsigned leaves = std::bit_ceil(ways);
    levels_ = static_cast<unsigned>(std::bit_width(leaves)) - 1;
    for (unsigned way = 0; way < ways; ++way) {
      unsigned node = 1;
      for (unsigned bit = levels_; bit-- > 0;) {
        const unsigned first_upper_way = ((2 * node + 1) << bit) - leaves;
        const bool upper = way >> bit & 1;
        if (first_upper_way < ways) {
          paths_[way].nodes |= std::uint64_t{1} << node;
          if (!upper) paths_[way].point_up |= std::uint64_t{1} << node;
        }
        node = 2 * node + upper;
      }
    }
  }
  void reset() { points_up_.assign(points_up_.size(), 0); }
  unsigned ways() const { return static_cast<unsigned>(paths_.size()); }
  void touch(std::size_t set, unsigned way) {
    points_up_[set] = (points_up_[set] & ~paths_[way].nodes) | paths_[way].point_up;
  }
  unsigned victim(std::size_t set) const {
    unsigned node = 1;
    for (unsigned level = 0; level < levels_; ++level) node = 2 * node + (points_up_[set] >> node & 1);
    return node - (1u << levels_);
  }

 private:
  struct Path {
    std::uint64_t nodes = 0;     ///< nodes on the way's path that have a choice
    std::uint64_t point_up = 0;  ///< those of them that a touch points to their upper half
  };
  std::vector<Path> paths_;
  std::vector<std::uint64_t> points_up_;  ///< per set, bit n: node n points to its upper half
  unsigned levels_;
};

/// One set in flip-flops. latency: a touch shows in victim() after the tick. One touch per cycle.
struct PlruTree : Clocked {
  virtual void touch(unsigned way) = 0;
  virtual unsigned victim() const = 0;
};

/// Throws std::invalid_argument when `backend` needs RTL and no compiled point has this number of ways.
std::unique_ptr<PlruTree> make_plru_tree(unsigned ways, Backend backend, std::string name = "plru_tree");

}  // namespace warpsieve::common
