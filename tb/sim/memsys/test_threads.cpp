// Several threads simulate one machine: statistics, kernels, checks and verdicts are the same bytes as with one,
// under every kind of scheme, on machines whose queues are long or always full, also with a planted error, and
// whatever part of the windows one thread runs.
#include <gtest/gtest.h>

#include <sstream>

#include "local_traces.h"
#include "schemes/registry.h"
#include "sim/schemes/random_traces.h"
#include "simt/memory.h"
#include "support/around.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

struct ThreadsOutcome {
  std::string stats;
  Windows::Counts counts;
};

ThreadsOutcome outcome(Gpu& gpu, std::uint32_t needless) {
  if (needless) gpu.wake_needlessly(needless);
  gpu.prefetch_always();
  ThreadsOutcome out;
  out.stats = gpu.run().stats.dump(1);
  if (gpu.windows()) out.counts = gpu.windows()->counts();
  return out;
}

ThreadsOutcome run_with(unsigned threads, const Profile& profile, const std::string& scheme, ToyWorkload workload,
                        std::uint32_t needless, Threads::By by) {
  const auto plugged = schemes::make_scheme(scheme, {.set = {"cmd.fifo_entries=4"}, .backends = {}});
  Gpu gpu(profile, *plugged, workload, {threads, by});
  try {
    return outcome(gpu, needless);
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("with {} threads: {}", threads, error.what()));
  }
}

std::string first_difference(unsigned threads, const std::string& a, const std::string& b) {
  std::istringstream left(a), right(b);
  for (std::string x, y; std::getline(left, x) && std::getline(right, y);)
    if (x != y) return fmt::format("one thread: {}; {}: {}", x, threads, y);
  return a == b ? "" : "one has more lines";
}

struct Totals {
  Windows::Counts counts;
  std::uint64_t machines = 0;
  void add(const Windows::Counts& c) {
    counts.windows += c.windows;
    counts.stepped += c.stepped;
    counts.alone += c.alone;
    ++machines;
  }
};

/// A machine that can run windows.
std::vector<std::string> random_machine(const std::vector<std::string>& more) {
  const auto pick = [](int low, int high) { return static_cast<unsigned>(*rc::gen::inRange(low, high + 1)); };
  const bool tight = pick(0, 2) == 0;  // else no queue into the network is ever full
  std::vector<std::string> machine = {set("gpu.sms", pick(1, 9)),
                                      set("gpu.controllers", pick(1, 4)),
                                      set("sm.blocks", pick(1, 3)),
                                      set("l1.sets", pick(1, 2)),
                                      set("l1.ways", pick(1, 3)),
                                      set("l1.mshrs", pick(1, 8)),
                                      set("noc.latency", pick(8, 70)),
                                      set("noc.input_queue", tight ? pick(1, 6) : pick(20, 64)),
                                      set("noc.output_queue", tight ? pick(1, 4) : pick(1, 64)),
                                      set("noc.virtual_queues", pick(0, 1)),
                                      set("l2.sets", pick(1, 4)),
                                      set("l2.ways", pick(1, 3)),
                                      set("l2.mshrs", pick(1, 8)),
                                      set("l2.latency", pick(1, 20)),
                                      set("l2.reply_queue", pick(1, 3)),
                                      set("l2.eviction_queue", pick(1, 3)),
                                      set("dram.latency", pick(0, 20)),
                                      set("dram.read_queue", pick(1, 8)),
                                      set("gpu.host_copies", pick(0, 1)),
                                      set("gpu.launch_sample", pick(0, 3) ? 1 : 2),
                                      set("gpu.launch_latency", pick(0, 40))};
  machine.insert(machine.end(), more.begin(), more.end());
  return machine;
}

/// `make(seed)` makes the workload, each time the same.
Totals compare_threads(const std::string& scheme, std::vector<std::string> more, int cases,
                       const std::function<ToyWorkload(unsigned)>& make) {
  Totals totals;
  check_property(fmt::format("threads, {} {}", scheme, more.empty() ? "" : more[0]), cases, [&] {
    const Profile profile = load_profile("plain", random_machine(more));
    const auto pick = [](int low, int high) { return static_cast<unsigned>(*rc::gen::inRange(low, high + 1)); };
    const unsigned seed = pick(1, 1 << 30);
    const unsigned needless = pick(0, 3) < 3 ? 0 : pick(1, 1 << 30);
    const auto by = pick(0, 1) ? Threads::By::force : Threads::By::chance;
    const ThreadsOutcome one = run_with(1, profile, scheme, make(seed), needless, by);
    for (const unsigned threads : {2, 3, 4, 7}) {
      const ThreadsOutcome many = run_with(threads, profile, scheme, make(seed), needless, by);
      if (one.stats != many.stats) RC_FAIL(first_difference(threads, one.stats, many.stats));
      totals.add(many.counts);
    }
  });
  EXPECT_GT(totals.counts.windows, totals.machines) << "windows of several threads are what is tested";
  EXPECT_GT(totals.counts.stepped, 0u) << "some machine waited for a network";
  EXPECT_LT(totals.counts.stepped, totals.counts.windows) << "and some did not";
  EXPECT_GT(totals.counts.alone, 0u) << "some window was run by one thread";
  return totals;
}

/// Several blocks per launch, so that SMs finish and get some in the middle of a window.
ToyWorkload blocks_of(unsigned seed) {
  std::minstd_rand random(seed);
  ToyWorkload w(1 << 17);
  const unsigned kernels = 1 + random() % 3, blocks = 1 + random() % 30;
  for (unsigned k = 0; k < kernels; ++k) {
    for (unsigned b = 0; b < blocks; ++b) {
      WarpBuilder a;
      std::vector<std::uint32_t> last;
      for (unsigned i = 0, n = random() % 12; i < n; ++i) {
        const unsigned line = random() % 4 ? random() % 40 : b;
        const auto seed_byte = static_cast<std::uint8_t>(random());
        switch (random() % 5) {
          case 0: a.store_line((100 + b) * 128u, seed_byte); break;
          case 1:
            a.atomic({{0, 1000 * 128u + 4 * (random() % 64)}}, simt::AtomicOp::add_u32, [](unsigned) { return 3u; });
            break;
          case 2: last = {a.alu(static_cast<std::uint16_t>(1 + random() % 30), last)}; break;
          default: last = {a.load_line(line * 128u, last)};
        }
      }
      if (b == 0)
        w.add({a});
      else
        w.block({a});
    }
    if (random() % 2) w.kernels.back().before = {{kBase + random() % 4000, std::vector<std::uint8_t>(300, 9)}};
  }
  return w;
}

ToyWorkload duplicates(unsigned seed) {
  return random_workload(seed, 1 + seed % 3, 1 + seed / 3 % 4, 10 + seed / 12 % 50);
}

TEST(Threads, ChangeNothingWhereBlocksComeAndGo) { compare_threads("baseline", {}, 120, blocks_of); }

TEST(Threads, ChangeNothingUnderSchemesOfTheMemorySide) {
  for (const char* scheme : {"baseline", "cmd", "sieve", "cmd+verify", "esd", "bpc", "bcd", "cmd+bpc"})
    compare_threads(scheme, {}, 12, [](unsigned seed) { return seed % 2 ? duplicates(seed) : blocks_of(seed); });
}

TEST(Threads, ChangeNothingUnderSchemesOfTheSmSide) {
  for (const char* scheme : {"dpc", "df_trunc+rc", "df_man+rc", "justit", "lamar"})
    compare_threads(scheme, {"l1.sets=2", "l1.ways=3"}, 12, blocks_of);
}

TEST(Threads, ChangeNothingWithPrivateMemory) {
  for (const char* scheme : {"baseline", "avc"})
    compare_threads(scheme, {"local.slots=8", "sm.threads=128", "local.flush=1", "l1.sets=64", "l1.ways=4"}, 12,
                    [](unsigned seed) {
                      ToyWorkload w(1 << 16);
                      add_random_kernels(w, seed);
                      return w;
                    });
}

/// A mesh and clusters of SMs have no window: one thread.
TEST(Threads, AreOneWhereTheNetworkHasNoWindow) {
  const auto windows = [](std::vector<std::string> more) {
    more.insert(more.end(), {"gpu.sms=4", "gpu.controllers=2"});
    const auto plugged = schemes::make_scheme("baseline", {.set = {}, .backends = {}});
    ToyWorkload w = blocks_of(7);
    Gpu gpu(load_profile("plain", more), *plugged, w, {4, Threads::By::force});
    EXPECT_TRUE(gpu.run().clean);
    return gpu.windows() != nullptr;
  };
  EXPECT_TRUE(windows({"noc.latency=30"}));
  EXPECT_FALSE(windows({"noc.latency=3"}));
  EXPECT_FALSE(windows({"noc.topology=1", "noc.mesh_width=3", "noc.mesh_height=3"}));
  EXPECT_FALSE(windows({"noc.cluster=2"}));
}

/// Flips a bit of each reply of a line.
class Flipper final : public Scheme {
 public:
  std::string name() const override { return "flipper"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    return std::make_unique<Path>(host);
  }

 private:
  class Host : public HostAround {
   public:
    explicit Host(PathOwner& host) : HostAround(host) {}
    void reply(Cycle now, const ReadReply& reply) override {
      ReadReply changed = reply;
      if (reply.line % 3 == 1) changed.data.bytes[5] ^= 4;
      host_.reply(now, changed);
    }
  };
  class Path final : private Host, public PathAround {
   public:
    explicit Path(PathOwner& host)
        : Host(host), PathAround(std::make_unique<schemes::BaselinePath>(static_cast<Host&>(*this))) {}
  };
};

TEST(Threads, ReportTheSameCorruptionInTheSameOrder) {
  const auto verdict = [](unsigned seed, unsigned threads) {
    Flipper flipper;
    ToyWorkload w = blocks_of(seed);
    Gpu gpu(load_profile("plain", {"gpu.sms=6", "gpu.controllers=4", "noc.latency=20"}), flipper, w,
            {threads, Threads::By::force});
    const Result result = gpu.run();
    EXPECT_FALSE(result.clean) << seed;
    return result.stats.dump(1);
  };
  for (unsigned seed = 2; seed < 12; ++seed) {
    const std::string one = verdict(seed, 1);
    for (const unsigned threads : {2, 4})
      EXPECT_EQ(verdict(seed, threads), one) << first_difference(threads, one, verdict(seed, threads));
  }
}

/// What a thread throws comes out, of the component that would have thrown first; the threads end.
class Thrower final : public Scheme {
 public:
  std::string name() const override { return "thrower"; }
  std::unique_ptr<ControllerPath> make_path(unsigned controller, PathOwner& host, Stats&) override {
    return std::make_unique<Path>(host, controller);
  }

 private:
  class Path final : public PathAround {
   public:
    Path(PathOwner& host, unsigned controller)
        : PathAround(std::make_unique<schemes::BaselinePath>(host)), controller_(controller) {}
    bool push_read(Cycle, unsigned, const ReadRequest&) override {
      throw std::runtime_error(fmt::format("controller {} is broken", controller_));
    }

   private:
    unsigned controller_;
  };
};

TEST(Threads, PassOnWhatAPartitionThrows) {
  for (const unsigned threads : {1, 2, 4}) {
    Thrower thrower;
    ToyWorkload w(1 << 16);
    WarpBuilder a;
    a.load({{0, 0}, {1, 1024}, {2, 2048}, {3, 4096}}, 4);
    w.add({a});
    Gpu gpu(load_profile("plain", {"gpu.sms=2", "gpu.controllers=2", "noc.latency=20"}), thrower, w,
            {threads, Threads::By::force});
    try {
      gpu.run();
      FAIL() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "controller 0 is broken") << threads;
    }
  }
}

/// An error of the functional execution, which is ahead of the machine, comes when its block would start.
TEST(Threads, PassOnWhatABlockThrows) {
  class BadLaunch final : public simt::Launch {
   public:
    BadLaunch() {
      shape_.kernel = "bad";
      shape_.blocks = 50;
      shape_.threads = 32;
    }
    const simt::LaunchShape& shape() const override { return shape_; }
    simt::BlockTrace run_block(std::uint32_t index) override {
      if (index == 20) throw simt::DeviceFault("block 20 is wrong");
      WarpBuilder a;
      a.alu(40);
      simt::BlockTrace block;
      block.block = index;
      block.warps.push_back(std::move(a.trace));
      return block;
    }

   private:
    simt::LaunchShape shape_;
  };
  class BadWorkload final : public simt::Workload {
   public:
    const std::string& name() const override { return name_; }
    void setup() override {}
    simt::Addr base() const override { return kBase; }
    std::span<const std::uint8_t> image() const override { return image_; }
    std::unique_ptr<simt::Launch> next_launch() override { return std::make_unique<BadLaunch>(); }
    std::vector<simt::HostWrite> take_host_writes() override { return {}; }
    std::string verify() override { return ""; }
    std::vector<std::pair<simt::Addr, std::uint64_t>> order_dependent() const override { return {}; }

   private:
    std::string name_ = "bad";
    std::vector<std::uint8_t> image_ = std::vector<std::uint8_t>(4096);
  };
  for (const unsigned threads : {1, 2, 4}) {
    const auto plugged = schemes::make_scheme("baseline", {.set = {}, .backends = {}});
    BadWorkload w;
    Gpu gpu(load_profile("plain", {"gpu.sms=2", "gpu.controllers=2", "noc.latency=20", "sm.blocks=2"}), *plugged, w,
            {threads, Threads::By::force});
    EXPECT_THROW(gpu.run(), simt::DeviceFault) << threads;
    gpu.stats().gather();
    EXPECT_EQ(gpu.stats().value("sm.blocks"), 20u) << threads << ": all blocks before it were started";
  }
}

}  // namespace
}  // namespace warpsieve::tb
