// RATA's rules one by one, on hand-made kernels with exact latencies.
#include <gtest/gtest.h>

#include "schemes/baseline/baseline.h"
#include "support.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

/// SM 0 loads line 0 early, SM 1 at cycle 241 (issue); the kernel ends when SM 1 has it.
std::vector<WarpBuilder> reader_after_owner() {
  std::vector<WarpBuilder> warps(2);
  warps[0].load_line(0);
  warps[1].load_line(0, {wait_until(warps[1], 241)});
  return warps;
}

TEST(Rata, RemoteHitTakes34CyclesFromIssue) {
  // issue 241, LSU 242, arbiter 243, L1 port of the peer 245, data 273, at the SM 274, result 275
  ClusterRun run("rata", two_sms(), one_warp_each(reader_after_owner()));
  EXPECT_EQ(run.result.cycles, 241u + 34);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("cluster.remote_hits"), 1u);
  EXPECT_EQ(run.stat("cluster.noc_bytes_saved"), 8u + 8 + 128);
  EXPECT_EQ(run.stat("noc.request_packets"), 1u);
  EXPECT_EQ(run.stat("noc.reply_flits"), 5u);
  EXPECT_EQ(run.result.integrity["checked_sectors"]["peer_l1"], 4);
}

TEST(Rata, IdealTakesTheL1LatencyAndTheTwoCyclesOfThePort) {
  ClusterRun run("rata_ideal", two_sms(), one_warp_each(reader_after_owner()));
  EXPECT_EQ(run.result.cycles, 241u + 34 - 2);
  EXPECT_EQ(run.stat("cluster.remote_hits"), 1u);
}

TEST(Rata, CapturedAreLoadsThatWereReplicatedWhenTheyMissed) {  // R2
  // The line is in SM 0 from 196 on, and in the table from 195 on: SM 1's load of 193 misses (194) before and is
  // looked up after that.
  auto early = reader_after_owner();
  early[1] = WarpBuilder{};
  early[1].load_line(0, {wait_until(early[1], 193)});
  ClusterRun run("rata", two_sms(), one_warp_each(early));
  EXPECT_EQ(run.stat("cluster.remote_hits"), 1u);
  EXPECT_EQ(run.stat("cluster.replicated_misses"), 0u);
  EXPECT_EQ(run.stat("cluster.captured"), 0u);
  ClusterRun late("rata", two_sms(), one_warp_each(reader_after_owner()));
  EXPECT_EQ(late.stat("cluster.captured"), 1u);
  EXPECT_EQ(late.result.stats["scheme_report"]["captured"], 1.0);
}

TEST(Rata, LookupAndRedirectCyclesAddUp) {
  EXPECT_EQ(
      ClusterRun("rata", two_sms(), one_warp_each(reader_after_owner()), {"rata.lookup_cycles=2"}).result.cycles,
      241u + 36);
  EXPECT_EQ(
      ClusterRun("rata", two_sms(), one_warp_each(reader_after_owner()), {"rata.redirect_cycles=7"}).result.cycles,
      241u + 39);
}

TEST(Rata, LookupCyclesAlsoDelayMisses) {
  WarpBuilder a;
  a.load_line(0);
  EXPECT_EQ(ClusterRun("rata", two_sms(), one_warp_each({a})).result.cycles, 197u);
  EXPECT_EQ(ClusterRun("rata", two_sms(), one_warp_each({a}), {"rata.lookup_cycles=2"}).result.cycles, 199u);
}

TEST(Rata, LineFromAPeerIsNotFilledUnlessAsked) {  // R5
  auto warps = reader_after_owner();
  warps[1].load_line(0, {1});
  ClusterRun paper("rata", two_sms(), one_warp_each(warps));
  EXPECT_EQ(paper.stat("cluster.remote_hits"), 2u);
  EXPECT_EQ(paper.stat("l1.hit_sectors"), 0u);
  EXPECT_EQ(paper.stat("l1.fill_sectors"), 4u);  // of the owner
  EXPECT_EQ(paper.stat("l1.peer_sectors"), 8u);
  EXPECT_EQ(paper.result.cycles, 241u + 34 + 34);
  ClusterRun filled("rata", two_sms(), one_warp_each(warps), {"rata.fill_on_remote=1"});
  EXPECT_EQ(filled.stat("cluster.remote_hits"), 1u);
  EXPECT_EQ(filled.stat("l1.hit_sectors"), 4u);
  EXPECT_EQ(filled.stat("l1.fill_sectors"), 8u);
  EXPECT_EQ(filled.stat("l1.peer_sectors"), 4u);
  EXPECT_EQ(filled.result.cycles, 241u + 34 + 29);
  EXPECT_TRUE(filled.result.clean);
}

TEST(Rata, FailedProbeGoesToTheL2ThreeCyclesLate) {  // R6: false positive
  std::vector<WarpBuilder> warps(2);
  warps[0].load_line(128 * 2, {warps[0].load_line(0)});  // one line per L1: line 2 replaces line 0
  warps[1].load_line(0, {wait_until(warps[1], 601)});
  const Profile profile = two_sms({"l1.sets=1", "l1.ways=1"});
  ClusterRun run("rata", profile, one_warp_each(warps));
  ClusterRun straight("baseline", profile, one_warp_each(warps));
  EXPECT_EQ(straight.result.cycles, 601u + 168 + 2);
  EXPECT_EQ(run.result.cycles, straight.result.cycles + 3);
  EXPECT_EQ(run.stat("cluster.false_positives"), 1u);
  EXPECT_EQ(run.stat("cluster.remote_hits"), 0u);
}

TEST(Rata, FailedProbeLeavesTheEntryUnlessAsked) {  // R6
  std::vector<WarpBuilder> warps(3);
  warps[0].load_line(128 * 2, {warps[0].load_line(0)});
  // Both read line 0 while the L2's answer to the first has not come back.
  warps[1].load_line(0, {wait_until(warps[1], 601)});
  warps[2].load_line(0, {wait_until(warps[2], 621)});
  const Profile profile = two_sms({"gpu.sms=3", "noc.cluster=3", "l1.sets=1", "l1.ways=1"});
  EXPECT_EQ(ClusterRun("rata", profile, one_warp_each(warps)).stat("cluster.false_positives"), 2u);
  EXPECT_EQ(ClusterRun("rata", profile, one_warp_each(warps), {"rata.drop_failed=1"}).stat("cluster.false_positives"),
            1u);
}

TEST(Rata, LastRequesterOwnsTheLine) {  // R4
  // SM 1 fails at SM 0, which lost the line, and gets it from the L2: SM 2 finds it at SM 1.
  std::vector<WarpBuilder> warps(3);
  warps[0].load_line(128 * 2, {warps[0].load_line(0)});
  warps[1].load_line(0, {wait_until(warps[1], 601)});
  warps[2].load_line(0, {wait_until(warps[2], 1001)});
  ClusterRun run("rata", two_sms({"gpu.sms=3", "noc.cluster=3", "l1.sets=1", "l1.ways=1"}), one_warp_each(warps));
  EXPECT_EQ(run.stat("cluster.false_positives"), 1u);
  EXPECT_EQ(run.stat("cluster.remote_hits"), 1u);
  EXPECT_EQ(run.result.cycles, 1001u + 34);
}

TEST(Rata, OwnPointerIsAMiss) {  // R3
  std::vector<WarpBuilder> warps(2);
  auto last = warps[0].load_line(0);
  last = warps[0].load_line(256, {last});
  warps[0].load_line(0, {last});
  ClusterRun run("rata", two_sms({"l1.sets=1", "l1.ways=1"}), one_warp_each(warps));
  EXPECT_EQ(run.stat("rata.own_pointer"), 1u);
  EXPECT_EQ(run.stat("cluster.redirects"), 0u);
}

TEST(Rata, FalseNegativeWhenTheTableForgot) {
  // Two entries in one set: SM 0 loads three lines of it, then SM 1 wants the first.
  std::vector<WarpBuilder> warps(2);
  auto last = warps[0].load_line(0);
  for (const simt::Addr line : {2u, 4u}) last = warps[0].load_line(line * 128, {last});
  warps[1].load_line(0, {wait_until(warps[1], 1001)});
  ClusterRun run("rata", two_sms(), one_warp_each(warps), {"rata.sets=2", "rata.ways=2"});
  EXPECT_EQ(run.stat("cluster.false_negatives"), 1u);
  EXPECT_EQ(run.stat("cluster.redirects"), 0u);
  EXPECT_EQ(
      ClusterRun("rata", two_sms(), one_warp_each(warps), {"rata.sets=2", "rata.ways=3"}).stat("cluster.remote_hits"),
      1u);
}

TEST(Rata, WithoutACreditTheLoadGoesToTheL2) {  // R8
  // Two SMs want lines of SM 0 in the same cycle; the response buffer has one place.
  std::vector<WarpBuilder> warps(3);
  warps[0].load_line(256, {warps[0].load_line(0)});
  warps[1].load_line(0, {wait_until(warps[1], 1001)});
  warps[2].load_line(256, {wait_until(warps[2], 1001)});
  const std::vector<std::string> three = {"gpu.sms=3", "noc.cluster=3", "noc.response_buffer=1"};
  ClusterRun run("rata", two_sms(three), one_warp_each(warps));
  EXPECT_EQ(run.stat("cluster.remote_hits"), 1u);
  EXPECT_EQ(run.stat("cluster.no_credit"), 1u);
  EXPECT_EQ(
      ClusterRun("rata", two_sms({"gpu.sms=3", "noc.cluster=3"}), one_warp_each(warps)).stat("cluster.remote_hits"),
      2u);
}

TEST(Rata, ProbeTakesThePortOfThePeersL1ForOneCycle) {  // R7
  const auto owner_alone = [](bool probed) {
    auto warps = reader_after_owner();  // probe in 245
    if (!probed) warps[1] = WarpBuilder{};
    auto last = warps[0].alu(11, {0});  // 197 to 241
    warps[0].alu(1, {last});            // 241, 242, 243: the load issues in 244, LSU in 245
    warps[0].alu();
    warps[0].alu();
    last = warps[0].load_line(0);
    warps[0].alu(10, {last});
    return warps;
  };
  ClusterRun alone("rata", two_sms(), one_warp_each(owner_alone(false)));
  ClusterRun probed("rata", two_sms(), one_warp_each(owner_alone(true)));
  EXPECT_EQ(alone.result.cycles, 244u + 29 + 40);
  EXPECT_EQ(probed.result.cycles, alone.result.cycles + 1);
  EXPECT_EQ(probed.stat("sm.lsu_stalls"), 1u);
}

TEST(Rata, StoreRemovesTheEntry) {  // R10
  for (const unsigned writer : {0u, 1u, 2u}) {
    std::vector<WarpBuilder> warps(3);
    warps[0].load_line(0);
    const auto wait = wait_until(warps[writer], 401);
    warps[writer].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b); }, {wait});
    const auto later = wait_until(warps[1], 801);
    warps[1].load_line(0, {later});
    ClusterRun run("rata", two_sms({"gpu.sms=3", "noc.cluster=3"}), one_warp_each(warps));
    EXPECT_EQ(run.stat("cluster.remote_hits"), 0u) << writer;
    EXPECT_EQ(run.stat("rata.invalidations"), 1u) << writer;
    EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  }
}

TEST(Rata, AtomicRemovesTheEntryAndIsNotLookedUp) {
  std::vector<WarpBuilder> warps(2);
  warps[0].load_line(0);
  wait_until(warps[1], 401);
  warps[1].trace.instrs.back().count = 100;
  const auto add = warps[1].atomic({{0, 0}}, simt::AtomicOp::add_u32, [](unsigned) { return 5u; });
  warps[1].load_line(0, {add});
  ClusterRun run("rata", two_sms(), one_warp_each(warps));
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
  EXPECT_EQ(run.stat("cluster.lookups"), 2u);
}

TEST(Rata, ResponseThatAStoreOvertookAtThePortIsNotEntered) {
  // SM 0's load is under way when SM 1's store to the line passes; SM 0 keeps a copy without it. SM 1 must not
  // get that copy: it would not see its own store.
  std::vector<WarpBuilder> warps(2);
  warps[0].load_line(0);
  warps[1].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); });
  warps[1].load_line(0, {wait_until(warps[1], 601)});
  for (const char* scheme : {"rata", "rata_ideal"}) {
    ClusterRun run(scheme, two_sms(), one_warp_each(warps));
    EXPECT_EQ(run.stat("cluster.replicated_misses"), 1u) << scheme;
    EXPECT_EQ(run.stat("cluster.remote_hits"), 0u) << scheme;
    EXPECT_TRUE(run.result.clean) << scheme << run.result.integrity.dump();
  }
}

TEST(Rata, OldCopyOfAThirdSmIsLegalAndCounted) {
  // SM 2 of another cluster writes the line; in cluster 0 SM 1 still gets SM 0's old copy (weak loads).
  std::vector<WarpBuilder> warps(3);
  warps[0].load_line(0);
  warps[1].load_line(0, {wait_until(warps[1], 801)});
  const auto wait = wait_until(warps[2], 401);
  warps[2].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); }, {wait});
  ClusterRun run("rata", two_sms({"gpu.sms=4", "noc.cluster=2"}), one_warp_each(warps));
  EXPECT_EQ(run.stat("cluster.remote_hits"), 1u);
  EXPECT_EQ(run.stat("cluster.stale_sectors"), 1u);
  EXPECT_EQ(run.stat("l1.stale_hits"), 1u);
  EXPECT_TRUE(run.result.clean) << run.result.integrity.dump();
}

TEST(Rata, IsClearedAtTheEndOfAKernel) {  // R10
  WarpBuilder a, none;
  a.load_line(0);
  ToyWorkload w = one_warp_each({a, none});
  w.add({none});
  w.block({a});
  ClusterRun run("rata", two_sms(), w);
  EXPECT_EQ(run.stat("cluster.lookups"), 2u);
  EXPECT_EQ(run.stat("cluster.redirects"), 0u);
}

TEST(Rata, StoreDoesNotOvertakeARedirectedLoadOfItsSm) {
  // The load is on its way to SM 0, which lost the line; the store behind it waits until the load went to the L2.
  std::vector<WarpBuilder> warps(2);
  warps[0].load_line(128 * 2, {warps[0].load_line(0)});
  const auto wait = wait_until(warps[1], 601);
  warps[1].load_line(0, {wait});
  warps[1].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); }, {wait});
  ClusterRun run("rata", two_sms({"l1.sets=1", "l1.ways=1"}), one_warp_each(warps), {"rata.redirect_cycles=9"});
  // sent 602 and 603; the store could pass from 604 on; probe 612, the load to the L2 in 613, the store in 614
  EXPECT_EQ(run.stat("cluster.held_stores"), 613u - 604);
  EXPECT_EQ(run.stat("cluster.false_positives"), 1u);
}

// --- L1s that hold parts of lines (decision R11) ---

WarpBuilder sector_at(Cycle cycle, unsigned sector) {
  WarpBuilder warp;
  warp.load({{0, sector * 32}}, 4, {wait_until(warp, cycle)});
  return warp;
}

struct Parts {
  const char *scheme, *without, *machine;
};
constexpr Parts kParts[] = {{"rata", "baseline", "l1.line_fill=0"},
                            {"rata+lamar", "lamar", "l1.line_fill=1"},
                            {"rata+justit", "justit", "l1.line_fill=1"},
                            {"rata+df_trunc", "df_trunc", "l1.line_fill=0"}};

TEST(RataSectors, PeerWithTheSectorIsARemoteHitAndOneWithoutItAFalsePositive) {  // R11
  for (const auto& [name, without, machine] : kParts) {
    WarpBuilder owner;
    owner.load({{0, 0}, {1, 64}}, 4);  // JUSTIT's L1 keeps loads of several sectors only
    const Profile profile = two_sms({machine});
    ClusterRun hit(name, profile, one_warp_each({owner, sector_at(801, 0)}));
    EXPECT_EQ(hit.stat("cluster.redirects"), 1u) << name;
    EXPECT_EQ(hit.stat("cluster.remote_hits"), 1u) << name;
    EXPECT_EQ(hit.stat("cluster.false_negatives"), 0u) << name;
    EXPECT_EQ(hit.result.cycles, 801u + 34) << name;
    EXPECT_EQ(hit.result.integrity["checked_sectors"]["peer_l1"], 1) << name;
    EXPECT_TRUE(hit.result.clean) << name << hit.result.integrity.dump();
    const std::vector<WarpBuilder> lacks = {owner, sector_at(801, 1)};
    ClusterRun run(name, profile, one_warp_each(lacks)), straight(without, profile, one_warp_each(lacks));
    EXPECT_EQ(run.stat("cluster.redirects"), 1u) << name;
    EXPECT_EQ(run.stat("cluster.false_positives"), 1u) << name;
    EXPECT_EQ(run.stat("cluster.remote_hits"), 0u) << name;
    EXPECT_EQ(run.result.cycles, straight.result.cycles + 3) << name;  // R6, R7
    EXPECT_TRUE(run.result.clean) << name << run.result.integrity.dump();
  }
}

TEST(RataSectors, AReplyTheL1KeepsNothingOfIsNotEntered) {
  // JUSTIT: a one-sector load seen for the first time goes past the L1.
  ClusterRun run("rata+justit", two_sms(), one_warp_each({sector_at(1, 0), sector_at(401, 0)}));
  EXPECT_EQ(run.stat("justit.bypasses"), 2u);
  EXPECT_EQ(run.stat("rata.allocations"), 0u);
  EXPECT_EQ(run.stat("cluster.false_positives"), 0u);
}

TEST(RataSectors, TheLastRequesterOfAnySectorOwnsTheLineAndIdealKnowsWhoHasWhich) {  // R4, R11
  // SM 1 has sector 1, then SM 0 gets sector 0; SM 2 wants sector 1.
  const auto warps = one_warp_each({sector_at(401, 0), sector_at(1, 1), sector_at(801, 1)});
  const Profile profile = two_sms({"gpu.sms=3", "noc.cluster=3"});
  ClusterRun rata("rata+lamar", profile, warps), ideal("rata_ideal+lamar", profile, warps);
  EXPECT_EQ(rata.stat("cluster.replicated_misses"), 1u);
  EXPECT_EQ(rata.stat("cluster.false_positives"), 2u);  // SM 0's of SM 1, SM 2's of SM 0
  EXPECT_EQ(rata.stat("cluster.remote_hits"), 0u);
  EXPECT_EQ(ideal.stat("cluster.false_positives"), 0u);
  EXPECT_EQ(ideal.stat("cluster.false_negatives"), 0u);
  EXPECT_EQ(ideal.stat("cluster.remote_hits"), 1u);
  EXPECT_EQ(ideal.result.cycles, 801u + 34 - 2);
}

TEST(RataSectors, AnEntryMadeAfterAStoreDoesNotHandOutSectorsFromBeforeIt) {  // R10
  // SM 0 has sector 0 from before SM 1's store to it, and gets sector 1 after that, which makes a new entry. SM 1
  // must not get the old sector 0: it would not see its own store.
  const auto warps = [](unsigned wanted) {
    std::vector<WarpBuilder> out(2);
    const auto first = out[0].load({{0, 0}}, 4);
    out[0].load({{0, 32}}, 4, {out[0].alu(150, {first})});  // 600 cycles later
    const auto wait = wait_until(out[1], 401);
    out[1].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); }, {wait});
    out[1].load({{0, wanted * 32}}, 4, {out[1].alu(300, {wait})});  // 1601
    return one_warp_each(out);
  };
  for (const char* name : {"rata+lamar", "rata_ideal+lamar"}) {
    ClusterRun old(name, two_sms(), warps(0)), other(name, two_sms(), warps(1));
    EXPECT_EQ(old.stat("cluster.replicated_misses"), 1u) << name;
    EXPECT_EQ(old.stat("cluster.remote_hits"), 0u) << name;
    EXPECT_TRUE(old.result.clean) << name << old.result.integrity.dump();
    EXPECT_EQ(other.stat("cluster.remote_hits"), 1u) << name;
    EXPECT_TRUE(other.result.clean) << name << other.result.integrity.dump();
    EXPECT_EQ(old.stat("cluster.false_positives"), std::string(name) == "rata+lamar" ? 1u : 0u);
  }
}

TEST(RataSectors, ASectorThatAStoreOvertookAtThePortIsNotHandedOut) {
  // As for lines above: SM 0's reply is not entered, and with another sector entered it stays unavailable.
  std::vector<WarpBuilder> warps(2);
  const auto first = warps[0].load({{0, 0}}, 4);
  warps[0].load({{0, 32}}, 4, {warps[0].alu(50, {first})});
  warps[1].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); });
  warps[1].load({{0, 0}}, 4, {wait_until(warps[1], 1001)});
  for (const char* name : {"rata+lamar", "rata_ideal+lamar"}) {
    ClusterRun run(name, two_sms(), one_warp_each(warps));
    EXPECT_EQ(run.stat("cluster.replicated_misses"), 1u) << name;
    EXPECT_EQ(run.stat("cluster.remote_hits"), 0u) << name;
    EXPECT_TRUE(run.result.clean) << name << run.result.integrity.dump();
  }
}

// Found by random machines: DPC's replies bring whole lines also where a part was asked for, and only that is kept.
TEST(RataSectors, AReplyThatBringsMoreThanWasAskedForIsNotAWholeLine) {
  // SM 0's atomic drops sector 3, which it then fetches again. Its sector 0 is from before SM 1's store.
  std::vector<WarpBuilder> warps(2);
  warps[0].alu(150, {warps[0].load_line(0)});
  const auto add = warps[0].atomic({{0, 96}}, simt::AtomicOp::add_u32, [](unsigned) { return 5u; });
  warps[0].load({{0, 96}}, 4, {add});
  const auto wait = wait_until(warps[1], 401);
  warps[1].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); }, {wait});
  warps[1].load_line(0, {warps[1].alu(400, {wait})});  // 2001
  for (const char* name : {"rata", "rata+dpc"}) {
    ClusterRun run(name, two_sms(), one_warp_each(warps));
    EXPECT_EQ(run.stat("cluster.lookups"), 3u) << name;
    EXPECT_EQ(run.stat("cluster.replicated_misses"), 1u) << name;
    EXPECT_EQ(run.stat("rata.allocations"), 2u) << name;
    EXPECT_EQ(run.stat("cluster.remote_hits"), 0u) << name;
    EXPECT_TRUE(run.result.clean) << name << run.result.integrity.dump();
  }
}

/// The ideal path without the rule that copies must hold the cluster's stores: what the checks must catch.
class AnyCopyScheme final : public Scheme {
 public:
  std::string name() const override { return "any copy"; }
  std::unique_ptr<ControllerPath> make_path(unsigned, PathOwner& host, Stats&) override {
    return std::make_unique<schemes::BaselinePath>(host);
  }
  std::unique_ptr<ClusterPath> make_cluster_path(unsigned, unsigned, ClusterPathOwner& host, Stats&) override {
    return std::make_unique<Path>(host);
  }

 private:
  class Path final : public ClusterPath {
   public:
    explicit Path(ClusterPathOwner& host) : host_(host) {}
    Times times() const override { return {}; }
    std::optional<unsigned> lookup(Cycle, unsigned sm, GlobalLine line, SectorMask mask) override {
      const std::uint64_t holders = host_.holders(sm, line, mask, false);
      return holders ? std::optional<unsigned>(static_cast<unsigned>(__builtin_ctzll(holders))) : std::nullopt;
    }
    void probe_failed(Cycle, unsigned, GlobalLine) override {}
    void response(Cycle, unsigned, GlobalLine) override {}
    void written(Cycle, GlobalLine) override {}
    void clear() override {}

   private:
    ClusterPathOwner& host_;
  };
};

TEST(Visibility, CopyOlderThanTheAskersOwnStoreIsCorruption) {
  for (const Cycle load : {405u, 801u}) {  // the store under way, and answered
    std::vector<WarpBuilder> warps(2);
    warps[0].load_line(0);
    const auto wait = wait_until(warps[1], 401);
    warps[1].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); }, {wait});
    warps[1].load_line(0, {warps[1].alu(static_cast<std::uint16_t>((load - 401) / 4), {wait})});
    ToyWorkload w = one_warp_each(warps);
    AnyCopyScheme scheme;
    Gpu gpu(two_sms(), scheme, w);
    const Result r = gpu.run();
    EXPECT_FALSE(r.clean) << load;
    EXPECT_EQ(gpu.golden().mismatches(), 1u);
    EXPECT_NE(r.integrity["first"][0].get<std::string>().find(load == 405 ? "its own store" : "itself wrote"),
              std::string::npos)
        << r.integrity.dump();
  }
}

TEST(Visibility, CopyOfAnotherSmsStoreIsLegal) {
  // SM 2 of the cluster stores, SM 1 gets SM 0's older copy: not what RATA does, but a legal weak load.
  std::vector<WarpBuilder> warps(3);
  warps[0].load_line(0);
  warps[1].load_line(0, {wait_until(warps[1], 801)});
  const auto wait = wait_until(warps[2], 401);
  warps[2].store({{0, 0}}, 4, [](unsigned, unsigned b) { return static_cast<std::uint8_t>(b + 1); }, {wait});
  ToyWorkload w = one_warp_each(warps);
  AnyCopyScheme scheme;
  Gpu gpu(two_sms({"gpu.sms=3", "noc.cluster=3"}), scheme, w);
  EXPECT_TRUE(gpu.run().clean);
  EXPECT_EQ(gpu.stats().value("cluster.stale_sectors"), 1u);
}

}  // namespace
}  // namespace warpsieve::tb
