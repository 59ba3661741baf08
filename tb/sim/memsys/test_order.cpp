// What an L2 reply carries: the bytes of its sectors at the place of the request in the L2's order. A read that
// waits for its fill must have every older store and atomic and no younger one, whoever sent it: an SM that loads
// and then stores the same address would otherwise see its own later store.
#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "support/around.h"
#include "toy.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;
using simt::AtomicOp;

/// Notes what the replies to reads carry, in the order in which they leave.
class Recorder final : public Scheme {
 public:
  struct Reply {
    LocalLine line;
    SectorMask mask;
    LineData data;
    bool operator==(const Reply&) const = default;
    std::uint8_t byte(unsigned i) const { return data.bytes[i]; }
    std::uint32_t word(unsigned i) const {
      std::uint32_t w;
      std::memcpy(&w, data.bytes.data() + 4 * i, 4);
      return w;
    }
  };
  /// `wrong`: byte that the first fill brings flipped, kLineBytes: none.
  explicit Recorder(unsigned wrong = kLineBytes) : wrong_(wrong) {}
  std::string name() const override { return "recorder"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    return std::make_unique<Path>(host, wrong_);
  }
  std::unique_ptr<ReplyPort> make_reply_port(unsigned, const Profile&, Stats&) override {
    return std::make_unique<Port>(replies);
  }
  std::unique_ptr<ReplyDecoder> make_reply_decoder(unsigned, const Profile&, Stats&) override {
    return std::make_unique<Decoder>();
  }
  std::vector<Reply> replies;

 private:
  /// The first fill brings a wrong byte.
  class Host : public HostAround {
   public:
    Host(PathOwner& host, unsigned wrong) : HostAround(host), wrong_(wrong) {}
    void reply(Cycle now, const ReadReply& reply) override {
      ReadReply changed = reply;
      if (wrong_ < kLineBytes) changed.data.bytes[wrong_] ^= 0xff;
      wrong_ = kLineBytes;
      host_.reply(now, changed);
    }

   private:
    unsigned wrong_;
  };
  class Path final : private Host, public PathAround {
   public:
    Path(PathOwner& host, unsigned wrong)
        : Host(host, wrong), PathAround(std::make_unique<schemes::BaselinePath>(static_cast<Host&>(*this))) {}
  };
  class Port final : public ReplyPort {
   public:
    explicit Port(std::vector<Reply>& replies) : replies_(replies) {}
    bool merge(Cycle, Packet&) override { return false; }
    void written(Cycle, LocalLine) override {}
    Cycle leave(Cycle now, Packet& reply) override {
      replies_.push_back({reply.line, reply.mask, reply.data});
      return now;
    }
    Cycle cycles() const override { return 0; }

   private:
    std::vector<Reply>& replies_;
  };
  class Decoder final : public ReplyDecoder {
   public:
    void decode(Cycle, const Packet& reply, LineData& data) override { data = reply.data; }
    Cycle cycles() const override { return 0; }
  };
  unsigned wrong_;
};

struct OrderOutcome {
  std::vector<Recorder::Reply> replies;
  Result result;
  Cycle cycles;
};

OrderOutcome run_recorded(ToyWorkload w, unsigned wrong = kLineBytes, std::vector<std::string> set = {}) {
  Recorder recorder(wrong);
  set.insert(set.end(), {"l1.line_fill=0", "dram.tREFI=1000000"});
  Gpu gpu(tiny(set), recorder, w);
  OrderOutcome out{{}, gpu.run(), 0};
  out.replies = recorder.replies;
  out.cycles = out.result.cycles;
  return out;
}

/// With a slow atomic unit and byte masks, too: replies carry the same.
OrderOutcome run_recorded(const WarpBuilder& warp, unsigned wrong = kLineBytes) {
  ToyWorkload w(4096);
  w.add({warp});
  const OrderOutcome slow =
      run_recorded(w, wrong, {"l2.partial_writes=1", "l2.atomic_ops=1", "l2.atomic_same_address=3"});
  OrderOutcome out = run_recorded(std::move(w), wrong);
  EXPECT_EQ(slow.result.clean, out.result.clean);
  EXPECT_EQ(slow.replies, out.replies);
  return out;
}

/// What the toy's memory holds at the start.
std::uint8_t initial(unsigned i) { return static_cast<std::uint8_t>(i * 7 + i / 256); }
std::uint32_t initial_word(unsigned i) {
  std::uint32_t w = 0;
  for (unsigned b = 4; b-- > 0;) w = w << 8 | initial(4 * i + b);
  return w;
}
std::uint8_t fives(unsigned, unsigned) { return 0x55; }

TEST(L2Order, AMissDoesNotCarryTheYoungerStoreOfItsOwnWarp) {
  WarpBuilder a;
  a.load_line(0);
  a.store_line(0, 1);
  const OrderOutcome out = run_recorded(a);
  EXPECT_TRUE(out.result.clean) << out.result.integrity.dump();
  ASSERT_EQ(out.replies.size(), 1u);
  for (unsigned i = 0; i < kLineBytes; ++i) ASSERT_EQ(out.replies[0].byte(i), initial(i)) << i;
}

TEST(L2Order, AMissCarriesOlderBytesOfItsSectorAndNoYoungerOnes) {
  WarpBuilder a;
  a.store({{0, 4}}, 4, fives);
  a.load({{0, 0}}, 4);
  a.store({{0, 8}}, 4, fives);
  const OrderOutcome out = run_recorded(a);
  EXPECT_TRUE(out.result.clean) << out.result.integrity.dump();
  ASSERT_EQ(out.replies.size(), 1u);
  EXPECT_EQ(out.replies[0].word(0), initial_word(0));
  EXPECT_EQ(out.replies[0].word(1), 0x55555555u);
  EXPECT_EQ(out.replies[0].word(2), initial_word(2));
}

TEST(L2Order, ASectorThatWasThereIsNotReplacedByAYoungerStoreWhileAnotherIsFetched) {
  WarpBuilder a;
  const auto warm = a.load({{0, 0}}, 4);
  const auto gone = a.atomic({{0, 4}}, AtomicOp::add_u32, [](unsigned) { return 1u; });  // drops the L1's copy
  a.trace.instrs[gone].source[a.trace.instrs[gone].sources++] = warm;
  a.load({{0, 0}, {1, 32}}, 4, {gone});
  a.store({{0, 0}}, 4, fives, {gone});
  const OrderOutcome out = run_recorded(a);
  EXPECT_TRUE(out.result.clean) << out.result.integrity.dump();
  ASSERT_EQ(out.replies.size(), 2u);
  EXPECT_EQ(out.replies[1].mask, 3);
  EXPECT_EQ(out.replies[1].word(0), initial_word(0));
  EXPECT_EQ(out.replies[1].word(1), initial_word(1) + 1);
  EXPECT_EQ(out.replies[1].word(8), initial_word(8));
}

TEST(L2Order, AReadBehindAnAtomicHasTheAtomicAndNotTheStoreBehindIt) {
  WarpBuilder a;
  a.atomic({{0, 0}}, AtomicOp::add_u32, [](unsigned) { return 5u; });
  a.load({{0, 0}, {1, 32}, {2, 64}, {3, 96}}, 4);  // some of its sectors come after the atomic's
  a.atomic({{0, 0}, {1, 4}}, AtomicOp::add_u32, [](unsigned) { return 100u; });
  a.store({{0, 96}}, 4, fives);
  const OrderOutcome out = run_recorded(a);
  EXPECT_TRUE(out.result.clean) << out.result.integrity.dump();
  ASSERT_EQ(out.replies.size(), 1u);
  EXPECT_EQ(out.replies[0].word(0), initial_word(0) + 5);
  EXPECT_EQ(out.replies[0].word(1), initial_word(1));
  EXPECT_EQ(out.replies[0].word(24), initial_word(24));
}

TEST(L2Order, AnAtomicDoesNotReachAnOlderReadThatStillWaitsForAnotherSector) {
  WarpBuilder a;
  a.load({{0, 0}, {1, 32}, {2, 64}, {3, 96}}, 4);
  a.atomic({{0, 0}}, AtomicOp::add_u32, [](unsigned) { return 5u; });  // performed when sector 0 is there
  const OrderOutcome out = run_recorded(a);
  EXPECT_TRUE(out.result.clean) << out.result.integrity.dump();
  ASSERT_EQ(out.replies.size(), 1u);
  EXPECT_EQ(out.replies[0].word(0), initial_word(0));
  EXPECT_EQ(out.replies[0].word(24), initial_word(24));
}

TEST(L2Order, AReadWaitsNoLongerForAStoreBehindIt) {
  const auto cycles = [](bool store) {
    WarpBuilder a;
    a.load_line(0);
    if (store) a.store({{0, 0}}, 4, fives);
    return run_recorded(a).cycles;
  };
  EXPECT_EQ(cycles(true), cycles(false));
}

TEST(L2Order, AWrongByteOfAFillIsNoticedWhereAYoungerStoreCoversIt) {
  // The line itself ends up right, so only the reply can tell.
  WarpBuilder a;
  a.load({{0, 0}}, 4);
  a.store({{0, 0}}, 4, fives);
  EXPECT_TRUE(run_recorded(a).result.clean);
  const OrderOutcome out = run_recorded(a, 2);
  EXPECT_FALSE(out.result.clean);
  EXPECT_EQ(out.result.integrity["mismatched_by_source"].dump(), R"({"l2_forward":1})");
}

/// Loads and stores of one sector by all SMs at once: the replies of each SM are compared with a replay in L2 order
/// by the integrity check; here they are also seen to differ, or nothing was under way at the same time.
TEST(L2Order, ReadsOfSeveralSmsSeeTheStoresThatWereBeforeThem) {
  ToyWorkload w(4096);
  std::vector<WarpBuilder> warps(1);
  for (unsigned b = 0; b < 4; ++b) {
    WarpBuilder a;
    a.load({{0, 0}}, 4);
    a.store({{0, 4 * (1 + b)}}, 4, fives);
    if (b == 0)
      w.add({a});
    else
      w.block({a});
  }
  const OrderOutcome out = run_recorded(std::move(w), kLineBytes, {"gpu.sms=4"});
  EXPECT_TRUE(out.result.clean) << out.result.integrity.dump();
  ASSERT_EQ(out.replies.size(), 4u);
  std::map<unsigned, unsigned> stores;  // how many stores a reply carries
  for (const auto& r : out.replies) {
    unsigned n = 0;
    for (unsigned i = 1; i <= 4; ++i) n += r.word(i) == 0x55555555u;
    EXPECT_LE(n, 3u);  // never its own
    ++stores[n];
  }
  EXPECT_EQ(stores[0], 4u);  // loads of all four came before the first store
}

}  // namespace
}  // namespace warpsieve::tb
