// Part: marks the constructors of what one thread has of a thing that several share: `Stats mine(kPart, whole)`.
#pragma once

namespace warpsieve {

struct Part {
  explicit Part() = default;
};
inline constexpr Part kPart{};

}  // namespace warpsieve
