// The metadata cache of rtl/metadata_cache as it is counted for area: sectors of 256 bits, a row of tags per set.
#pragma once

#include <string>
#include <utility>

#include "schemes/scheme.h"

namespace warpsieve::schemes {

/// `tag_bits` of all ways of a set; `sets_parameter` is the scheme parameter that sets them.
inline HardwareBlock metadata_hardware(std::string point, std::string what, std::uint32_t sectors, std::uint32_t sets,
                                       std::uint32_t tag_bits, std::string sets_parameter) {
  return {.block = "metadata_cache",
          .module = "metadata_cache",
          .point = std::move(point),
          .what = std::move(what),
          .memories = {{"sectors", 256, sectors}, {"tags", tag_bits, sets}},
          .sizes = {{std::move(sets_parameter), sets}}};
}

}  // namespace warpsieve::schemes
