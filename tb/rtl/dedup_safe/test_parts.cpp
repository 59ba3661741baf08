// metadata_image, dedup_guard and event_counters: directed, random, and RTL in lock step with the models.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>

#include "blocks/dedup_safe/dedup_guard.h"
#include "blocks/dedup_safe/event_counters.h"
#include "blocks/dedup_safe/metadata_image.h"
#include "support/long_run.h"
#include "support/property.h"

namespace warpsieve::dedup_safe {
namespace {

// ---- metadata_image -------------------------------------------------------------------------------

constexpr ImageParams kImages[] = {{1, 0, 4, 1}, {4, 15, 7, 2}, {2, 1, 21, 32}};

/// What the image writes, when each sector is taken with a chance of so many percent.
std::vector<ImageSector> written(MetadataImage& image, unsigned accept, std::uint32_t seed, std::uint64_t* cycles) {
  std::vector<ImageSector> sectors;
  std::mt19937 random(seed);
  image.reset();
  for (*cycles = 0; !image.done() && *cycles < 200000; ++*cycles) {
    if (image.front() && random() % 100 < accept) {
      sectors.push_back(*image.front());
      image.pop();
    }
    image.tick();
  }
  return sectors;
}

/// What is wrong; empty: nothing.
std::string image_error(const ImageParams& params, std::uint32_t total, std::uint32_t spare, unsigned accept,
                        std::uint32_t seed) {
  const std::string where = fmt::format("{} spare of {} lines, seed {}: ", spare, total, seed);
  std::uint64_t cycles[2] = {};
  const auto model = make_metadata_image(params, total, spare, Backend::model);
  const auto rtl = make_metadata_image(params, total, spare, Backend::rtl);
  const std::vector<ImageSector> sectors = written(*rtl, accept, seed, &cycles[1]);
  if (!rtl->idle()) return where + "not idle at the end";
  if (written(*model, accept, seed, &cycles[0]) != sectors || !model->idle())
    return where + "the model writes another image";
  if (cycles[0] != cycles[1]) return where + fmt::format("{} cycles, the model {}", cycles[1], cycles[0]);
  if (sectors.size() != (total + params.entries() - 1) / params.entries()) return where + "number of sectors";
  if (accept == 100 && cycles[1] != sectors.size() + 1) return where + fmt::format("{} cycles", cycles[1]);
  // Entry by entry, without the function that the model uses.
  for (std::uint32_t line = 0; line < sectors.size() * params.entries(); ++line) {
    const ImageSector& sector = sectors[line / params.entries()];
    if (sector.number != line / params.entries()) return where + "a sector out of order";
    const unsigned at = line % params.entries() * params.entry_bits;
    const unsigned entry = sector.data[at / 8] >> at % 8 & ((1u << params.entry_bits) - 1);
    if (entry != (line >= total - spare && line < total ? params.value : 0))
      return where + fmt::format("entry of line {} is {}", line, entry);
  }
  return {};
}

TEST(MetadataImage, EveryNumberOfLinesAndOfSpareLines) {
  for (std::uint32_t total = 2; total <= 128; ++total) {
    for (std::uint32_t spare = 1; spare < total; ++spare) {
      for (const unsigned which : {0, 1}) {
        if (total > (which ? 128 : 16) || (total >= 20 && total <= 120 && (total + spare) % 7)) continue;
        ASSERT_EQ(image_error(kImages[which], total, spare, 100, 1), "");
      }
    }
  }
}
TEST(MetadataImage, AtFullSize) {
  for (const std::uint32_t total : {2u, 128u, 129u, 100000u, 1u << 21}) {
    for (const std::uint32_t spare : {1u, total / 2, total - 1})
      EXPECT_EQ(image_error(kImages[2], total, spare, 100, 1), "");
  }
}
TEST(MetadataImage, UnderBackPressure) {
  tb::check_property("metadata_image under back-pressure", 60, [] {
    const ImageParams& params = kImages[*rc::gen::inRange(0, 2)];
    const auto total = *rc::gen::inRange<std::uint32_t>(2, (1u << params.index_bits) + 1);
    const std::string error = image_error(params, total, *rc::gen::inRange<std::uint32_t>(1, total),
                                          *rc::gen::inRange(1, 101), *rc::gen::arbitrary<std::uint32_t>());
    RC_ASSERT(error == "");
  });
}
TEST(MetadataImage, LinesOutOfRangeAreRefused) {
  for (const Backend backend : {Backend::model, Backend::rtl}) {
    EXPECT_THROW(make_metadata_image(kImages[1], 10, 0, backend), std::invalid_argument);
    EXPECT_THROW(make_metadata_image(kImages[1], 10, 10, backend), std::invalid_argument);
    EXPECT_THROW(make_metadata_image(kImages[1], 129, 1, backend), std::invalid_argument);
  }
  EXPECT_THROW(make_metadata_image(kImages[1], 10, 1, Backend::shadow), std::invalid_argument);
  EXPECT_THROW(make_metadata_image({2, 1, 20, 32}, 10, 1, Backend::rtl), std::invalid_argument);
}

// ---- dedup_guard ----------------------------------------------------------------------------------

constexpr GuardParams kGuards[] = {{1, 1, 1, 1}, {4, 3, 4, 2}, {17, 5, 4, 8}};

/// Model and RTL in lock step; what goes on around them is chosen within the rules.
struct GuardPair {
  explicit GuardPair(const GuardParams& params, std::uint32_t seed = 1)
      : params(params), model(make_dedup_guard(params, Backend::model)), rtl(make_dedup_guard(params, Backend::rtl)),
        random(seed), fetches(params.caches) {}
  GuardOut step(const GuardIn& in) {
    model->in(in);
    rtl->in(in);
    model->tick();
    rtl->tick();
    ++cycles;
    if (in.sent) asked.push_back(*in.sent);
    if (in.back) asked.erase(std::find(asked.begin(), asked.end(), *in.back));
    for (unsigned c = 0; c < params.caches; ++c) fetches[c] += (in.fetch >> c & 1) - (in.fill >> c & 1);
    out = rtl->out();
    check(model->out() == out, fmt::format("model: {}; RTL: {}", describe(model->out()), describe(out)));
    return out;
  }
  /// A unit that is busy with so many percent, asks and fetches only while it is, and an L2 that answers while it
  /// lives.
  void random_step(unsigned busy, unsigned stop) {
    const auto chance = [&](unsigned percent) { return random() % 100 < percent; };
    GuardIn in;
    in.drain = chance(stop / 2);
    in.warm = chance(stop);
    in.image_done = image || (image = chance(20));
    const bool working = !asked.empty() || std::any_of(fetches.begin(), fetches.end(), [](unsigned n) { return n; });
    in.busy = (out.open && chance(busy)) || (working && chance(90));
    const auto is_asked = [&](unsigned id) { return std::find(asked.begin(), asked.end(), id) != asked.end(); };
    const auto id = static_cast<unsigned>(random() % params.ids);
    if (in.busy && chance(40) && !is_asked(id)) in.sent = id;
    if (out.drop) {
      if (out.answer && chance(60)) in.back = out.answer;
    } else if (!asked.empty() && chance(30)) {
      in.back = asked[random() % asked.size()];
    }
    for (unsigned c = 0; c < params.caches; ++c) {
      if (fetches[c] && chance(30)) in.fill |= 1u << c;
      if (in.busy && chance(20) && (fetches[c] < params.fetches || (in.fill >> c & 1))) in.fetch |= 1u << c;
    }
    if (out.drained) in.sent.reset(), in.fetch = 0, in.busy = false;
    step(in);
    // What it promises.
    const bool fetching = std::any_of(fetches.begin(), fetches.end(), [](unsigned n) { return n != 0; });
    check(!out.drained || (asked.empty() && !fetching && image), "drained, and something is to come");
    check(!out.answer || (is_asked(*out.answer) && out.drop), "an answer that nobody waits for");
    check(!in.warm || (out.drop && !out.open), "open in a warm reset");
    check(!in.drain || !out.open, "open in a drain");
    check(!out.open || !out.drop, "open and dropping");
    opened += out.open;
    dropped += out.drop;
    drained += out.drained;
    answered += out.drop && in.back;
  }
  void check(bool right, const std::string& what) {
    if (!right && error.empty()) error = fmt::format("cycle {}: {}", cycles, what);
  }
  std::string error;
  GuardParams params;
  std::unique_ptr<DedupGuard> model, rtl;
  std::mt19937 random;
  std::vector<unsigned> fetches, asked;
  GuardOut out;
  bool image = false;
  std::uint64_t cycles = 0, opened = 0, dropped = 0, drained = 0, answered = 0;
};

GuardOut guard_out(bool open, bool drop, bool drained, std::optional<unsigned> answer = std::nullopt) {
  return {open, drop, drained, answer};
}
MATCHER_P(Is, expected, describe(expected)) { return arg == expected; }

TEST(DedupGuard, OpensOnceTheImageIsWrittenAndTheUnitIsAtRest) {
  GuardPair pair(kGuards[1]);
  EXPECT_THAT(pair.step({.image_done = false, .busy = true}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({.image_done = false}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({.busy = true}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({}), Is(guard_out(false, false, true)));
  EXPECT_THAT(pair.step({}), Is(guard_out(true, false, false)));
  EXPECT_EQ(pair.error, "");
}
TEST(DedupGuard, ADrainWaitsForProbesAndForSectors) {
  GuardPair pair(kGuards[1]);
  pair.step({});
  pair.step({});
  EXPECT_THAT(pair.step({.drain = true, .busy = true, .sent = 3, .fetch = 4}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({.drain = true}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({.drain = true, .back = 3}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({.drain = true}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({.drain = true, .fill = 4}), Is(guard_out(false, false, false)));
  EXPECT_THAT(pair.step({.drain = true}), Is(guard_out(false, false, true)));
  EXPECT_THAT(pair.step({.drain = true}), Is(guard_out(false, false, true)));
  EXPECT_THAT(pair.step({}), Is(guard_out(true, false, false)));
  EXPECT_EQ(pair.error, "");
}
TEST(DedupGuard, AWarmResetAnswersOldAndNewProbes) {
  GuardPair pair(kGuards[1]);
  pair.step({});
  pair.step({});
  pair.step({.busy = true, .sent = 2});
  EXPECT_THAT(pair.step({.warm = true, .busy = true, .sent = 0}), Is(guard_out(false, true, false)));
  EXPECT_THAT(pair.step({.busy = true}), Is(guard_out(false, true, false, 0)));
  EXPECT_THAT(pair.step({.busy = true, .sent = 1, .back = 0}), Is(guard_out(false, true, false, 2)));
  EXPECT_THAT(pair.step({.busy = true}), Is(guard_out(false, true, false, 2)));
  EXPECT_THAT(pair.step({.busy = true, .back = 2}), Is(guard_out(false, true, false, 1)));
  EXPECT_THAT(pair.step({.back = 1}), Is(guard_out(false, true, false)));
  EXPECT_THAT(pair.step({}), Is(guard_out(false, true, true)));
  EXPECT_THAT(pair.step({.warm = true}), Is(guard_out(false, true, true)));
  EXPECT_THAT(pair.step({}), Is(guard_out(true, false, false)));
  EXPECT_EQ(pair.error, "");
}

TEST(DedupGuard, AResetForgetsProbesAndSectors) {
  GuardPair pair(kGuards[1]);
  pair.step({});
  pair.step({});
  pair.step({.warm = true, .busy = true, .sent = 2, .fetch = 1});
  for (DedupGuard* guard : {pair.model.get(), pair.rtl.get()}) {
    EXPECT_FALSE(guard->idle());
    guard->reset();
    EXPECT_THAT(guard->out(), Is(guard_out(false, false, false)));
  }
  pair.asked.clear();
  pair.fetches.assign(4, 0);
  EXPECT_THAT(pair.step({}), Is(guard_out(false, false, true)));
  EXPECT_THAT(pair.step({}), Is(guard_out(true, false, false)));
  EXPECT_EQ(pair.error, "");
}

class GuardPoints : public ::testing::TestWithParam<GuardParams> {};
INSTANTIATE_TEST_SUITE_P(Points, GuardPoints, ::testing::ValuesIn(kGuards),
                         [](const auto& info) { return "Ids" + std::to_string(info.param.ids); });

TEST_P(GuardPoints, AgreesWithTheModelAndKeepsItsPromises) {
  tb::check_property("dedup_guard", 60, [] {
    GuardPair pair(GetParam(), *rc::gen::arbitrary<std::uint32_t>());
    const unsigned busy = *rc::gen::inRange(5, 100), stop = *rc::gen::element(0, 2, 10, 50);
    for (unsigned k = 0; k < 400; ++k) pair.random_step(busy, stop);
    RC_ASSERT(pair.error == "");
  });
}
TEST_P(GuardPoints, RunsForLong) {
  const bool more = std::getenv("WARPSIEVE_LONG");
  GuardPair pair(GetParam(), 20240610);
  const std::uint64_t steps = more ? 400000 : 20000;
  for (std::uint64_t k = 0; k < steps && pair.error.empty(); ++k)
    pair.random_step(k / 500 % 2 ? 90 : 20, k / 100 % 5 == 0 ? 20 : 2);
  EXPECT_EQ(pair.error, "");
  EXPECT_GT(pair.opened, 100u);
  EXPECT_GT(pair.dropped, 100u);
  EXPECT_GT(pair.drained, 100u);
  EXPECT_GT(pair.answered, 100u);
  tb::report_transactions(steps);
}

// ---- event_counters -------------------------------------------------------------------------------

constexpr CountersParams kCounters[] = {{1, 1, 1}, {5, 3, 4}, {20, 32, 22}};

struct CountersPair {
  explicit CountersPair(const CountersParams& params)
      : model(make_event_counters(params, Backend::model)), rtl(make_event_counters(params, Backend::rtl)) {}
  std::optional<ApbAnswer> step(std::uint64_t events, unsigned status = 0, const Apb& bus = {}) {
    model->in(events, status, bus);
    rtl->in(events, status, bus);
    model->tick();
    rtl->tick();
    if (model->out() != rtl->out() && error.empty()) error = fmt::format("step {}", steps);
    ++steps;
    return rtl->out();
  }
  ApbAnswer access(unsigned address, bool write = false, std::uint32_t data = 0, std::uint64_t events = 0,
                   unsigned status = 0) {
    Apb bus{true, false, write, static_cast<std::uint8_t>(address), data};
    const std::optional<ApbAnswer> answer = step(0, status, bus);
    bus.enable = true;
    step(events, 0, bus);
    return answer.value_or(ApbAnswer{0xdead, true});
  }
  std::unique_ptr<EventCounters> model, rtl;
  std::string error;
  std::uint64_t steps = 0;
};

TEST(EventCounters, CountEachEventAndStopAtAllOnes) {
  CountersPair pair(kCounters[1]);
  for (unsigned k = 0; k < 9; ++k) pair.step(k < 3 ? 0b10011 : 0b10000);
  const unsigned expected[] = {3, 3, 0, 0, 7};
  for (unsigned c = 0; c < 5; ++c) EXPECT_EQ(pair.access(4 * (c + 1)), (ApbAnswer{expected[c], false})) << c;
  EXPECT_EQ(pair.access(0, false, 0, 0, 0b1010), (ApbAnswer{0b1010, false}));
}
TEST(EventCounters, AWriteOfWordZeroClearsAndKeepsTheEventOfItsCycle) {
  CountersPair pair(kCounters[1]);
  pair.step(0b11111);
  pair.access(0, true, 2);  // bit 0 is low
  EXPECT_EQ(pair.access(4), (ApbAnswer{1, false}));
  EXPECT_EQ(pair.access(0, true, 1, 0b00100), (ApbAnswer{0, false}));
  for (unsigned c = 0; c < 5; ++c) EXPECT_EQ(pair.access(4 * (c + 1)), (ApbAnswer{c == 2, false})) << c;
}
TEST(EventCounters, WhatIsNoWordIsAnError) {
  CountersPair pair(kCounters[1]);
  pair.step(0b11111);
  for (unsigned address = 0; address < 256; ++address) {
    const bool legal = address % 4 == 0 && address <= 20;
    EXPECT_EQ(pair.access(address).error, !legal) << address;
    EXPECT_EQ(pair.access(address, true, 0).error, address != 0) << address;
    if (address) pair.access(address, true, 1);  // clears nothing
  }
  for (unsigned c = 0; c < 5; ++c) EXPECT_EQ(pair.access(4 * (c + 1)), (ApbAnswer{1, false})) << c;
}
TEST(EventCounters, AnAccessWithoutSetupStopsTheRtl) {
  if (std::getenv("WARPSIEVE_MUTANT")) GTEST_SKIP() << "skipped: a netlist with mutants has no assertions";
  const auto rtl = make_event_counters(kCounters[1], Backend::rtl);
  rtl->tick();
  rtl->in(0, 0, {true, true, false, 0, 0});
  EXPECT_ANY_THROW(rtl->tick());
}

TEST(EventCounters, AResetClears) {
  CountersPair pair(kCounters[1]);
  pair.step(0b11111);
  for (EventCounters* counters : {pair.model.get(), pair.rtl.get()}) {
    EXPECT_FALSE(counters->idle());
    counters->reset();
    EXPECT_FALSE(counters->out());
  }
  for (unsigned c = 0; c < 5; ++c) EXPECT_EQ(pair.access(4 * (c + 1)), (ApbAnswer{0, false})) << c;
  EXPECT_EQ(pair.error, "");
}

class CountersPoints : public ::testing::TestWithParam<CountersParams> {};
INSTANTIATE_TEST_SUITE_P(Points, CountersPoints, ::testing::ValuesIn(kCounters),
                         [](const auto& info) { return "Counters" + std::to_string(info.param.counters); });

void count(CountersPair& pair, const CountersParams& params, std::uint32_t seed, std::uint64_t steps) {
  std::mt19937 random(seed);
  Apb bus;
  for (std::uint64_t k = 0; k < steps && pair.error.empty(); ++k) {
    if (bus.select && !bus.enable) {
      bus.enable = true;
    } else {
      bus = {random() % 2 == 0, false, random() % 8 == 0, static_cast<std::uint8_t>(random()),
             static_cast<std::uint32_t>(random())};
      if (random() % 4) bus.address = static_cast<std::uint8_t>(random() % (params.counters + 2) * 4);
    }
    const std::uint64_t events =
        random() & ((std::uint64_t{1} << params.counters) - 1) & (k / 64 % 2 ? ~0u : random());
    pair.step(events, random() & ((1u << params.status_bits) - 1), bus);
  }
}
TEST_P(CountersPoints, AgreeWithTheModel) {
  tb::check_property("event_counters", 60, [] {
    CountersPair pair(GetParam());
    count(pair, GetParam(), *rc::gen::arbitrary<std::uint32_t>(), 300);
    RC_ASSERT(pair.error == "");
  });
}
TEST_P(CountersPoints, AgreeForLong) {
  CountersPair pair(GetParam());
  const std::uint64_t steps = std::getenv("WARPSIEVE_LONG") ? 400000 : 5000;
  count(pair, GetParam(), 20240611, steps);
  EXPECT_EQ(pair.error, "");
  tb::report_transactions(steps);
}

TEST(DedupSafeParts, BackendsAndPointsThatAreNotThereAreRefused) {
  EXPECT_THROW(make_dedup_guard(kGuards[0], Backend::shadow), std::invalid_argument);
  EXPECT_THROW(make_dedup_guard({2, 1, 1, 1}, Backend::rtl), std::invalid_argument);
  EXPECT_THROW(make_event_counters(kCounters[0], Backend::shadow), std::invalid_argument);
  EXPECT_THROW(make_event_counters({2, 1, 1}, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::dedup_safe
