// Under sieve, merge_duel decides which lines the L2 completes before it writes them back (decision C34).
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "fake_host.h"
#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

std::uint64_t stat(FakeHost& host, const char* name) { return host.stats.values()[name].get<std::uint64_t>(); }

/// Writes half of the first sector of each line, or all of it where the path wants that, and reads it again. `flat`:
/// what comes out is a duplicate, and else noise.
void rounds(FakeHost& host, unsigned times, bool flat) {
  for (unsigned n = 0; n < times; ++n) {
    for (std::uint32_t line = 0; line < 256; ++line) {
      LineData data;
      if (flat)
        std::memset(data.bytes.data(), static_cast<int>(7 + n % 2), kLineBytes);
      else
        for (auto& byte : data.bytes) byte = static_cast<std::uint8_t>(host.random()());
      ByteMask bytes = kFullLine;
      const bool partial = host.takes_partial_sectors(line);
      if (partial) bytes[0] = 0x0000ffff;
      // What the L2 does for it: it reads the sector that it completes.
      if (!partial) host.read(line, 1);
      host.write(line, 1, data, bytes);
      host.settle();
      for (unsigned reads = 0; reads < 3; ++reads) {
        host.read(line, 1);
        host.settle();
      }
    }
  }
}

struct DuelHost {
  explicit DuelHost(std::vector<std::string> set = {"sieve.leader_bits=3"}, Backend backend = Backend::model)
      : scheme(scheme_of("sieve", set, backend)), host(*scheme, {.refuse = 0, .latency = 8}) {}
  std::unique_ptr<Scheme> scheme;
  FakeHost host;
};

TEST(Duel, LinesAreCompletedWhereThatMakesDuplicates) {
  DuelHost flat;
  rounds(flat.host, 4, true);
  EXPECT_EQ(flat.host.wrong, 0u) << flat.host.first_wrong;
  EXPECT_EQ(stat(flat.host, "merge_duel.asks"), 4 * 256u);
  EXPECT_GT(stat(flat.host, "merge_duel.whole"), 2 * 256u);
}

TEST(Duel, LinesOfNoGroupLeaveAsTheyAreWhereItDoesNot) {
  DuelHost noise;
  rounds(noise.host, 4, false);
  EXPECT_EQ(noise.host.wrong, 0u) << noise.host.first_wrong;
  EXPECT_EQ(stat(noise.host, "merge_duel.whole"), 4 * 256u / 8) << "one line of eight is in the group";
}

TEST(Duel, FollowsAProgramThatChanges) {
  DuelHost duel;
  rounds(duel.host, 4, true);
  rounds(duel.host, 12, false);  // the level was at its lower end
  const std::uint64_t before = stat(duel.host, "merge_duel.whole");
  rounds(duel.host, 2, false);
  EXPECT_EQ(stat(duel.host, "merge_duel.whole") - before, 2 * 256u / 8);
  EXPECT_EQ(duel.host.wrong, 0u) << duel.host.first_wrong;
}

TEST(Duel, RtlBesideTheModelDecidesTheSame) {
  const std::vector<std::string> defaults;
  DuelHost duel(defaults, Backend::shadow), model(defaults);
  for (DuelHost* d : {&duel, &model}) rounds(d->host, 2, true);
  EXPECT_EQ(duel.host.wrong, 0u) << duel.host.first_wrong;
  EXPECT_EQ(stat(duel.host, "merge_duel.whole"), stat(model.host, "merge_duel.whole"));
  EXPECT_GT(stat(duel.host, "merge_duel.whole"), 0u);
}

TEST(Duel, WithoutLeadersNoLineIsAskedAbout) {
  DuelHost off({"sieve.leader_bits=0"});
  EXPECT_TRUE(off.host.takes_partial_sectors(0));
  EXPECT_FALSE(off.host.stats.has("merge_duel.asks"));
}

TEST(Duel, ABackendForItWhereItIsNotIsAnError) {
  const auto make = [](std::vector<std::string> set) {
    return schemes::make_scheme("sieve",
                                {.set = std::move(set), .backend = Backend::model, .backends = {"merge_duel=rtl"}});
  };
  EXPECT_THROW(make({"sieve.leader_bits=0"}), ConfigError);
  EXPECT_THROW(make({"sieve.byte_masks=0"}), ConfigError);
  EXPECT_NO_THROW(make({}));
}

TEST(Duel, WithoutByteMasksThereIsNone) {
  DuelHost off({"sieve.byte_masks=0"});
  EXPECT_FALSE(off.host.takes_partial_sectors(0));
  EXPECT_FALSE(off.host.stats.has("merge_duel.asks"));
}

}  // namespace
}  // namespace warpsieve::tb
