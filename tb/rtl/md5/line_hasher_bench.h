// What tests of any line hasher (MD5, SipHash) share: one line, and the time of one request.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include "blocks/md5/line_hasher.h"

namespace warpsieve::md5 {

inline std::array<std::uint8_t, kLineBytes> counting_line() {
  std::array<std::uint8_t, kLineBytes> line;
  for (unsigned i = 0; i < kLineBytes; ++i) line[i] = static_cast<std::uint8_t>(i * 37 + 11);
  return line;
}

/// Cycles from push to front on a ready hasher; leaves it ready again.
inline unsigned measure(LineHasher& hasher, const LineHashReq& req, Digest& digest) {
  EXPECT_TRUE(hasher.push(req));
  unsigned cycles = 0;
  while (!hasher.front() && cycles < 1000) {
    hasher.tick();
    ++cycles;
    if (!hasher.front()) {
      EXPECT_FALSE(hasher.ready());
    }
  }
  if (hasher.front()) digest = hasher.front()->digest;
  hasher.pop();
  hasher.tick();
  return cycles;
}

}  // namespace warpsieve::md5
