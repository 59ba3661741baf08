// ESD and the zero-latency hash: what they read and write for hand-made traces.
#include <gtest/gtest.h>

#include "core/secded.h"
#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

const Pattern kEsdP = ramp(3), kEsdQ = ramp(7, 1);

std::uint64_t word_of(const Pattern& pattern, unsigned word) {
  std::uint64_t value = 0;
  for (unsigned b = 0; b < 8; ++b) value |= std::uint64_t{pattern(8 * word + b)} << 8 * b;
  return value;
}

/// Another content with the same check bits: three columns of the code that add up to a fourth are flipped in
/// the last word of sector 0.
Pattern same_ecc(const Pattern& pattern) {
  std::uint64_t flips = 0;
  for (unsigned a = 0; a < 64 && !flips; ++a)
    for (unsigned b = 0; b < a && !flips; ++b)
      for (unsigned c = 0; c < b && !flips; ++c)
        for (unsigned d = 0; d < c && !flips; ++d)
          if ((secded::column(a) ^ secded::column(b) ^ secded::column(c) ^ secded::column(d)) == 0)
            flips = 1ull << a | 1ull << b | 1ull << c | 1ull << d;
  return [=](unsigned i) {
    return static_cast<std::uint8_t>(pattern(i) ^ (i / 8 == 3 ? flips >> 8 * (i % 8) & 0xff : 0));
  };
}

TEST(Esd, ADuplicateIsVerifiedByAReadAndThenNotWritten) {
  for (const Backend backend : {Backend::model, Backend::rtl, Backend::shadow}) {
    SchemeRun run(scheme_of("esd", {}, backend),
                  Steps().store(0, kEsdP).store(2, kEsdP).load(4).load(2).load(0).workload());
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("dram.requests_write"), 4u);
    EXPECT_EQ(run.stat("dram.requests_verify_read"), 4u);
    EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
    EXPECT_EQ(run.stat("dedup.verified"), 1u);
    EXPECT_EQ(run.stat("dedup.hashed_chunks"), 0u) << "the check bits are there anyway";
    EXPECT_EQ(run.stat("car.probes"), 0u) << "the L2 is not asked";
    EXPECT_GT(run.stat("dram.requests_metadata_read"), 0u);
  }
}

TEST(Esd, EqualCheckBitsOfAnotherContentAreFoundOutByTheRead) {
  const Pattern other = same_ecc(kEsdP);
  ASSERT_NE(word_of(kEsdP, 3), word_of(other, 3));
  ASSERT_EQ(secded::check_byte(word_of(kEsdP, 3)), secded::check_byte(word_of(other, 3)));
  SchemeRun run(scheme_of("esd"), Steps().store(0, kEsdP).store(2, other).load(4).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("dedup.collisions"), 1u);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 0u);
  EXPECT_EQ(run.stat("dram.requests_write"), 8u);
  EXPECT_EQ(run.stat("dram.requests_verify_read"), 4u) << "the loss of a weak fingerprint";
  SchemeRun cmd(scheme_of("dedup"), Steps().store(0, kEsdP).store(2, other).load(4).load(2).load(0).workload());
  EXPECT_EQ(cmd.stat("dram.requests_verify_read"), 0u);
}

TEST(Esd, LinesOfOneValueAreDuplicatesLikeAnyOther) {
  SchemeRun run(scheme_of("esd"), Steps().store(0, words(5)).store(2, words(5)).load(4).load(2).load(0).workload());
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("dedup.writes_intra"), 0u);
  EXPECT_EQ(run.stat("dedup.writes_unique_home"), 1u);
  EXPECT_EQ(run.stat("dedup.writes_inter"), 1u);
}

TEST(Esd, LinesWithDifferentMasksNeverMatch) {
  // All check bytes are 0, masked or not: only the mask tells the two apart.
  const Pattern zero = [](unsigned) { return std::uint8_t{0}; };
  for (const Backend backend : {Backend::model, Backend::shadow}) {
    SchemeRun run(scheme_of("esd", {}, backend),
                  Steps().store(0, zero).store(2, zero, 0x3).load(4).load(2).load(0).workload());
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("dedup.writes_inter"), 0u);
    EXPECT_EQ(run.stat("dram.requests_verify_read"), 0u);
    EXPECT_EQ(run.stat("dram.requests_write"), 6u);
  }
}

TEST(Esd, TheDeduplicationBlockIsNoChoice) {
  for (const schemes::SchemeInfo& info : schemes::scheme_list()) {
    bool dedup = false, hasher = false;
    for (const schemes::SchemeBlock& block : info.blocks) {
      dedup |= block.name == "dedup";
      hasher |= block.name == "line_hasher";
    }
    EXPECT_EQ(dedup, info.name.starts_with("dedup") || info.name.starts_with("cmd") || info.name == "sieve")
        << info.name;
    EXPECT_EQ(hasher, dedup && !info.name.ends_with("zerohash")) << info.name;
  }
}

TEST(ZeroLatencyHash, SameRequestsInLessTime) {
  const Steps steps = Steps().store(0, kEsdP).store(2, kEsdP).store(0, kEsdQ).load(4).load(2).load(0);
  for (const auto& [slow, fast] : {std::pair("dedup", "dedup+zerohash"), std::pair("cmd", "cmd+zerohash")}) {
    SchemeRun with(scheme_of(slow), steps.workload()), without(scheme_of(fast), steps.workload());
    EXPECT_TRUE(without.result.clean);
    EXPECT_EQ(with.requests(), without.requests()) << fast;
    EXPECT_EQ(without.stat("dedup.hashed_chunks"), with.stat("dedup.hashed_chunks"));
    // 228 cycles less for each of three lines; no load or store waits for them, so no kernel is shorter.
    EXPECT_GT(with.gpu.now() - without.gpu.now(), 2u * 228) << fast;
    EXPECT_LE(with.gpu.now() - without.gpu.now(), 3u * 228 + 20) << fast;
    EXPECT_NEAR(static_cast<double>(with.result.cycles), static_cast<double>(without.result.cycles), 20) << fast;
  }
}

TEST(ZeroLatencyHash, BackendsAgree) {
  const Steps steps = Steps().store(0, kEsdP).store(2, kEsdP).store(0, kEsdQ).load(4).load(2).load(0);
  SchemeRun model(scheme_of("cmd+zerohash"), steps.workload()),
      shadow(scheme_of("cmd+zerohash", {}, Backend::shadow), steps.workload());
  EXPECT_EQ(model.result.stats.dump(), shadow.result.stats.dump());
}

}  // namespace
}  // namespace warpsieve::tb
