// Eager: whether a consumer is ready while nothing is offered to it, which must change nothing in the RTL. It is in
// half of such cycles, at random, in the same ones in each run.
#pragma once

#include <cstdint>

namespace warpsieve {

class Eager {
 public:
  bool next() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 31;
  }

 private:
  std::uint32_t state_ = 1;
};

}  // namespace warpsieve
