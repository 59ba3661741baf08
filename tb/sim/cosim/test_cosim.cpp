// Shadow and BackendPlan: a wrong backend is caught in the first differing cycle, by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "blocks/common/fifo_backends.h"
#include "cosim/backend_plan.h"
#include "cosim/one_at_a_time.h"
#include "cosim/shadow.h"

namespace warpsieve {
namespace {

using common::Fifo;
using common::FifoItem;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// A FIFO that is wrong in one chosen way.
class WrongFifo final : public Fifo {
 public:
  enum class Fault { payload, valid, ready };
  explicit WrongFifo(Fault fault) : fault_(fault), inner_(common::make_fifo_model({32, 8})) {}
  void reset() override { inner_->reset(); }
  bool ready() const override { return fault_ == Fault::ready ? false : inner_->ready(); }
  bool push(const FifoItem& item) override { return ready() && inner_->push(item); }
  const FifoItem* front() const override {
    const FifoItem* item = inner_->front();
    if (!item || fault_ == Fault::valid) return nullptr;
    changed_ = {item->data ^ (fault_ == Fault::payload ? 1u : 0u)};
    return &changed_;
  }
  void pop() override { inner_->pop(); }
  void tick() override { inner_->tick(); }
  bool idle() const override { return inner_->idle(); }

 private:
  Fault fault_;
  std::unique_ptr<Fifo> inner_;
  mutable FifoItem changed_;
};

void run_one(WrongFifo::Fault fault) {
  Shadow<FifoItem, FifoItem> shadow("fifo", common::make_fifo_model({32, 8}), std::make_unique<WrongFifo>(fault));
  shadow.reset();
  shadow.push({5});
  shadow.tick();
}

TEST(Shadow, WrongPayloadIsCaughtInTheCycleItIsOffered) {
  EXPECT_THAT([] { run_one(WrongFifo::Fault::payload); },
              ThrowsMessage<ShadowMismatch>(HasSubstr("fifo.out cycle 1: payload: model 0x5 rtl 0x4")));
}

TEST(Shadow, MissingValidIsCaught) {
  EXPECT_THAT([] { run_one(WrongFifo::Fault::valid); },
              ThrowsMessage<ShadowMismatch>(HasSubstr("fifo.out cycle 1: valid: model true rtl false")));
}

TEST(Shadow, WrongReadyIsCaughtBeforeThePush) {
  EXPECT_THAT([] { run_one(WrongFifo::Fault::ready); },
              ThrowsMessage<ShadowMismatch>(HasSubstr("fifo.in cycle 0: ready: model true rtl false")));
}

TEST(Backends, WordsRoundTripAndOthersAreRefused) {
  for (const Backend backend : {Backend::model, Backend::rtl, Backend::shadow}) {
    EXPECT_EQ(backend_from_string(to_string(backend)), backend);
  }
  EXPECT_THROW(backend_from_string("RTL"), std::invalid_argument);
}

TEST(BackendPlan, InstanceRuleBeatsBlockRuleBeatsDefault) {
  const std::vector<std::string> blocks{"hash_store", "dedup"};
  BackendPlan plan(Backend::model);
  plan.add("hash_store@mc1=shadow", blocks);
  plan.add("hash_store=rtl", blocks);
  EXPECT_EQ(plan.of("hash_store", "mc0"), Backend::rtl);
  EXPECT_EQ(plan.of("hash_store", "mc1"), Backend::shadow);
  EXPECT_EQ(plan.of("dedup", "mc1"), Backend::model);
  EXPECT_TRUE(plan.names("hash_store"));
  EXPECT_FALSE(plan.names("dedup"));
  plan.add("hash_store=model", blocks);
  EXPECT_EQ(plan.of("hash_store", "mc0"), Backend::model);
  EXPECT_EQ(plan.of("hash_store", "mc1"), Backend::shadow);
}

TEST(BackendPlan, BadRulesNameWhatIsWrong) {
  BackendPlan plan;
  const std::vector<std::string> blocks{"hash_store"};
  EXPECT_THAT([&] { plan.add("hash_stor=rtl", blocks); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("unknown block 'hash_stor'")));
  EXPECT_THAT([&] { plan.add("hash_store", blocks); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("expected block=backend")));
  EXPECT_THAT(
      [&] { plan.add("hash_store=fast", blocks); },
      ThrowsMessage<std::invalid_argument>(HasSubstr("unknown backend 'fast': expected model, rtl or shadow")));
}

TEST(OneAtATime, PassedToItsAnswerItIsAsClockedToIt) {
  const auto make = [] {
    return make_one_at_a_time<unsigned, unsigned>([](unsigned req) { return req * 3; },
                                                  [](unsigned req) { return req; });
  };
  const auto clocked = make(), passed = make();
  for (const unsigned latency : {1u, 2u, 66u}) {
    ASSERT_TRUE(clocked->push(latency) && passed->push(latency));
    unsigned ticks = 0;
    while (!clocked->front()) clocked->tick(), ++ticks;
    EXPECT_EQ(passed->pass_to_answer(), ticks);
    for (int after = 0; after < 2; ++after) {  // on offer until it is taken
      ASSERT_TRUE(passed->front());
      EXPECT_EQ(*passed->front(), *clocked->front());
      EXPECT_EQ(passed->ready(), clocked->ready());
      clocked->tick(), passed->tick();
    }
    clocked->pop(), passed->pop();
    clocked->tick(), passed->tick();
    EXPECT_TRUE(passed->idle() && clocked->idle());
  }
}

}  // namespace
}  // namespace warpsieve
