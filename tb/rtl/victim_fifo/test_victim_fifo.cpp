// victim_fifo: directed behaviour and random lock step against a list of insertions, at every point.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <random>
#include <vector>

#include "blocks/victim_fifo/victim_fifo.h"
#include "blocks/victim_fifo/victim_fifo_backends.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "support/lockstep.h"
#include "support/long_run.h"
#include "support/one_bit_apart.h"
#include "support/property.h"

namespace warpsieve::victim_fifo {
namespace {

/// What the block must do, without slots or pointers: a list of insertions in their order. The copy of
/// insertion n is lost with insertion n + entries, however many copies left in between.
class InsertionList {
 public:
  explicit InsertionList(unsigned entries) : entries_(entries) {}
  /// The response, for lookups.
  std::optional<Response> apply(const Request& request) {
    if (request.op == Op::insert) {
      if (const auto copy = find(request.line, request.sectors); copy != copies_.end()) {
        copy->data = request.data;
      } else {
        copies_.push_back({insertions_, request.line, request.sectors, request.data});
        std::erase_if(copies_, [&](const Copy& old) { return old.number + entries_ <= insertions_; });
        ++insertions_;
      }
      return std::nullopt;
    }
    Response response{};
    for (unsigned bit = 1; bit <= request.sectors; bit <<= 1) {
      if (!(request.sectors & bit)) continue;
      const auto copy = find(request.line, bit);
      if (copy == copies_.end()) continue;
      if (response.sectors == 0) response.data = copy->data;
      if (response.sectors == 0 || request.op == Op::invalidate) copies_.erase(copy);
      response.sectors |= static_cast<std::uint8_t>(bit);
    }
    if (request.op == Op::lookup) return response;
    return std::nullopt;
  }

 private:
  struct Copy {
    std::uint64_t number;
    std::uint64_t line;
    unsigned sector;
    Sector data;
  };
  std::vector<Copy>::iterator find(std::uint64_t line, unsigned sector) {
    return std::find_if(copies_.begin(), copies_.end(),
                        [&](const Copy& candidate) { return candidate.line == line && candidate.sector == sector; });
  }
  unsigned entries_;
  std::uint64_t insertions_ = 0;
  std::vector<Copy> copies_;
};

/// Requests for one sector, numbered through all lines.
struct OneSector {
  unsigned sectors;  ///< per line
  Request insert(std::uint64_t number, const Sector& data) const { return make(Op::insert, number, data); }
  Request lookup(std::uint64_t number) const { return make(Op::lookup, number, {}); }
  Request invalidate(std::uint64_t number) const { return make(Op::invalidate, number, {}); }
  Response found(std::uint64_t number, const Sector& data) const { return {bit(number), data}; }

 private:
  std::uint8_t bit(std::uint64_t number) const { return static_cast<std::uint8_t>(1u << number % sectors); }
  Request make(Op op, std::uint64_t number, const Sector& data) const {
    return {op, number / sectors, bit(number), data};
  }
};

class VictimFifoPoints : public ::testing::TestWithParam<VictimFifoParams> {
 protected:
  unsigned entries() const { return GetParam().entries; }
  unsigned sectors() const { return GetParam().sectors; }
  std::uint64_t lines() const { return GetParam().tag_bits > 20 ? 1u << 20 : 1u << GetParam().tag_bits; }
  std::uint64_t addresses() const { return lines() * sectors(); }  ///< of sectors
  Sector sector(std::uint32_t seed) const {
    const unsigned bits = GetParam().data_bits;
    Sector data{};
    for (unsigned i = 0; i < (bits + 7) / 8; ++i) {
      data[i] = static_cast<std::uint8_t>((seed = seed * 1664525 + 1013904223) >> 24);
    }
    if (bits % 8) data[bits / 8] &= (1u << bits % 8) - 1;
    data[0] |= 1;  // never the all-zero data of a miss
    return data;
  }
  /// The lines of a pool: spread evenly, or one bit apart from a base that `seed` draws.
  std::function<std::uint64_t(std::uint64_t)> pool_of(std::uint64_t pool, bool flips, std::uint64_t seed) const {
    if (!flips) return [stride = lines() / pool](std::uint64_t index) { return index * stride; };
    std::mt19937_64 random(seed);
    const unsigned bits = GetParam().tag_bits;
    const std::uint64_t base = random() >> (64 - bits);
    return tb::OneBitApart<std::uint64_t>(base, bits, random());
  }
  /// Any request to a line: the low bits of `seed` say which sectors, at least one; an insertion has one.
  Request request(Op op, std::uint64_t line, std::uint32_t seed) const {
    const unsigned any = seed % (1u << sectors());
    if (op != Op::insert) return {op, line, static_cast<std::uint8_t>(any ? any : 1), {}};
    return {op, line, static_cast<std::uint8_t>(1u << seed % sectors()), sector(seed)};
  }
  OneSector one() const { return {sectors()}; }
  std::unique_ptr<VictimFifo> make() const {
    auto fifo = make_victim_fifo(GetParam(), Backend::shadow);
    fifo->reset();
    return fifo;
  }
};
INSTANTIATE_TEST_SUITE_P(Points, VictimFifoPoints,
                         ::testing::Values(VictimFifoParams{1, 1, 1, 1}, VictimFifoParams{5, 5, 3, 9},
                                           VictimFifoParams{16, 24, 4, 256}, VictimFifoParams{16, 32, 1, 32}),
                         [](const auto& info) {
                           return "E" + std::to_string(info.param.entries) + "T" +
                                  std::to_string(info.param.tag_bits) + "S" + std::to_string(info.param.sectors) +
                                  "D" + std::to_string(info.param.data_bits);
                         });

void send(VictimFifo& fifo, const Request& request) {
  ASSERT_TRUE(fifo.push(request));
  fifo.tick();
}
/// Response of a lookup, taken in the cycle after it.
Response look(VictimFifo& fifo, const Request& lookup) {
  send(fifo, lookup);
  if (!fifo.front()) {
    ADD_FAILURE() << "no response one cycle after the lookup";
    return {};
  }
  const Response response = *fifo.front();
  fifo.pop();
  fifo.tick();
  return response;
}

TEST_P(VictimFifoPoints, LookupRightAfterInsertHitsOneCycleLaterAndTakesTheCopy) {
  auto fifo = make();
  send(*fifo, one().insert(1, sector(1)));
  EXPECT_EQ(fifo->front(), nullptr);
  EXPECT_EQ(look(*fifo, one().lookup(1)), one().found(1, sector(1)));
  EXPECT_EQ(look(*fifo, one().lookup(1)), (Response{}));
  EXPECT_EQ(look(*fifo, one().lookup(0)), (Response{}));
  EXPECT_TRUE(fifo->idle());
}

TEST_P(VictimFifoPoints, TheOldestCopyIsOverwrittenAndLookupsDoNotReorder) {
  if (addresses() <= entries()) {  // one slot, addresses 0 and 1
    auto fifo = make();
    send(*fifo, one().insert(0, sector(1)));
    send(*fifo, one().insert(1, sector(2)));
    EXPECT_EQ(look(*fifo, one().lookup(0)), (Response{}));
    EXPECT_EQ(look(*fifo, one().lookup(1)), one().found(1, sector(2)));
    return;
  }
  auto fifo = make();
  for (unsigned i = 0; i < entries(); ++i) send(*fifo, one().insert(i, sector(i)));
  // A free slot in the middle is not used: the pointer stands on slot 0, the oldest.
  if (entries() > 2) {
    EXPECT_EQ(look(*fifo, one().lookup(2)), one().found(2, sector(2)));
  }
  send(*fifo, one().insert(90, sector(90)));
  EXPECT_EQ(look(*fifo, one().lookup(0)), (Response{}));
  for (unsigned i = 1; i < entries(); ++i) {
    EXPECT_EQ(look(*fifo, one().lookup(i)), i == 2 ? Response{} : one().found(i, sector(i))) << i;
  }
  EXPECT_EQ(look(*fifo, one().lookup(90)), one().found(90, sector(90)));
}

TEST_P(VictimFifoPoints, InvalidateRemovesTheCopyAndAnswersNothing) {
  auto fifo = make();
  send(*fifo, one().insert(1, sector(5)));
  send(*fifo, one().invalidate(0));
  send(*fifo, one().invalidate(1));
  EXPECT_EQ(fifo->front(), nullptr);
  EXPECT_EQ(look(*fifo, one().lookup(1)), (Response{}));
}

TEST_P(VictimFifoPoints, InsertOfAPresentAddressOverwritesInPlaceAndKeepsItsAge) {
  auto fifo = make();
  send(*fifo, one().insert(1, sector(1)));
  send(*fifo, one().insert(1, sector(2)));
  EXPECT_EQ(look(*fifo, one().lookup(1)), one().found(1, sector(2)));
  EXPECT_EQ(look(*fifo, one().lookup(1)), (Response{}));  // there was one copy
  if (addresses() <= entries() + 1) return;
  fifo->reset();
  for (unsigned i = 0; i < entries(); ++i) send(*fifo, one().insert(i, sector(i)));
  send(*fifo, one().insert(0, sector(50)));
  send(*fifo, one().insert(91, sector(91)));  // overwrites address 0: still the oldest
  EXPECT_EQ(look(*fifo, one().lookup(0)), (Response{}));
  if (entries() > 1) {
    EXPECT_EQ(look(*fifo, one().lookup(1)), one().found(1, sector(1)));
  }
}

TEST_P(VictimFifoPoints, TwoLookupsWaitUnderBackPressureWithTheirOwnData) {
  auto fifo = make();
  send(*fifo, one().insert(0, sector(7)));
  send(*fifo, one().lookup(0));
  send(*fifo, one().insert(1, sector(8)));  // one response waits: requests still enter
  send(*fifo, one().lookup(1));
  EXPECT_FALSE(fifo->push(one().insert(0, sector(9))));
  fifo->tick();
  ASSERT_NE(fifo->front(), nullptr);
  EXPECT_EQ(*fifo->front(), one().found(0, sector(7)));
  fifo->pop();
  EXPECT_FALSE(fifo->ready());  // state only
  fifo->tick();
  EXPECT_TRUE(fifo->ready());
  ASSERT_NE(fifo->front(), nullptr);
  EXPECT_EQ(*fifo->front(), one().found(1, sector(8)));
  send(*fifo, one().insert(1, sector(10)));  // writes the slot of the response on offer
  EXPECT_EQ(*fifo->front(), one().found(1, sector(8)));
}

TEST_P(VictimFifoPoints, ResetDropsCopiesPointerAndResponsesThatWait) {
  auto fifo = make();
  for (unsigned waiting = 0; waiting <= 2; ++waiting) {
    send(*fifo, one().insert(0, sector(1)));
    send(*fifo, one().insert(1, sector(2)));
    for (unsigned i = 0; i < waiting; ++i) send(*fifo, one().lookup(i));
    fifo->reset();
    EXPECT_EQ(fifo->front(), nullptr);
    EXPECT_TRUE(fifo->ready());
    EXPECT_TRUE(fifo->idle());
    fifo->tick();
    EXPECT_EQ(fifo->front(), nullptr);
    EXPECT_EQ(look(*fifo, one().lookup(0)), (Response{}));
    EXPECT_EQ(look(*fifo, one().lookup(1)), (Response{}));
  }
}

TEST_P(VictimFifoPoints, EverySingleBitOfTheAddressMakesAnotherCopy) {
  auto fifo = make();
  const std::uint64_t base = 0x5a3c96e1d2b4f078u >> (64 - GetParam().tag_bits);
  for (unsigned bit = 0; bit < GetParam().tag_bits; ++bit) {
    const std::uint64_t other = tb::flip_bit(base, bit);
    send(*fifo, {Op::insert, base, 1, sector(1)});
    EXPECT_EQ(look(*fifo, {Op::lookup, other, 1, {}}), (Response{})) << bit;
    send(*fifo, {Op::invalidate, other, 1, {}});
    send(*fifo, {Op::insert, other, 1, sector(2)});
    EXPECT_EQ(look(*fifo, {Op::lookup, base, 1, {}}), entries() > 1 ? (Response{1, sector(1)}) : Response{}) << bit;
    EXPECT_EQ(look(*fifo, {Op::lookup, other, 1, {}}), (Response{1, sector(2)})) << bit;
  }
}

TEST_P(VictimFifoPoints, ALookupTakesTheLowestSectorAndNamesTheOthers) {
  if (sectors() < 3 || entries() < sectors()) GTEST_SKIP() << "needs lines of three sectors";
  auto fifo = make();
  const auto all = static_cast<std::uint8_t>((1u << sectors()) - 1);
  for (const unsigned sector_of : {2u, 0u}) {  // in another order than they come out
    send(*fifo, {Op::insert, 3, static_cast<std::uint8_t>(1u << sector_of), sector(sector_of)});
    send(*fifo, {Op::insert, 4, static_cast<std::uint8_t>(1u << sector_of), sector(9)});  // another line
  }
  EXPECT_EQ(look(*fifo, {Op::lookup, 3, 0b010, {}}), (Response{})) << "not there";
  EXPECT_EQ(look(*fifo, {Op::lookup, 3, all, {}}), (Response{0b101, sector(0)}));
  EXPECT_EQ(look(*fifo, {Op::lookup, 3, 0b001, {}}), (Response{})) << "taken";
  EXPECT_EQ(look(*fifo, {Op::lookup, 3, 0b100, {}}), (Response{0b100, sector(2)})) << "it stayed";
  EXPECT_EQ(look(*fifo, {Op::lookup, 4, 0b100, {}}), (Response{0b100, sector(9)})) << "only the wanted one";
  EXPECT_EQ(look(*fifo, {Op::lookup, 4, all, {}}), (Response{0b001, sector(9)}));
}

TEST_P(VictimFifoPoints, InvalidateFreesAllNamedSectorsOfALineAtOnce) {
  if (sectors() < 3 || entries() < sectors()) GTEST_SKIP() << "needs lines of three sectors";
  auto fifo = make();
  const auto all = static_cast<std::uint8_t>((1u << sectors()) - 1);
  for (unsigned i = 0; i < sectors(); ++i)
    send(*fifo, {Op::insert, 7, static_cast<std::uint8_t>(1u << i), sector(i)});
  send(*fifo, {Op::invalidate, 6, all, {}});
  send(*fifo, {Op::invalidate, 7, static_cast<std::uint8_t>(all & ~0b010u), {}});
  EXPECT_EQ(look(*fifo, {Op::lookup, 7, all, {}}), (Response{0b010, sector(1)}));
  EXPECT_EQ(look(*fifo, {Op::lookup, 7, all, {}}), (Response{}));
}

TEST_P(VictimFifoPoints, LookupsStreamAtOnePerCycle) {
  auto fifo = make();
  const std::uint64_t count = std::min<std::uint64_t>(entries(), addresses());
  for (std::uint64_t i = 0; i < count; ++i) send(*fifo, one().insert(i, sector(i)));
  for (std::uint64_t i = 0; i <= count; ++i) {
    if (i < count) {
      ASSERT_TRUE(fifo->push(one().lookup(i)));
    }
    if (i > 0) {
      ASSERT_NE(fifo->front(), nullptr);
      EXPECT_EQ(*fifo->front(), one().found(i - 1, sector(i - 1)));
      fifo->pop();
    }
    fifo->tick();
  }
  EXPECT_TRUE(fifo->idle());
}

TEST_P(VictimFifoPoints, RandomRequestsFollowTheListOfInsertions) {
  tb::check_property("victim_fifo", 1000, [&] {
    // A pool little larger than the ring, so that hits, overwrites in place and losses all happen.
    const std::uint64_t pool =
        *rc::gen::inRange<std::uint64_t>(1, std::min<std::uint64_t>(2 * entries(), lines()) + 1);
    const auto address = pool_of(pool, *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<std::uint32_t>());
    const auto requests = *rc::gen::scale(
        4.0, rc::gen::container<std::vector<Request>>(rc::gen::apply(
                 [this, address](unsigned op, std::uint64_t index, std::uint32_t seed) {  // also runs to shrink
                   const Op ops[] = {Op::insert, Op::insert, Op::insert, Op::lookup, Op::lookup, Op::invalidate};
                   return request(ops[op], address(index), seed);
                 },
                 rc::gen::inRange(0u, 6u), rc::gen::inRange<std::uint64_t>(0, pool),
                 rc::gen::arbitrary<std::uint32_t>())));
    const tb::Pressure pressure{*rc::gen::inRange(10u, 101u), *rc::gen::inRange(10u, 101u),
                                *rc::gen::inRange(1u, 1u << 30)};
    InsertionList reference(entries());
    std::vector<Response> expected;
    for (const Request& request : requests) {
      if (const auto response = reference.apply(request)) expected.push_back(*response);
    }
    auto fifo = make();
    RC_ASSERT(tb::drive_stream(*fifo, requests, expected.size(), pressure) == expected);
  });
}

TEST_P(VictimFifoPoints, AQuarterOfAMillionRequestsFollowTheListOfInsertions) {  // four points: a million together
  if (!std::getenv("WARPSIEVE_LONG")) GTEST_SKIP() << "skipped: set WARPSIEVE_LONG=1 for 260,000 requests per point";
  std::mt19937 random(entries());
  auto fifo = make();
  InsertionList reference(entries());
  unsigned hits = 0, misses = 0;
  for (unsigned burst = 0; burst < 260; ++burst) {
    const std::uint64_t pool = 1 + random() % std::min<std::uint64_t>(2 * entries(), lines());
    const auto address = pool_of(pool, burst % 2 == 0, burst);
    std::vector<Request> requests;
    std::vector<Response> expected;
    for (unsigned i = 0; i < 1000; ++i) {
      const Op ops[] = {Op::insert, Op::insert, Op::insert, Op::lookup, Op::lookup, Op::invalidate};
      const Op op = ops[random() % 6];
      const std::uint64_t line = address(random() % pool);
      requests.push_back(request(op, line, static_cast<std::uint32_t>(random())));
      if (const auto response = reference.apply(requests.back())) {
        expected.push_back(*response);
        ++(response->sectors ? hits : misses);
      }
    }
    const tb::Pressure pressure{static_cast<unsigned>(10 + random() % 91), static_cast<unsigned>(10 + random() % 91),
                                burst + 1};
    ASSERT_EQ(tb::drive_stream(*fifo, requests, expected.size(), pressure), expected) << burst;
  }
  EXPECT_GT(hits, 10000u);
  EXPECT_GT(misses, 10000u);
  tb::report_transactions(260 * 1000);
}

// The comparison itself: a model with one slot too few is caught by the first copy it loses too early.
TEST(VictimFifo, ShadowCatchesAModelWithOneSlotTooFew) {
  Shadow<Request, Response> shadow("victim", make_victim_fifo_model({4, 5, 3, 9}),
                                   make_victim_fifo({5, 5, 3, 9}, Backend::rtl));
  shadow.reset();
  for (unsigned i = 0; i < 5; ++i) {
    ASSERT_TRUE(shadow.push({Op::insert, i, 1, {}}));
    shadow.tick();
  }
  ASSERT_TRUE(shadow.push({Op::lookup, 0, 1, {}}));
  EXPECT_THROW(shadow.tick(), ShadowMismatch);
}

TEST(VictimFifo, IllegalOperationStopsTheRtl) {
  auto fifo = make_victim_fifo({5, 5, 3, 9}, Backend::rtl);
  fifo->push({static_cast<Op>(3), 0, 1, {}});
  EXPECT_THROW(fifo->tick(), RtlAssertion);
}

TEST(VictimFifo, RequestsWithoutASectorAndInsertionsOfTwoStopTheRtl) {
  for (const Request& bad :
       {Request{Op::lookup, 0, 0, {}}, Request{Op::invalidate, 0, 0, {}}, Request{Op::insert, 0, 0b101, {}}}) {
    auto fifo = make_victim_fifo({5, 5, 3, 9}, Backend::rtl);
    fifo->push(bad);
    EXPECT_THROW(fifo->tick(), RtlAssertion) << describe(bad);
  }
}

TEST(VictimFifo, DescribesRequestsAndResponses) {
  Sector data{};
  data[0] = 0xab;
  const std::string zeros(62, '0');
  EXPECT_EQ(describe(Request{Op::insert, 0x12, 0b100, data}), "insert line 0x12 sectors 0b100 " + zeros + "ab");
  EXPECT_EQ(describe(Response{0b101, data}), "present 0b101 " + zeros + "ab");
}

TEST(VictimFifo, BadParametersAreRefused) {
  EXPECT_THROW(make_victim_fifo({0, 5, 3, 9}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_victim_fifo({5, 65, 3, 9}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_victim_fifo({5, 5, 3, 257}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_victim_fifo({5, 5, 9, 9}, Backend::model), std::invalid_argument);
  EXPECT_THROW(make_victim_fifo({6, 5, 3, 9}, Backend::rtl), std::invalid_argument);
}

}  // namespace
}  // namespace warpsieve::victim_fifo
