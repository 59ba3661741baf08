// When a kernel ends and what goes on under the next, launch latency, copies by the host, the image at the start.
#include <gtest/gtest.h>

#include <numeric>

#include "schemes/registry.h"
#include "sim/schemes/random_traces.h"
#include "support/around.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

Profile ending_machine(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"dram.command_mhz=1365", "dram.latency=0", "dram.tREFI=1000000"};
  set.insert(set.end(), more.begin(), more.end());
  return tiny(set);
}

/// The baseline; but a write-back takes `cycles`, and for `polls` cycles after anything the path asks to be run.
class Slow final : public Scheme {
 public:
  Slow(Cycle cycles, Cycle polls) : cycles_(cycles), polls_(polls) {}
  std::string name() const override { return "slow"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    return std::make_unique<Path>(host, cycles_, polls_);
  }

 private:
  class Path final : public PathAround {
   public:
    Path(PathOwner& host, Cycle cycles, Cycle polls)
        : PathAround(std::make_unique<schemes::BaselinePath>(host)), host_(host), cycles_(cycles), polls_(polls) {}
    bool push_write(Cycle now, unsigned slice, const WriteRequest& request) override {
      if (cycles_ == 0) return inner_->push_write(now, slice, request);
      waiting_.push_back({now + cycles_, slice, request});
      host_.wake_path(now + 1);
      return true;
    }
    bool push_read(Cycle now, unsigned slice, const ReadRequest& request) override {
      for (const Waiting& w : waiting_)
        if (w.request.line == request.line) return false;
      return inner_->push_read(now, slice, request);
    }
    Cycle tick(Cycle now) override {
      bool moved = false;
      while (!waiting_.empty() && waiting_.front().due <= now &&
             inner_->push_write(now, waiting_.front().slice, waiting_.front().request)) {
        waiting_.erase(waiting_.begin());
        moved = true;
      }
      const Cycle next = inner_->tick(now);
      if (moved || next != kNever) until_ = now + polls_;
      const Cycle due = waiting_.empty() ? kNever : std::max(waiting_.front().due, now + 1);
      return std::min({next, due, now < until_ ? now + 1 : kNever});
    }
    bool idle() const override { return waiting_.empty() && inner_->idle(); }

   private:
    struct Waiting {
      Cycle due;
      unsigned slice;
      WriteRequest request;
    };
    PathOwner& host_;
    Cycle cycles_, polls_, until_ = 0;
    std::vector<Waiting> waiting_;
  };
  Cycle cycles_, polls_;
};

/// Four lines of one set of two ways are stored, so that two leave the L2.
ToyWorkload stores(unsigned kernels = 1) {
  ToyWorkload w(1 << 16);
  for (unsigned k = 0; k < kernels; ++k) {
    WarpBuilder a;
    for (unsigned i = 0; i < 4; ++i) a.store_line(256 * (4 * k + i), static_cast<std::uint8_t>(i + k));
    w.add({a});
  }
  return w;
}
const std::vector<std::string> kTwoWays = {"l2.sets=1", "l2.ways=2"};

TEST(KernelEnd, IsTheCycleInWhichTheLastStoreIsAcknowledged) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.store_line(0, 1);
  w.add({a});
  // Issued at 1, to the network at 2, of 5 flits: at the slice at 3 + 30 + 4; 100 later the answer goes back.
  EXPECT_EQ(ToyRun(ending_machine(), w).result.cycles, 3u + 30 + 4 + 100 + 1 + 30);
}

TEST(KernelEnd, IsThatOfTheLastLineOfAStoreWhoseBlockIsGone) {
  ToyWorkload w(1 << 16);
  WarpBuilder a;
  WarpBuilder::Lanes lanes;
  for (unsigned l = 0; l < 32; ++l) lanes.emplace_back(l, l * 128u);
  a.store(lanes, 4, [](unsigned lane, unsigned) { return static_cast<std::uint8_t>(lane); });
  w.add({a});
  ToyRun run(ending_machine(), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("l1.store_requests"), 32u);
  EXPECT_GT(run.result.cycles, 168u + 31);
}

struct Ended {
  Cycle cycles = 0;
  std::uint64_t writes = 0, lines = 0;
  bool clean = false;
  nlohmann::ordered_json kernels;
};
Ended ended(Cycle write_back, Cycle polls, ToyWorkload w, std::vector<std::string> more = kTwoWays) {
  Slow scheme(write_back, polls);
  Gpu gpu(ending_machine(std::move(more)), scheme, w);
  const Result result = gpu.run();
  return {result.cycles, gpu.stats().value("dram.requests_write"), gpu.stats().value("l2.write_back_sectors"),
          result.clean, result.stats["kernels"]};
}

TEST(KernelEnd, WriteBacksThatNobodyWaitsForGoOnUnderTheNextLaunchAndAreCounted) {
  const Ended fast = ended(0, 0, stores()), slow = ended(5000, 0, stores());
  EXPECT_EQ(fast.writes, 2u * 4);
  EXPECT_EQ(slow.writes, fast.writes);  // also those that leave after the last kernel
  EXPECT_EQ(slow.cycles, fast.cycles);
  EXPECT_TRUE(slow.clean);
  const Ended both = ended(5000, 0, stores(2)), two = ended(0, 0, stores(2));
  EXPECT_LT(both.cycles, 2 * fast.cycles + 50);
  EXPECT_EQ(both.writes, two.writes);
  EXPECT_TRUE(both.clean);
}

TEST(KernelEnd, DoesNotDependOnHowLongAPathAsksToBeRun) {
  const Ended quiet = ended(100, 0, stores(3)), busy = ended(100, 3000, stores(3));
  EXPECT_EQ(quiet.kernels.dump(), busy.kernels.dump());
  EXPECT_EQ(quiet.cycles, busy.cycles);
  EXPECT_EQ(quiet.writes, busy.writes);
}

TEST(KernelEnd, ACopyByTheHostWaitsForWriteBacksInNoCycle) {
  ToyWorkload w = stores(2);
  w.kernels[1].before = {{kBase + 100, std::vector<std::uint8_t>(400, 0x55)}};
  const Ended fast = ended(0, 0, w), slow = ended(5000, 0, w);
  EXPECT_EQ(slow.kernels.dump(), fast.kernels.dump());
  EXPECT_EQ(slow.writes, fast.writes);
  EXPECT_TRUE(slow.clean);
}

TEST(KernelEnd, CyclesAreTheSumOverKernels) {
  const Ended e = ended(300, 0, stores(4), {"l2.sets=1", "l2.ways=2", "gpu.launch_latency=77"});
  Cycle sum = 0;
  for (const auto& k : e.kernels) sum += k["cycles"].get<Cycle>();
  EXPECT_EQ(e.cycles, sum);
}

TEST(LaunchLatency, IsChargedBeforeEveryKernel) {
  ToyWorkload w(4096);
  WarpBuilder a;
  a.alu();
  for (unsigned k = 0; k < 3; ++k) w.add({a});
  ToyWorkload same = w;
  EXPECT_EQ(ToyRun(ending_machine(), same).result.cycles, 3u * 5);
  ToyWorkload again = w;
  ToyRun run(ending_machine({"gpu.launch_latency=5000"}), again);
  EXPECT_EQ(run.result.cycles, 3u * 5005);
  for (const auto& k : run.result.stats["kernels"]) EXPECT_EQ(k["cycles"], 5005u);
}

TEST(LaunchLatency, MayBeLongerThanThePatienceOfTheDeadlockWatch) {
  ToyWorkload w = stores(2);
  EXPECT_TRUE(ToyRun(ending_machine({"gpu.launch_latency=5000", "gpu.patience=1000"}), w).result.clean);
}

/// Loads of line 0 before and after a copy of the host to it.
ToyWorkload copied(Addr at, std::size_t bytes) {
  ToyWorkload w(1 << 16);
  WarpBuilder a;
  a.load_line(0);
  w.add({a});
  w.add({a}).before = {{kBase + at, std::vector<std::uint8_t>(bytes, 0x77)}};
  return w;
}

TEST(HostCopies, GoThroughTheL2OrPastIt) {
  for (const bool through : {true, false}) {
    ToyWorkload w = copied(0, 128);
    ToyRun run(ending_machine({through ? "gpu.host_copies=1" : "gpu.host_copies=0"}), w);
    EXPECT_TRUE(run.result.clean);
    EXPECT_EQ(run.stat("l2.read_hits"), through ? 4u : 0u);
    EXPECT_EQ(run.stat("dram.requests_read_only") + run.stat("dram.requests_data_read"), through ? 4u : 8u);
    EXPECT_EQ(run.stat("l2.evictions"), 0u);
  }
}

TEST(HostCopies, PastTheL2LeaveTheLinesThatItHoldsOfOthersAlone) {
  ToyWorkload w(1 << 16);
  WarpBuilder a;
  a.load_line(0);
  w.add({a});
  w.add({a}).before = {{kBase + 256, std::vector<std::uint8_t>(1000, 0x77)}};
  ToyRun run(ending_machine({"gpu.host_copies=0", "l2.sets=1", "l2.ways=1"}), w);
  EXPECT_TRUE(run.result.clean);
  EXPECT_EQ(run.stat("l2.read_hits"), 4u);
}

TEST(HostCopies, OfPartsOfSectorsKeepWhatTheL2AloneHasOfThem) {
  for (const char* where : {"gpu.host_copies=0", "gpu.host_copies=1"}) {
    ToyWorkload w(1 << 16);
    WarpBuilder a, b;
    a.store({{0, 4}, {1, 40}}, 1, [](unsigned, unsigned) { return std::uint8_t{0x11}; });
    b.load_line(0);
    w.add({a});
    w.add({b}).before = {
        {kBase + 1, std::vector<std::uint8_t>(2, 0x77)}, {kBase + 70, {0x78}}, {kBase + 300, {0x79}}};
    ToyRun run(ending_machine({where}), w);
    EXPECT_TRUE(run.result.clean) << where;
    EXPECT_EQ(run.gpu.golden().line(GlobalLine{})[4], 0x11);
    EXPECT_EQ(run.gpu.golden().line(GlobalLine{})[1], 0x77);
  }
}

TEST(HostCopies, PastTheL2AreCleanUnderEveryScheme) {
  std::uint64_t copies = 0;
  check_property("copies past the L2", 60, [&] {
    const auto pick = [](int low, int high) { return static_cast<unsigned>(*rc::gen::inRange(low, high + 1)); };
    const unsigned seed = pick(1, 1 << 30), warps = pick(1, 4), instrs = pick(1, 60);
    const Profile profile = load_profile(
        "plain", {"gpu.host_copies=0", set("gpu.sms", pick(1, 2)), set("gpu.controllers", pick(1, 2)), "l1.sets=1",
                  set("l1.ways", pick(1, 2)), set("l2.sets", pick(1, 2)), set("l2.ways", pick(1, 3)),
                  set("l2.eviction_queue", pick(1, 3)), set("gpu.launch_latency", pick(0, 300))});
    for (const char* name : {"baseline", "cmd", "cmd+verify", "esd", "bpc", "bcd", "cmd+bpc"}) {
      SchemeRun run(scheme_of(name, {"cmd.fifo_entries=4"}), random_workload(seed, 4, warps, instrs), profile);
      if (!run.result.clean) RC_FAIL(fmt::format("{}: {}", name, run.result.integrity.dump()));
      for (const ToyKernel& k : run.program.kernels) copies += k.before.size();
    }
  });
  EXPECT_GT(copies, 0u);
}

TEST(ImageInL2, IsCleanAndThereAsFarAsItFits) {
  const auto run = [](const char* image, unsigned line) {
    ToyWorkload w(8 * 128);  // lines of a slice: 4; it holds two
    WarpBuilder a;
    a.load_line(128 * line);
    w.add({a});
    ToyRun r(ending_machine({image, "l2.sets=1", "l2.ways=2"}), w);
    EXPECT_TRUE(r.result.clean);
    EXPECT_EQ(r.stat("dram.requests_write"), 0u);
    return r.stat("l2.read_hits");
  };
  EXPECT_EQ(run("gpu.image_in_l2=0", 7), 0u);
  EXPECT_EQ(run("gpu.image_in_l2=1", 7), 4u);
  EXPECT_EQ(run("gpu.image_in_l2=1", 4), 4u);
  EXPECT_EQ(run("gpu.image_in_l2=1", 3), 0u);
}

}  // namespace
}  // namespace warpsieve::tb
