// Bit masks of port and field widths.
#pragma once

#include <cstdint>

namespace warpsieve {

/// The lowest `bits` bits set; all 32 for 32 and more.
constexpr std::uint32_t low_bits(unsigned bits) { return bits >= 32 ? ~0u : (1u << bits) - 1; }

}  // namespace warpsieve
