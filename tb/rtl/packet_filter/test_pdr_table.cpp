// pdr_table: detection, merging, room, races between a leaving reply and the next request, latencies by hand; then
// random traffic in lock step of model and RTL against a plain map, at every point; how often a key finds no room.
#include <gtest/gtest.h>

#include <algorithm>

#include "blocks/packet_filter/pdr_table.h"
#include "cosim/shadow.h"
#include "support/long_run.h"
#include "support/property.h"
#include "table_traffic.h"

namespace warpsieve::packet_filter {
namespace {

constexpr TableParams table_min{1, 1, 1, 1}, table_odd{4, 3, 2, 5}, table_row{4, 1, 1, 3}, table_short{4, 2, 3, 2},
    table_paper{32, 8, 6, 25};

struct TableBench {
  explicit TableBench(const TableParams& params = table_paper) : table(make_pdr_table(params, Backend::shadow)) {
    table->reset();
  }
  /// One request alone: its answer comes exactly two ticks later.
  Forward ask(std::uint32_t sm, std::uint32_t line, std::uint8_t mask) {
    EXPECT_TRUE(table->req().push({sm, line, mask}));
    table->tick();
    EXPECT_EQ(table->fwd().front(), nullptr);
    table->tick();
    return forwarded();
  }
  Forward forwarded() {
    if (!table->fwd().front()) throw std::runtime_error("no answer");
    const Forward forward = *table->fwd().front();
    table->fwd().pop();
    table->tick();
    return forward;
  }
  AskedMask leave(bool registered, std::uint32_t token) {
    EXPECT_TRUE(table->take().push({registered, token}));
    table->tick();
    EXPECT_EQ(table->mask().front(), nullptr);
    table->tick();
    return left();
  }
  AskedMask left() {
    if (!table->mask().front()) throw std::runtime_error("no mask");
    const AskedMask mask = *table->mask().front();
    table->mask().pop();
    table->tick();
    return mask;
  }
  std::unique_ptr<PdrTable> table;
};

TEST(PdrTable, AFullRequestIsForwardedWithoutAnEntry) {
  TableBench b;
  EXPECT_EQ(b.ask(3, 77, 0b1111), (Forward{Action::full, 0b1111}));
  EXPECT_EQ(b.table->used(), 0u);
  EXPECT_EQ(b.leave(false, 0b1111), (AskedMask{0b1111, true}));
}

TEST(PdrTable, EveryPartialMaskIsRegisteredAndComesBack) {
  for (std::uint8_t mask = 1; mask < 15; ++mask) {
    TableBench b;
    const Forward forward = b.ask(3, 77, mask);
    EXPECT_EQ(forward, (Forward{Action::registered, row_of(table_paper, 0, 3, 77)}));
    EXPECT_EQ(b.table->used(), 1u);
    EXPECT_EQ(b.leave(true, forward.token), (AskedMask{mask, false}));
    EXPECT_EQ(b.table->used(), 0u);
  }
}

TEST(PdrTable, RequestsOfOneKeyMergeByOrAndOthersDoNot) {
  TableBench b;
  const Forward first = b.ask(3, 77, 0b0001);
  EXPECT_EQ(b.ask(3, 77, 0b0100), (Forward{Action::merged, first.token}));
  EXPECT_EQ(b.ask(2, 77, 0b1000).action, Action::registered);  // another SM
  EXPECT_EQ(b.ask(3, 76, 0b1000).action, Action::registered);  // another line
  EXPECT_EQ(b.ask(3, 77, 0b0001), (Forward{Action::merged, first.token}));
  EXPECT_EQ(b.table->used(), 3u);
  EXPECT_EQ(b.leave(true, first.token), (AskedMask{0b0101, false}));
}

TEST(PdrTable, AFullRequestMergesIntoThePartialOneBeforeIt) {
  TableBench b;
  const Forward first = b.ask(3, 77, 0b0001);
  EXPECT_EQ(b.ask(3, 77, 0b1111), (Forward{Action::merged, first.token}));
  EXPECT_EQ(b.leave(true, first.token), (AskedMask{0b1111, true}));
}

TEST(PdrTable, MasksThatMergeToAllOnesAreSentInFull) {
  TableBench b;
  const Forward first = b.ask(3, 77, 0b0011);
  b.ask(3, 77, 0b1100);
  EXPECT_EQ(b.leave(true, first.token), (AskedMask{0b1111, true}));
}

TEST(PdrTable, AfterItsReplyLeftARequestIsTheFirstOfItsKeyAgain) {
  TableBench b;
  const Forward first = b.ask(3, 77, 0b0001);
  b.leave(true, first.token);
  EXPECT_EQ(b.ask(3, 77, 0b0010), (Forward{Action::registered, first.token}));
  EXPECT_EQ(b.leave(true, first.token), (AskedMask{0b0010, false}));
}

TEST(PdrTable, WithoutRoomTheLineIsSentInFullAndTheTokenKeepsWhatWasAsked) {
  TableBench b(table_min);
  EXPECT_EQ(b.ask(0, 0, 0b0001).action, Action::registered);
  EXPECT_EQ(b.ask(1, 0, 0b0110), (Forward{Action::no_room, 0b0110}));
  EXPECT_EQ(b.ask(0, 0, 0b0010), (Forward{Action::merged, 0}));
  EXPECT_EQ(b.leave(false, 0b0110), (AskedMask{0b0110, true}));
  EXPECT_EQ(b.table->used(), 1u);
}

TEST(PdrTable, AKeyTriesItsPlaceInEveryWayInOrder) {
  TableBench b;
  // Keys that share the place of {0, 0} in way 0 go to their places in the ways above.
  const unsigned row = row_of(table_paper, 0, 0, 0);
  unsigned found = 0;
  for (std::uint32_t line = 0; found < 3; ++line) {
    if (row_of(table_paper, 0, 0, line) != row) continue;
    EXPECT_EQ(b.ask(0, line, 1), (Forward{Action::registered, found * 32 + row_of(table_paper, found, 0, line)}));
    ++found;
    if (found == 2) break;  // the third's place in way 1 may be free
  }
  EXPECT_EQ(b.table->used(), 2u);
}

TEST(PdrTable, ARequestOfTheSameKeyInTheNextCycleMerges) {
  TableBench b;
  for (unsigned i = 0; i < 3; ++i) {
    b.table->req().push({5, 1000, static_cast<std::uint8_t>(1u << i)});
    b.table->tick();
  }
  b.table->tick();
  const Forward first = b.forwarded();
  EXPECT_EQ(first.action, Action::registered);
  EXPECT_EQ(b.forwarded(), (Forward{Action::merged, first.token}));
  EXPECT_EQ(b.forwarded(), (Forward{Action::merged, first.token}));
  EXPECT_EQ(b.leave(true, first.token), (AskedMask{0b0111, false}));
}

TEST(PdrTable, ARequestTakenACycleBeforeTheReplyLeavesStillMergesOneTakenWithItDoesNot) {
  for (const bool before : {true, false}) {
    TableBench b;
    const Forward first = b.ask(5, 1000, 0b0001);
    if (before) {
      b.table->req().push({5, 1000, 0b1000});
      b.table->tick();
      b.table->take().push({true, first.token});
      b.table->tick();
    } else {
      b.table->req().push({5, 1000, 0b1000});
      b.table->take().push({true, first.token});
      b.table->tick();
    }
    b.table->tick();
    EXPECT_EQ(b.forwarded().action, before ? Action::merged : Action::registered);
    EXPECT_EQ(b.left(), (AskedMask{static_cast<std::uint8_t>(before ? 0b1001 : 0b0001), false}));
    EXPECT_EQ(b.table->used(), before ? 0u : 1u);
  }
}

TEST(PdrTable, TheLeavingEntrysPlaceIsFreeInTheNextCycleNotInItsOwn) {
  for (const bool late : {true, false}) {
    TableBench b(table_min);
    const Forward first = b.ask(0, 0, 0b0001);
    b.table->take().push({true, first.token});
    if (!late) b.table->req().push({1, 1, 0b0010});
    b.table->tick();
    if (late) b.table->req().push({1, 1, 0b0010});
    b.table->tick();
    b.table->tick();
    EXPECT_EQ(b.forwarded().action, late ? Action::registered : Action::no_room);
  }
}

TEST(PdrTable, OneRequestAndOneLeavingReplyPerCycle) {
  TableBench b;
  std::uint32_t next = 0;
  std::deque<std::uint32_t> tokens;
  for (unsigned cycle = 0; cycle < 100; ++cycle) {
    ASSERT_TRUE(b.table->req().push({1, next++, 0b0001}));
    if (b.table->fwd().front()) {
      tokens.push_back(b.table->fwd().front()->token);
      b.table->fwd().pop();
    }
    if (cycle > 20) {
      ASSERT_TRUE(b.table->take().push({true, tokens.front()}));
      tokens.pop_front();
    }
    if (b.table->mask().front()) b.table->mask().pop();
    b.table->tick();
  }
}

TEST(PdrTable, ThreeAnswersWaitUnderBackPressureOnEachStream) {
  TableBench b;
  for (std::uint8_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(b.table->req().push({1, i, 0b1111}));
    ASSERT_TRUE(b.table->take().push({false, static_cast<std::uint32_t>(i + 1)}));
    b.table->tick();
  }
  for (unsigned i = 0; i < 4; ++i) {
    EXPECT_FALSE(b.table->req().push({1, 9, 0b0001}));
    EXPECT_FALSE(b.table->take().push({false, 8}));
    EXPECT_FALSE(b.table->idle());
    b.table->tick();
  }
  for (std::uint8_t i = 0; i < 3; ++i) {
    EXPECT_EQ(b.forwarded(), (Forward{Action::full, 0b1111}));
    EXPECT_EQ(b.left(), (AskedMask{static_cast<std::uint8_t>(i + 1), true}));
  }
  EXPECT_TRUE(b.table->idle());
}

TEST(PdrTable, RequestsOfTwoSmsStayApartWhenTheLineIsNoLongerThanTheRowNumber) {
  TableBench b(table_short);
  const Forward first = b.ask(0, 1, 0b0001);
  for (std::uint32_t sm = 1; sm < 8; ++sm) EXPECT_NE(b.ask(sm, 1, 0b0010).action, Action::merged) << sm;
  EXPECT_EQ(b.ask(0, 1, 0b0100), (Forward{Action::merged, first.token}));
}

TEST(PdrTable, ResetEmptiesTheTable) {
  TableBench b;
  b.ask(1, 1, 1);
  b.table->reset();
  EXPECT_EQ(b.table->used(), 0u);
  EXPECT_EQ(b.ask(1, 1, 2).action, Action::registered);
}

TEST(PdrTable, ParametersOutOfRangeOrWithoutRtlAreRefused) {
  EXPECT_THROW(make_pdr_table({3, 2, 6, 25}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_pdr_table({32, 0, 6, 25}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_pdr_table({32, 8, 0, 25}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_pdr_table({32, 8, 6, 4}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_pdr_table({32, 8, 10, 32}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_pdr_table({64, 4, 6, 25}, Backend::rtl), std::invalid_argument);
  EXPECT_NO_THROW(make_pdr_table({64, 4, 6, 25}, Backend::model));
}

TEST(PdrTable, TheTrafficOfTheTestsNoticesAWrongTable) {
  // The traffic below against a table whose keys lose a bit: keys meet that should not.
  EXPECT_NO_THROW(TableTraffic(*make_pdr_table(table_odd, Backend::model), table_odd, {}).run(2000));
  EXPECT_THROW(TableTraffic(*make_pdr_table(table_odd, Backend::model), table_odd, {.blur = 1}).run(2000),
               std::runtime_error);
}

class TablePoints : public ::testing::TestWithParam<TableParams> {};
INSTANTIATE_TEST_SUITE_P(Points, TablePoints,
                         ::testing::Values(table_min, table_odd, table_row, table_short, table_paper),
                         [](const auto& info) {
                           return "S" + std::to_string(info.param.sets) + "W" + std::to_string(info.param.ways);
                         });

/// Takes all places of the ways below `way` by other keys than `kept`, so that the next one goes to `way`.
void fill_below(TableBench& b, const TableParams& params, unsigned way, const std::vector<Key>& kept) {
  std::minstd_rand random(way);
  std::vector<bool> taken(way * params.sets);
  unsigned filled = 0;
  for (unsigned tries = 0; filled < taken.size(); ++tries) {
    if (tries > 100000) throw std::runtime_error("fill_below: no key for the places left");
    const Key key{random() % (1u << params.sm_bits), random() % (std::uint64_t{1} << params.line_bits)};
    unsigned w = 0;
    while (w < way && taken[w * params.sets + row_of(params, w, key.first, key.second)]) ++w;
    if (w == way || std::find(kept.begin(), kept.end(), key) != kept.end()) continue;
    const Forward forward = b.ask(key.first, key.second, 0b0001);
    if (forward.action != Action::registered) continue;  // the key is there already
    taken.at(forward.token) = true;
    ++filled;
  }
}

TEST_P(TablePoints, EverySingleBitOfTheTagMakesAnotherEntryInEveryWay) {
  const TableParams params = GetParam();
  const Key key{0x2du & ((1u << params.sm_bits) - 1), 0x15a6c9bu & ((1u << params.line_bits) - 1)};
  for (unsigned way = 0; way < params.ways; ++way) {
    TableBench b(params);
    std::vector<Key> keys{key};
    for (unsigned bit = 0; bit < tag_bits(params); ++bit) keys.push_back(tag_neighbour(params, way, key, bit));
    fill_below(b, params, way, keys);
    const std::uint32_t place = way * params.sets + row_of(params, way, key.first, key.second);
    for (unsigned bit = 0; bit < tag_bits(params); ++bit) {
      SCOPED_TRACE(fmt::format("way {} bit {}", way, bit));
      const Key& other = keys[bit + 1];
      // The second request is compared with the memory's row, or with the first request right before it.
      for (const bool right_behind : {false, true}) {
        ASSERT_TRUE(b.table->req().push({key.first, key.second, 0b0001}));
        b.table->tick();
        if (!right_behind) b.table->tick();
        ASSERT_TRUE(b.table->req().push({other.first, other.second, 0b0010}));
        b.table->tick();
        b.table->tick();
        EXPECT_EQ(b.forwarded(), (Forward{Action::registered, place}));
        const Forward second = b.forwarded();
        EXPECT_EQ(second.action, way + 1 < params.ways ? Action::registered : Action::no_room);
        EXPECT_EQ(b.leave(true, place), (AskedMask{0b0001, false}));
        b.leave(second.action == Action::registered, second.token);
      }
    }
  }
}

TEST_P(TablePoints, RandomTrafficInLockStepEqualsAMap) {
  const TableParams params = GetParam();
  std::array<unsigned, 4> seen{};
  tb::check_property("pdr_table traffic", 60, [&] {
    TrafficShape shape;
    shape.keys = *rc::gen::inRange(1u, 2 * params.entries() + 2);
    shape.offer = *rc::gen::inRange(20u, 101u);
    shape.accept = *rc::gen::inRange(20u, 101u);
    shape.leave = *rc::gen::inRange(5u, 101u);
    shape.masks = *rc::gen::inRange(20u, 101u);
    shape.seed = *rc::gen::inRange(1u, 1u << 30);
    auto table = make_pdr_table(params, Backend::shadow);
    TableTraffic traffic(*table, params, shape);
    traffic.run(*rc::gen::inRange(1u, 1500u));
    for (unsigned action = 0; action < 4; ++action) seen[action] += traffic.seen(static_cast<Action>(action));
  });
  auto table = make_pdr_table(params, Backend::shadow);
  TableTraffic crowded(*table, params, {.keys = 3 * params.entries(), .offer = 100, .accept = 100, .leave = 15});
  crowded.run(2500);
  for (unsigned action = 0; action < 4; ++action) seen[action] += crowded.seen(static_cast<Action>(action));
  for (const unsigned count : seen) EXPECT_GT(count, 20u);
}

TEST_P(TablePoints, LongRandomTrafficInLockStep) {
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for a million transactions";
  const TableParams params = GetParam();
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    auto table = make_pdr_table(params, Backend::shadow);
    TableTraffic(*table, params,
                 {.keys = params.entries() * (1 + seed % 3) / 2 + 1,
                  .offer = 95,
                  .accept = 95,
                  .leave = 30 + 5 * seed,
                  .masks = 90,
                  .seed = seed})
        .run(25000);
  }
  tb::report_transactions(10 * 25000);
}

/// Share of first partial requests that found no room, with `held` entries in use on average: an entry is given back
/// for every one taken beyond that.
double no_room_rate(const TableParams& params, unsigned held) {
  auto table = make_pdr_table(params, Backend::model);
  std::minstd_rand random(held);
  std::vector<std::uint32_t> tokens;
  unsigned refused = 0, asked = 0;
  for (unsigned i = 0; i < 60000; ++i) {
    // 56 SMs that each walk lines of their own, as in the thesis's system.
    const auto sm = static_cast<std::uint32_t>(random() % 56);
    const auto line = static_cast<std::uint32_t>(sm * 4096 + random() % 65536) & 0x1ffffff;
    table->req().push({sm, line, 1});
    if (tokens.size() > held) {
      std::swap(tokens[random() % tokens.size()], tokens.back());
      table->take().push({true, tokens.back()});
      tokens.pop_back();
    }
    if (const Forward* f = table->fwd().front()) {
      if (i > 5000 && (f->action == Action::registered || f->action == Action::no_room)) {
        ++asked;
        refused += f->action == Action::no_room;
      }
      if (f->action == Action::registered) tokens.push_back(f->token);
      table->fwd().pop();
    }
    if (table->mask().front()) table->mask().pop();
    table->tick();
  }
  return double(refused) / asked;
}

TEST(PdrTable, EightSkewedWaysRefuseLittleUpToHalfFullAndLessThanFourWays) {
  for (const unsigned held : {64u, 96u, 128u, 160u, 192u, 224u}) {
    const double eight = no_room_rate(table_paper, held), four = no_room_rate({64, 4, 6, 25}, held),
                 sixteen = no_room_rate({16, 16, 6, 25}, held);
    std::printf("[ no room  ] %u entries held: 64 x 4 %.3f %%, 32 x 8 %.3f %%, 16 x 16 %.3f %%\n", held, 100 * four,
                100 * eight, 100 * sixteen);
    EXPECT_LT(eight, four) << held;
    if (held <= 96) {
      EXPECT_LT(eight, 0.001);
    }
    if (held <= 128) {
      EXPECT_LT(eight, 0.01);
    }
  }
}

}  // namespace
}  // namespace warpsieve::packet_filter
