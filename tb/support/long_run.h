// What a long test (WARPSIEVE_LONG=1) went through. scripts/regress adds it up per block and asks for a million.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>

namespace warpsieve::tb {

/// Transactions whose every cycle the test compared between model and RTL.
inline void report_transactions(std::uint64_t count) {
  fmt::print("[ long     ] {} transactions\n", count);
  std::fflush(stdout);
}

}  // namespace warpsieve::tb
