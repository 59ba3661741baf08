// Data for a trace that holds none.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "simt/warp_trace.h"

namespace warpsieve::trace::accelsim {

enum class Values : std::uint8_t {
  none,     ///< all zero, and schemes that look at data are refused
  zero,     ///< all zero
  random,   ///< uniform; what is written differs from what was there
  address,  ///< every 32-bit word holds the low 32 bits of its device address
};
/// As a trace calls them (kValues of format.h).
std::string_view name(Values values);
/// Throws TraceError for any other word.
Values parse_values(std::string_view text);

/// What a byte holds depends on its address and on the epoch of the last write: 0 is the start, and every launch and
/// every copy of the host is the next one. Threads of one launch that write to the same byte so agree, and memory at
/// the end does not depend on the order in which the simulated machine carries them out.
class ValueRule {
 public:
  ValueRule(Values values, std::uint64_t seed) : values_(values), seed_(seed) {}
  bool all_zero() const { return values_ == Values::none || values_ == Values::zero; }
  void fill(std::span<std::uint8_t> out, simt::Addr address, std::uint64_t epoch) const;

 private:
  std::uint8_t byte(simt::Addr address, std::uint64_t epoch) const;

  Values values_;
  std::uint64_t seed_;
};

}  // namespace warpsieve::trace::accelsim
