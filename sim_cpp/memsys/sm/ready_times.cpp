#include "memsys/sm/ready_times.h"

#include <fmt/format.h>

#include <stdexcept>

namespace warpsieve::memsys {

ReadyTimes::ReadyTimes(std::uint32_t schedulers, std::uint32_t each)
    : each_(each), at_(std::size_t{schedulers} * each, kNever), place_(at_.size()) {
  if (schedulers > kSchedulers || each > 64)
    throw std::invalid_argument(
        fmt::format("{} schedulers of {} slots: at most {} of 64", schedulers, each, kSchedulers));
  for (std::uint32_t slot = 0; slot < slots(); ++slot)
    place_[slot] = {static_cast<std::uint8_t>(slot / each), static_cast<std::uint8_t>(slot % each)};
}

/// Of the wheel or the far ones.
void ReadyTimes::take_out(std::uint32_t slot) {
  const std::uint32_t s = scheduler(slot);
  far_[s] &= ~bit(slot);
  OfAll& cycle = wheel_[at_[slot] % kSpan];
  cycle[s] &= ~bit(slot);
  if (cycle == OfAll{}) occupied_ &= ~(1u << bucket(at_[slot]));
}

void ReadyTimes::look_far() {
  far_next_ = kNever;
  for (std::uint32_t s = 0; s < kSchedulers; ++s)
    for (Slots left = far_[s]; left; left &= left - 1) {
      const Slots one = left & -left;
      const Cycle at = at_[s * each_ + static_cast<std::uint32_t>(std::countr_zero(left))];
      if (at > now_) {
        far_next_ = std::min(far_next_, at);
        continue;
      }
      far_[s] &= ~one;
      due_[s] |= one;
    }
}

}  // namespace warpsieve::memsys
