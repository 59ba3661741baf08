// The affine vector cache in the memory system: latency and traffic by hand, random private memory with model, RTL
// and shadow, the workload suite with spills, and the faults that decision A9 is there to prevent.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "schemes/avc/avc.h"
#include "sim/memsys/local_traces.h"
#include "sim/schemes/support.h"
#include "support/property.h"
#include "workloads/registry.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

constexpr std::uint32_t kAll = 0xffffffffu;
std::uint32_t generic(unsigned lane) { return lane * lane * 77u + 5; }
std::uint32_t affine(unsigned lane) { return 1024 + lane * 4; }

/// One SM with an L1 that can give 8, 16 or 24 KB.
Profile machine(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"l1.sets=64", "l1.ways=6", "local.slots=8"};
  set.insert(set.end(), more.begin(), more.end());
  return tiny(set);
}

ToyWorkload kernel(std::vector<WarpBuilder> warps) {
  ToyWorkload w(4096);
  w.add(std::move(warps));
  return w;
}

struct Avc : SchemeRun {
  Avc(std::vector<WarpBuilder> warps, std::vector<std::string> set = {}, const std::string& scheme = "avc",
      Backend backend = Backend::shadow)
      : SchemeRun(scheme_of(scheme, std::move(set), backend), kernel(std::move(warps)), machine()) {
    EXPECT_TRUE(result.clean) << result.integrity.dump();
  }
  std::uint64_t local(const std::string& name) { return stat("local." + name); }
};

WarpBuilder chain(unsigned links, std::uint32_t (*value)(unsigned), std::uint32_t mask = kAll) {
  WarpBuilder b;
  b.local_store(0, mask, value);
  std::uint32_t last = b.alu(8);  // the first store allocates, let it finish
  for (unsigned i = 0; i < links; ++i) last = b.local_load(0, mask, {last});
  return b;
}

TEST(Avc, AReloadTakesOneCycleMoreThanTheL1WhetherItHitsThereOrHere) {
  for (const auto value : {&affine, &generic}) {
    Avc two({chain(2, value)}), three({chain(3, value)});
    EXPECT_EQ(three.result.cycles - two.result.cycles, 30u);
    EXPECT_EQ(three.local("hits"), 3u);
    EXPECT_EQ(three.local("port_hits"), value == &affine ? 3u : 0u);
    EXPECT_EQ(three.local("stores_kept"), value == &affine ? 1u : 0u);
    EXPECT_EQ(three.local("fetches") + three.local("write_backs"), 0u);
    // What is kept here costs the L1 nothing.
    EXPECT_EQ(three.local("l1_read_sectors"), value == &affine ? 0u : 3 * 4u);
    EXPECT_EQ(three.local("l1_written_sectors"), value == &affine ? 0u : 4u);
  }
}

TEST(Avc, APartialHitIsServedFromBothSides) {
  WarpBuilder b;
  b.local_store(0, kAll, affine);
  b.local_store(0, 0xff, generic);  // these words move to the L1
  b.local_load(0);
  Avc r({b});
  EXPECT_EQ(r.local("partial_hits"), 1u);
  EXPECT_EQ(r.local("hits"), 1u);
  EXPECT_EQ(r.local("fetches"), 0u);
}

TEST(Avc, AConflictWritesTheOlderVectorBackTogetherWithTheL1sWords) {
  WarpBuilder b;
  b.local_store(0, 0x0000ffffu, affine);
  b.local_store(0, 0x00ff0000u, generic);
  b.local_store(0, 0xff000000u, [](unsigned) { return 9u; });  // other base: conflict
  std::uint32_t last = b.alu(20);
  last = b.local_load(0, kAll, {last});
  b.local_load(0, kAll, {last});
  Avc r({b});
  EXPECT_EQ(r.local("port_conflicts"), 1u);
  EXPECT_EQ(r.local("write_backs"), 1u);  // one transaction for both
  EXPECT_EQ(r.local("l1_written_back_sectors"), 1u);
  EXPECT_EQ(r.local("fetches"), 1u);
}

TEST(Avc, AFetchedVectorThatIsAffineUnderTheAccessMaskIsKeptHere) {
  // As above, with affine words in the middle as well: the fetch brings them back, the fill mask decides.
  const auto program = [] {
    WarpBuilder b;
    b.local_store(0, 0x0000ffffu, affine);
    b.local_store(0, 0x00ff0000u, affine);
    b.local_store(0, 0xff000000u, generic);
    std::uint32_t last = b.local_store(0, 0x80000000u, [](unsigned) { return 9u; });  // conflict
    last = b.alu(20);
    last = b.local_load(0, 0x0000000fu, {last});  // fetches, asks for four words
    b.local_load(0, 0x00ffffffu, {last});
    return b;
  };
  Avc few({program()});
  EXPECT_EQ(few.local("port_conflicts"), 2u);  // the store's, and the fill's with the word that stayed
  EXPECT_GE(few.local("port_fills"), 1u);
  Avc full({program()}, {"avc.fill_full=1"});
  EXPECT_TRUE(full.result.clean);
}

TEST(Avc, TakesItsSpaceFromTheL1) {
  for (const auto& [scheme, ways, bytes] :
       {std::tuple{"avc8", 5u, 8192u}, {"avc", 4u, 16384u}, {"avc24", 3u, 24576u}}) {
    Profile p = machine();
    const auto plugged = scheme_of(scheme);
    plugged->amend(p);
    EXPECT_EQ(p.l1.ways, ways);
    EXPECT_EQ(plugged->report()["capacity_bytes"], bytes);
  }
  Profile small = machine({"l1.ways=2"});
  EXPECT_THROW(scheme_of("avc")->amend(small), ConfigError);
  Profile odd = machine({"l1.sets=48"});
  EXPECT_THROW(scheme_of("avc")->amend(odd), ConfigError);
}

/// The chip of the GTX 480 takes its nanoseconds at any command clock: each figure is the first one not below them.
TEST(Avc, MemoryHasTheTimesOfAGtx480) {
  for (const char* profile : {"avc", "avc-l2"}) {
    const DramParams d = load_profile(profile).dram;
    for (const auto& [name, cycles, of_gtx480] : {std::tuple{"tCL", d.tCL, 12u},
                                                  {"tRP", d.tRP, 12u},
                                                  {"tRC", d.tRC, 40u},
                                                  {"tRAS", d.tRAS, 28u},
                                                  {"tRCD", d.tRCD, 12u},
                                                  {"tRRD", d.tRRD, 6u},
                                                  {"tCCD", d.tCCD, 3u},
                                                  {"tCCD_S", d.tCCD_S, 2u},
                                                  {"tWR", d.tWR, 12u},
                                                  {"tWL", d.tWL, 4u},
                                                  {"tWTR", d.tWTR, 5u},
                                                  {"tRTW", d.tRTW, 12u},
                                                  {"tRTP", d.tRTP, 2u}}) {
      EXPECT_GE(cycles * 924, of_gtx480 * d.command_mhz) << profile << ' ' << name;
      EXPECT_LT((cycles - 1) * 924, of_gtx480 * d.command_mhz) << profile << ' ' << name;
    }
    EXPECT_EQ(d.group_bit, load_profile("justit").dram.group_bit) << profile;  // the other GTX 480
  }
}

TEST(Avc, RandomPrivateMemoryIsRightAndEqualForModelRtlAndShadow) {
  std::uint64_t conflicts = 0, evictions = 0, partial = 0, kept = 0, fills = 0, fetches = 0;
  check_property("avc_random", 24, [&] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    const char* const names[] = {"avc8", "avc", "avc24"};
    const std::string name = names[seed % 3];
    std::string reference;
    for (const Backend backend : {Backend::model, Backend::rtl, Backend::shadow}) {
      ToyWorkload w(4096);
      add_random_kernels(w, seed, 80, 8);
      // One SM whose warps lie 2 KB apart or side by side; a small L1 and little patience elsewhere.
      const Profile p = machine({"l1.sets=64", "l1.ways=4", "l1.mshrs=3", "l1.merges=2", "noc.input_queue=1",
                                 "l2.sets=1", "l2.ways=2", fmt::format("local.layout={}", seed / 4 % 2),
                                 fmt::format("local.flush={}", seed / 8 % 2)});
      SchemeRun run(scheme_of(name, {fmt::format("avc.fill_full={}", seed / 16 % 2)}, backend), std::move(w), p);
      RC_ASSERT(run.result.clean);
      if (reference.empty()) reference = run.result.stats.dump();
      RC_ASSERT(run.result.stats.dump() == reference);
      conflicts += run.stat("local.port_conflicts");
      evictions += run.stat("local.port_evictions");
      partial += run.stat("local.partial_hits");
      kept += run.stat("local.stores_kept");
      fills += run.stat("local.port_fills");
      fetches += run.stat("local.fetches");
    }
  });
  EXPECT_GT(conflicts, 100u);
  EXPECT_GT(partial, 100u);
  EXPECT_GT(kept, 1000u);
  EXPECT_GT(fills, 50u);
  EXPECT_GT(fetches, 50u);
}

/// The model with few sets, so that lines of both caches are replaced all the time.
TEST(Avc, RandomPrivateMemoryIsRightWhenLinesAreReplaced) {
  std::uint64_t evictions = 0, l1 = 0, full = 0;
  check_property("avc_replacement", 40, [&] {
    const auto seed = *rc::gen::arbitrary<std::uint32_t>();
    ToyWorkload w(4096);
    add_random_kernels(w, seed, 80, 8);
    const Profile p = machine({"l1.sets=1", "l1.ways=4", "local.layout=1", "l1.mshrs=3", "l1.merges=2",
                               "noc.input_queue=1", "l2.sets=1", "l2.ways=2"});
    // avc.sets=2 x 1 way: two lines of the four that the L1 has.
    SchemeRun run(scheme_of("avc8", {"avc.sets=2", fmt::format("avc.fill_full={}", seed % 2)}), std::move(w), p);
    RC_ASSERT(run.result.clean);
    evictions += run.stat("local.port_evictions");
    l1 += run.stat("local.l1_evictions");
    full += seed % 2 ? run.stat("local.port_fills_kept") : 0;
  });
  EXPECT_GT(evictions, 500u);
  EXPECT_GT(l1, 500u);
  EXPECT_GT(full, 10u);
}

/// A9 broken on one side: the port does not hear of generic stores, or the L1 not of affine ones.
enum class Fault { none, keeps_stored_words, hides_kept_words };

class FaultyAvc final : public Scheme {
 public:
  explicit FaultyAvc(Fault fault) : inner_(scheme_of("avc")), fault_(fault) {}
  std::string name() const override { return "faulty avc"; }
  void amend(Profile& p) const override { inner_->amend(p); }
  std::unique_ptr<ControllerPath> make_path(unsigned c, PathOwner& host, Stats& stats) override {
    return baseline_->make_path(c, host, stats);
  }
  std::unique_ptr<LocalPort> make_local_port(unsigned sm, Stats& stats) override {
    return std::make_unique<Port>(inner_->make_local_port(sm, stats), fault_);
  }

 private:
  class Port final : public LocalPort {
   public:
    Port(std::unique_ptr<LocalPort> inner, Fault fault) : inner_(std::move(inner)), fault_(fault) {}
    bool ready() const override { return inner_->ready(); }
    void push(const LocalRequest& r) override {
      const bool bad = fault_ == Fault::keeps_stored_words && r.op == LocalOp::store &&
                       !affine::encode({}, {r.words, r.mask}).affine;
      asked_.push_back({bad, r.op});
      LocalRequest passed = r;
      if (bad) passed.op = LocalOp::load;  // nothing is invalidated
      inner_->push(passed);
    }
    const LocalAnswer* front() override {
      const LocalAnswer* a = inner_->front();
      if (!a || a->write_back) return a;
      answer_ = *a;
      if (asked_.front().first) answer_.kept = false;
      if (fault_ == Fault::hides_kept_words && asked_.front().second == LocalOp::store && a->kept) answer_.mask = 0;
      return &answer_;
    }
    void pop() override {
      if (!inner_->front()->write_back) asked_.pop_front();
      inner_->pop();
    }
    void tick() override { inner_->tick(); }
    bool idle() const override { return inner_->idle(); }

   private:
    std::unique_ptr<LocalPort> inner_;
    Fault fault_;
    std::deque<std::pair<bool, LocalOp>> asked_;
    LocalAnswer answer_;
  };
  std::unique_ptr<Scheme> inner_;
  std::unique_ptr<Scheme> baseline_ = schemes::make_baseline();
  Fault fault_;
};

WarpBuilder both_kinds(bool generic_last) {
  WarpBuilder b;
  b.local_store(0, kAll, generic_last ? affine : generic);
  b.local_store(0, 0xff, generic_last ? generic : affine);
  b.local_load(0, 0xff);
  b.local_load(0, 0xff00);
  return b;
}

TEST(AvcFaults, AStaleVectorIsNoticedAsCorruption) {
  EXPECT_TRUE(
      SchemeRun(std::make_unique<FaultyAvc>(Fault::none), kernel({both_kinds(true)}), machine()).result.clean);
  SchemeRun bad(std::make_unique<FaultyAvc>(Fault::keeps_stored_words), kernel({both_kinds(true)}), machine());
  EXPECT_FALSE(bad.result.clean);
  EXPECT_GT(bad.result.integrity["mismatched_by_source"]["local"], 0);
}

TEST(AvcFaults, AWordValidOnBothSidesIsNoticed) {
  EXPECT_TRUE(
      SchemeRun(std::make_unique<FaultyAvc>(Fault::none), kernel({both_kinds(false)}), machine()).result.clean);
  EXPECT_THROW(
      SchemeRun(std::make_unique<FaultyAvc>(Fault::hides_kept_words), kernel({both_kinds(false)}), machine()),
      std::logic_error);
}

/// Every workload with half of its registers: the right result, all private words right, equal for model and RTL.
Result spilled(const std::string& workload, const std::string& scheme, Backend backend, const char* percent) {
  const auto program = workloads::make_workload(workload, {.scale = workloads::Scale::small});
  const Profile p =
      load_profile("avc", {percent, "spill.min_base=4", "local.slots=256", "l1.sets=64", "sm.registers=65536"});
  return Gpu(p, *scheme_of(scheme, {}, backend), *program).run();
}

class Spilled : public ::testing::TestWithParam<std::string> {};

TEST_P(Spilled, GivesItsRightResultUnderAllConfigurations) {
  std::uint64_t accesses = 0;
  for (const char* scheme : {"baseline", "avc8", "avc", "avc24"}) {
    const Result r = spilled(GetParam(), scheme, Backend::model, "spill.percent=50");
    EXPECT_TRUE(r.clean) << scheme << r.integrity.dump();
    EXPECT_EQ(r.verify, "") << scheme;
    const std::uint64_t now = r.stats["private_memory"]["accesses"];
    if (accesses) {
      EXPECT_EQ(now, accesses) << scheme;
    }
    accesses = now;
  }
}

TEST_P(Spilled, ModelAndRtlGiveTheSameStatistics) {
  const Result model = spilled(GetParam(), "avc", Backend::model, "spill.percent=40");
  const Result rtl = spilled(GetParam(), "avc", Backend::rtl, "spill.percent=40");
  EXPECT_EQ(model.stats.dump(), rtl.stats.dump());
}

std::vector<std::string> all_workloads() {
  std::vector<std::string> names;
  for (const auto& info : workloads::workload_list()) names.push_back(info.name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Workloads, Spilled, ::testing::ValuesIn(all_workloads()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace warpsieve::tb
