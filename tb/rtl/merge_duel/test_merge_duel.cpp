// merge_duel: groups, level, turns and latency, directed; random events against sums of all that was counted; model
// and RTL in lock step at every point.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "blocks/merge_duel/merge_duel.h"
#include "cosim/shadow.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::merge_duel {
namespace {

constexpr DuelParams kPoints[] = {{2, 1, 1, 6}, {10, 3, 3, 7}, {21, 10, 7, 9}};

enum class Group { follows, whole, masked };

/// Bit by bit: bit b of a line belongs to bit b mod leader_bits of its group, which is the parity of all of them.
Group group_of(const DuelParams& params, std::uint32_t line) {
  unsigned ones = 0;
  for (unsigned k = 0; k < params.leader_bits; ++k) {
    unsigned parity = 0;
    for (unsigned b = k; b < params.line_bits; b += params.leader_bits) parity += line >> b & 1;
    ones += parity % 2;
  }
  return ones == 0 ? Group::whole : ones == params.leader_bits ? Group::masked : Group::follows;
}

class MergeDuelPoints : public ::testing::TestWithParam<DuelParams> {
 protected:
  std::uint32_t lines() const { return 1u << GetParam().line_bits; }
  int limit() const { return (1 << (GetParam().level_bits - 1)) - 1; }
  int turn() const { return 1 << (GetParam().level_bits - 3); }
  std::uint32_t line_of(Group group) const {
    for (std::uint32_t line = 1; line < lines(); ++line)
      if (group_of(GetParam(), line) == group) return line;
    ADD_FAILURE() << "no line of the group";
    return 0;
  }
  bool has_followers() const { return GetParam().leader_bits > 1; }
  static void step(MergeDuel& duel, const DuelEvents& events = {}) {
    duel.in(events);
    duel.tick();
  }
  static bool ask(MergeDuel& duel, std::uint32_t line) {
    step(duel, {.ask = line});
    return duel.whole();
  }
  /// So many sectors more for a group.
  void done(MergeDuel& duel, Group group, int sectors) const {
    for (int left = sectors; left > 0; left -= 15)
      step(duel, {.done = {{line_of(group), static_cast<std::uint8_t>(std::min(left, 15))}}});
    step(duel);
  }
};
INSTANTIATE_TEST_SUITE_P(Points, MergeDuelPoints, ::testing::ValuesIn(kPoints), [](const auto& info) {
  return fmt::format("L{}T{}", info.param.line_bits, info.param.tag_bits);
});

TEST_P(MergeDuelPoints, EveryLineIsInTheGroupOfItsParities) {
  auto duel = make_merge_duel(GetParam(), Backend::shadow);
  std::map<Group, unsigned> count;
  const std::uint32_t step_size = std::max(1u, lines() >> 14) | 1;
  for (const bool others_whole : {false, true}) {
    if (others_whole) done(*duel, Group::masked, turn());
    count.clear();
    for (std::uint32_t line = 0; line < lines(); line += step_size) {
      const Group group = group_of(GetParam(), line);
      ++count[group];
      ASSERT_EQ(ask(*duel, line), group == Group::whole || (group == Group::follows && others_whole)) << line;
    }
  }
  if (step_size == 1) {
    for (const Group group : {Group::whole, Group::masked})
      EXPECT_EQ(count[group], lines() >> GetParam().leader_bits);
  }
}

TEST_P(MergeDuelPoints, OthersFollowTheCheaperGroupWithHysteresis) {
  auto duel = make_merge_duel(GetParam(), Backend::shadow);
  if (!has_followers()) return;
  const std::uint32_t other = line_of(Group::follows);
  EXPECT_FALSE(ask(*duel, other));
  done(*duel, Group::masked, turn() - 1);
  EXPECT_EQ(duel->level(), 1 - turn());
  EXPECT_FALSE(ask(*duel, other)) << "one sector is missing";
  done(*duel, Group::masked, 1);
  EXPECT_TRUE(ask(*duel, other));
  done(*duel, Group::whole, turn() - 1);
  EXPECT_EQ(duel->level(), -1);
  EXPECT_TRUE(ask(*duel, other)) << "until 0";
  done(*duel, Group::whole, 1);
  EXPECT_FALSE(ask(*duel, other));
  done(*duel, Group::whole, turn());
  EXPECT_FALSE(ask(*duel, other));
}

TEST_P(MergeDuelPoints, TheLevelStopsAtBothEndsAndComesBackFromThere) {
  auto duel = make_merge_duel(GetParam(), Backend::shadow);
  for (const Group group : {Group::whole, Group::masked}) {
    const int sign = group == Group::whole ? 1 : -1;
    done(*duel, group, 3 * limit());
    EXPECT_EQ(duel->level(), sign * limit());
    done(*duel, group == Group::whole ? Group::masked : Group::whole, 1);
    EXPECT_EQ(duel->level(), sign * (limit() - 1));
  }
}

TEST_P(MergeDuelPoints, SectorsOfAReadCountForTheLineThatItsTagWasOpenedFor) {
  auto duel = make_merge_duel(GetParam(), Backend::shadow);
  const std::uint32_t tags = 1u << GetParam().tag_bits;
  for (const std::uint32_t tag : {0u, tags - 1, tags / 2}) {
    for (const Group group : {Group::whole, Group::masked, Group::follows}) {
      if (group == Group::follows && !has_followers()) continue;
      for (unsigned mask = 0; mask < 16; ++mask) {
        duel->reset();
        step(*duel, {.open = {{tag, line_of(Group::masked)}}});
        step(*duel, {.open = {{tag, line_of(group)}}});  // the tag is used again
        step(*duel, {.open = {{tag ^ 1, line_of(Group::masked)}}});
        step(*duel, {.sent = {{tag, static_cast<std::uint8_t>(mask)}}});
        step(*duel, {.sent = {{tag, 1}}});  // another part of it
        step(*duel);
        const int sign = group == Group::whole ? 1 : group == Group::masked ? -1 : 0;
        ASSERT_EQ(duel->level(), sign * (std::popcount(mask) + 1)) << "tag " << tag << ", mask " << mask;
      }
    }
  }
}

TEST_P(MergeDuelPoints, AReadAndAWriteBackOfOneCycleBothCount) {
  auto duel = make_merge_duel(GetParam(), Backend::shadow);
  for (const Group read : {Group::whole, Group::masked}) {
    for (const Group written : {Group::whole, Group::masked}) {
      duel->reset();
      step(*duel, {.open = {{1, line_of(read)}}});
      step(*duel, {.sent = {{1, 0xf}}, .done = {{line_of(written), 9}}});
      step(*duel);
      EXPECT_EQ(duel->level(), (read == Group::whole ? 4 : -4) + (written == Group::whole ? 9 : -9));
    }
  }
}

/// Event in cycle 0, in the level in cycle 2, and whole() of a line asked for in any cycle before changes with it.
TEST_P(MergeDuelPoints, AnEventActsTwoCyclesLater) {
  auto duel = make_merge_duel(GetParam(), Backend::shadow);
  const std::uint32_t other = has_followers() ? line_of(Group::follows) : line_of(Group::whole);
  step(*duel, {.ask = other});
  done(*duel, Group::masked, turn() - 1);
  EXPECT_TRUE(duel->idle());
  step(*duel, {.done = {{line_of(Group::masked), 1}}});
  EXPECT_FALSE(duel->idle());
  EXPECT_EQ(duel->level(), 1 - turn());
  EXPECT_EQ(duel->whole(), !has_followers());
  step(*duel);
  EXPECT_EQ(duel->level(), -turn());
  EXPECT_TRUE(duel->whole());
  step(*duel);
  EXPECT_EQ(duel->level(), -turn()) << "counted once";
}

TEST_P(MergeDuelPoints, ResetForgetsLevelAndDecisionAndWhatIsOnItsWay) {
  auto duel = make_merge_duel(GetParam(), Backend::shadow);
  step(*duel, {.ask = line_of(Group::whole)});
  done(*duel, Group::masked, limit());
  step(*duel, {.open = {{1, line_of(Group::whole)}}});
  step(*duel, {.sent = {{1, 0xf}}, .done = {{line_of(Group::whole), 3}}});
  duel->reset();
  EXPECT_EQ(duel->level(), 0);
  EXPECT_FALSE(duel->whole()) << "no line was asked for";
  step(*duel);
  EXPECT_EQ(duel->level(), 0);
  if (has_followers()) {
    EXPECT_FALSE(ask(*duel, line_of(Group::follows)));
  }
}

TEST(MergeDuel, BadParametersAreRefused) {
  for (const DuelParams& bad :
       {DuelParams{0, 10, 1, 9}, DuelParams{32, 10, 7, 9}, DuelParams{21, 0, 7, 9}, DuelParams{21, 17, 7, 9},
        DuelParams{21, 10, 0, 9}, DuelParams{5, 10, 6, 9}, DuelParams{21, 10, 7, 5}, DuelParams{21, 10, 7, 17}})
    EXPECT_THROW(make_merge_duel(bad, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_merge_duel({20, 10, 7, 9}, Backend::rtl), std::invalid_argument) << "no point";
}

TEST(MergeDuel, AFailurePrintsTheEvents) {
  EXPECT_EQ(describe(DuelEvents{}), "nothing");
  EXPECT_EQ(describe(DuelEvents{.ask = 16u, .open = {{1, 2}}, .sent = {{3, 5}}, .done = {{32, 7}}}),
            "ask line 0x10 open tag 1 line 0x2 sent tag 3 mask 0x5 done line 0x20 sectors 7");
}

/// All that was counted, in order; nothing is kept between cycles but the sums.
class Sums {
 public:
  explicit Sums(const DuelParams& params) : params_(params) {}
  void tick(const DuelEvents& events) {
    const int limit = (1 << (params_.level_bits - 1)) - 1;
    level_ = std::clamp(level_ + change_, -limit, limit);
    whole_ = level_ <= -(1 << (params_.level_bits - 3)) || (whole_ && level_ < 0);
    change_ = 0;
    const auto add = [&](std::uint32_t line, int sectors) {
      const Group group = group_of(params_, line);
      change_ += group == Group::whole ? sectors : group == Group::masked ? -sectors : 0;
    };
    if (events.sent) add(lines_.at(events.sent->tag), std::popcount(events.sent->mask));
    if (events.done) add(events.done->line, events.done->sectors);
    if (events.open) lines_[events.open->tag] = events.open->line;
    if (events.ask) asked_ = events.ask;
  }
  int level() const { return level_; }
  bool whole() const {
    if (!asked_) return false;
    const Group group = group_of(params_, *asked_);
    return group == Group::whole || (group == Group::follows && whole_);
  }
  const std::map<std::uint32_t, std::uint32_t>& lines() const { return lines_; }

 private:
  DuelParams params_;
  std::map<std::uint32_t, std::uint32_t> lines_;  // by tag
  std::optional<std::uint32_t> asked_;
  int level_ = 0, change_ = 0;
  bool whole_ = false;
};

struct Mix {
  unsigned ask, open, sent, done;  // percent of the cycles
  unsigned leaders;                // percent of the lines
};

/// What is wrong; empty: nothing. The share of the two groups among the leaders drifts, so that the level goes far.
std::string run(const DuelParams& params, const Mix& mix, unsigned cycles, std::uint32_t seed) {
  auto duel = make_merge_duel(params, Backend::shadow);
  Sums sums(params);
  std::mt19937 random(seed);
  const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
  std::vector<std::uint32_t> of_group[2];
  for (unsigned tries = 0; tries < 20000 && (of_group[0].size() < 8 || of_group[1].size() < 8); ++tries) {
    const auto line = static_cast<std::uint32_t>(random()) & ((1u << params.line_bits) - 1);
    if (const Group group = group_of(params, line); group != Group::follows)
      of_group[group == Group::masked].push_back(line);
  }
  for (unsigned cycle = 0; cycle < cycles; ++cycle) {
    const unsigned masked = cycle / 256 % 2 ? 80 : 20;
    const auto line = [&] {
      const std::vector<std::uint32_t>& group = of_group[chance(masked)];
      if (!group.empty() && chance(mix.leaders)) return group[random() % group.size()];
      return static_cast<std::uint32_t>(random()) & ((1u << params.line_bits) - 1);
    };
    DuelEvents events;
    if (chance(mix.ask)) events.ask = line();
    if (chance(mix.open))
      events.open = {static_cast<std::uint32_t>(random()) & ((1u << params.tag_bits) - 1), line()};
    if (!sums.lines().empty() && chance(mix.sent)) {
      auto read = sums.lines().lower_bound(static_cast<std::uint32_t>(random()) & ((1u << params.tag_bits) - 1));
      if (read == sums.lines().end()) read = sums.lines().begin();
      if (!events.open || events.open->tag != read->first)
        events.sent = {read->first, static_cast<std::uint8_t>(random() % 16)};
    }
    if (chance(mix.done)) events.done = {line(), static_cast<std::uint8_t>(random() % 16)};
    duel->in(events);
    try {
      duel->tick();
    } catch (const ShadowMismatch& mismatch) {
      return fmt::format("{} after {}", mismatch.what(), describe(events));
    }
    sums.tick(events);
    if (duel->level() != sums.level())
      return fmt::format("cycle {}: level {}, not {}", cycle, duel->level(), sums.level());
    if (duel->whole() != sums.whole()) return fmt::format("cycle {}: whole {}", cycle, duel->whole());
  }
  return {};
}

TEST_P(MergeDuelPoints, RandomEventsInLockStep) {
  tb::check_property(fmt::format("merge_duel L{}", GetParam().line_bits), 40, [this] {
    const auto percent = [] { return *rc::gen::inRange(0u, 101u); };
    const Mix mix{percent(), percent(), percent(), percent(), percent()};
    const std::string error =
        run(GetParam(), mix, *rc::gen::inRange(1u, 1500u), *rc::gen::arbitrary<std::uint32_t>());
    RC_ASSERT(error == "");
  });
}

TEST(MergeDuelLong, AMillionCyclesInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "set WARPSIEVE_LONG=1";
  for (unsigned part = 0; part < 3; ++part) ASSERT_EQ(run(kPoints[part], {40, 60, 60, 40, 70}, 350000, part + 1), "");
  tb::report_transactions(3 * 350000);
}

}  // namespace
}  // namespace warpsieve::merge_duel
