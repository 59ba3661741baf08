// The long run of whatever hashes lines with SipHash: 500,000 random lines and masks under 500 keys.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <random>

#include "../md5/line_hasher_bench.h"
#include "blocks/siphash/line_hasher.h"
#include "support/long_run.h"

namespace warpsieve::siphash {

inline void half_a_million_lines(unsigned seed, const std::function<md5::HasherAndReference(const Key&)>& make) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 500,000 lines per point";
  std::mt19937_64 random(seed);
  for (unsigned batch = 0; batch < 500; ++batch) {
    Key key;
    for (auto& byte : key) byte = static_cast<std::uint8_t>(random());
    md5::batch_of_lines(make(key), random, batch);
    if (testing::Test::HasFatalFailure()) return;
  }
  tb::report_transactions(500 * 1000);
}

}  // namespace warpsieve::siphash
