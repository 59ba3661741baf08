// What tests of any line hasher (MD5, SipHash) share: lines, the time of one request, and what every line hasher must
// do.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "blocks/md5/line_hasher.h"
#include "support/lockstep.h"
#include "support/property.h"

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

/// The first bytes of a line; the rest is 0.
inline std::array<std::uint8_t, kLineBytes> line_of(std::span<const std::uint8_t> bytes) {
  std::array<std::uint8_t, kLineBytes> line{};
  std::copy_n(bytes.begin(), std::min(bytes.size(), line.size()), line.begin());
  return line;
}

inline void bytes_outside_the_mask_do_not_matter(LineHasher& hasher) {
  for (unsigned mask = 0; mask < 16; ++mask) {
    auto other = counting_line();
    for (unsigned i = 0; i < kLineBytes; ++i) {
      if (!(mask >> (i / kSectorBytes) & 1)) other[i] ^= 0xff;
    }
    Digest one{}, two{};
    measure(hasher, {counting_line(), static_cast<std::uint8_t>(mask)}, one);
    measure(hasher, {other, static_cast<std::uint8_t>(mask)}, two);
    EXPECT_EQ(one, two) << mask;
  }
}

inline void equal_sectors_under_different_masks_differ(LineHasher& hasher) {
  std::vector<Digest> digests(16);
  for (unsigned mask = 0; mask < 16; ++mask) measure(hasher, {{}, static_cast<std::uint8_t>(mask)}, digests[mask]);
  for (unsigned a = 0; a < 16; ++a) {
    for (unsigned b = 0; b < a; ++b) EXPECT_NE(digests[a], digests[b]) << a << " and " << b;
  }
}

inline void held_until_taken_and_ready_one_cycle_later(LineHasher& hasher, const Digest& of_counting_line) {
  ASSERT_TRUE(hasher.push({counting_line(), 0xf}));
  for (int i = 0; !hasher.front(); ++i) {
    ASSERT_LT(i, 1000);
    hasher.tick();
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_FALSE(hasher.push({{}, 0x3}));  // refused, and must leave no trace
    hasher.tick();
    ASSERT_NE(hasher.front(), nullptr);
    EXPECT_EQ(hasher.front()->digest, of_counting_line);
  }
  hasher.pop();
  EXPECT_FALSE(hasher.ready());
  hasher.tick();
  EXPECT_TRUE(hasher.ready());
  EXPECT_TRUE(hasher.idle());
  EXPECT_EQ(hasher.front(), nullptr);
}

/// A hasher, and what it must answer.
struct HasherAndReference {
  std::unique_ptr<LineHasher> hasher;
  std::function<Digest(const LineHashReq&)> digest;
};

/// Few random lines and masks under back-pressure. `make` may draw from RapidCheck: it is called for each case.
inline void random_lines(const std::string& name, const std::function<HasherAndReference()>& make) {
  tb::check_property(name, 300, [&] {
    const HasherAndReference pair = make();
    std::vector<LineHashReq> reqs(*rc::gen::inRange(1u, 5u));
    std::vector<LineHashRsp> expected;
    for (auto& req : reqs) {
      req.data = *rc::gen::arbitrary<std::array<std::uint8_t, kLineBytes>>();
      req.mask = static_cast<std::uint8_t>(*rc::gen::inRange(0, 16));
      expected.push_back({pair.digest(req)});
    }
    const tb::Pressure pressure{*rc::gen::inRange(5u, 101u), *rc::gen::inRange(5u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    RC_ASSERT(tb::drive_stream(*pair.hasher, reqs, reqs.size(), pressure) == expected);
  });
}

/// Batch number `batch` of a long run: 1,000 random lines.
inline void batch_of_lines(const HasherAndReference& pair, std::mt19937_64& random, unsigned batch) {
  std::vector<LineHashReq> reqs(1000);
  std::vector<LineHashRsp> expected;
  for (auto& req : reqs) {
    for (unsigned i = 0; i < kLineBytes; i += 8) {
      const std::uint64_t word = random();
      for (unsigned b = 0; b < 8; ++b) req.data[i + b] = static_cast<std::uint8_t>(word >> (8 * b));
    }
    req.mask = static_cast<std::uint8_t>(random() % 16);
    expected.push_back({pair.digest(req)});
  }
  const tb::Pressure pressure{50 + batch % 51, 50 + (batch / 7) % 51, batch + 1};
  ASSERT_EQ(tb::drive_stream(*pair.hasher, reqs, reqs.size(), pressure), expected) << batch;
}

}  // namespace warpsieve::md5
