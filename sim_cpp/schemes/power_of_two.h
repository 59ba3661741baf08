// Sizes that blocks index by address bits.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "core/params.h"

namespace warpsieve::schemes {

struct NamedSize {
  std::string_view name;
  std::uint32_t value;
};

/// Throws ConfigError "rata.sets = 5: expected a power of two" for the first that is none.
inline void expect_powers_of_two(std::initializer_list<NamedSize> sizes) {
  for (const NamedSize& size : sizes)
    if (!std::has_single_bit(size.value))
      throw ConfigError(fmt::format("{} = {}: expected a power of two", size.name, size.value));
}

}  // namespace warpsieve::schemes
