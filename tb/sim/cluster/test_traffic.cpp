// Random traffic through the cluster port: a bench of L1s and stand-in L2 slices with the smallest buffers (a million
// packets in the long mode), and whole machines with tiny caches. Every byte is checked on the way.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <stdexcept>

#include "memsys/cluster/cluster.h"
#include "sim/memsys/random_traces.h"
#include "support.h"
#include "support/property.h"

namespace warpsieve::tb {
namespace {

using namespace memsys;

/// L1s that send random loads, stores and atomics as fast as they are taken; L2 slices that perform them on the
/// golden memory in order of arrival, one per cycle, and answer after a random time, in order.
class TrafficBench {
 public:
  TrafficBench(const Profile& profile, Scheme& scheme, std::uint32_t lines, unsigned seed)
      : context_(profile, map(profile, lines)), stats_(context_.stats), lines_(lines), random_(seed),
        slices_(profile.controllers * kSlicesPerController), answers_(slices_) {
    std::vector<std::uint8_t> image(std::size_t{lines} * kLineBytes);
    for (auto& b : image) b = static_cast<std::uint8_t>(random_());
    context_.golden.load(context_.map.base, image, image.size());
    const std::uint32_t first_sm = context_.wakes.add(profile.sms);
    noc_ = std::make_unique<Clusters>(context_, first_sm, context_.wakes.add(slices_));
    std::vector<L1Cache*> pointers;
    for (std::uint32_t i = 0; i < profile.sms; ++i) {
      l1s_.push_back(std::make_unique<L1Cache>(context_, stats_, i, noc_->requests(), scheme));
      pointers.push_back(l1s_.back().get());
    }
    noc_->connect(pointers, scheme);
    open_.resize(profile.sms);
  }

  /// Ends when `packets` packets went out and all came back; says what went wrong.
  std::string run(std::uint64_t packets) {
    Cycle last = 0;
    std::uint64_t moved = 0;
    for (bool idle = false; !idle;) {
      ++now_;
      serve();
      noc_->run(now_);
      for (std::uint32_t sm = 0; sm < l1s_.size(); ++sm) {
        take(sm);
        if (damage_ && now_ % damage_ == 0) damage(*l1s_[sm]);
        if (noc_->requests().packets_in() < packets && !l1s_[sm]->port_taken(now_)) offer(sm);
      }
      idle = noc_->requests().packets_in() >= packets && noc_->requests().idle() && noc_->replies().idle();
      for (const auto& l1 : l1s_) idle = idle && l1->idle();
      if (const std::uint64_t all = noc_->requests().packets_out() + noc_->replies().packets_out(); all != moved) {
        moved = all;
        last = now_;
      }
      if (now_ > last + 20000) return "deadlock: " + noc_->requests().describe() + noc_->replies().describe();
    }
    const Network &out = noc_->requests(), &back = noc_->replies();
    if (out.packets_in() != back.packets_out() || out.bytes_in() != out.bytes_out() ||
        back.bytes_in() != back.bytes_out() || context_.packets.used())
      return "packets or bytes were lost";
    for (const std::uint64_t open : open_)
      if (open) return "loads without an answer";
    noc_->check_empty();
    return context_.golden.clean() ? "" : context_.golden.report().dump();
  }
  /// Flips a byte of a whole line in each L1 from time to time.
  void damage_l1(Cycle every) { damage_ = every; }
  std::uint64_t stat(const char* name) { return context_.stats.value(name); }
  Cycle now() const { return now_; }

 private:
  static AddressMap map(const Profile& profile, std::uint32_t lines) {
    AddressMap m;
    m.base = kBase;
    m.size = std::uint64_t{lines} * kLineBytes;
    m.chunk_shift = profile.chunk_shift;
    m.controllers = profile.controllers;
    return m;
  }
  void offer(std::uint32_t sm) {
    LineAccess access;
    access.line = GlobalLine{static_cast<std::uint32_t>(random_() % lines_)};
    access.mask = static_cast<SectorMask>(1 + random_() % kAllSectors);
    const unsigned kind = random_() % 16;
    if (kind == 0) {
      access.ops = 1;
      access.offset[0] = static_cast<std::uint8_t>(__builtin_ctz(access.mask) * kSectorBytes);
      access.mask &= static_cast<SectorMask>(-access.mask);
      l1s_[sm]->atomic(now_, access, simt::AtomicOp::add_u32, 0);
    } else if (kind < 4) {
      for (unsigned s = 0; s < kSectors; ++s)
        if (access.mask >> s & 1) access.bytes[s] = random_() % 2 ? kFullSector : 1u << random_() % 32;
      for (auto& b : access.data.bytes) b = static_cast<std::uint8_t>(random_());
      l1s_[sm]->store(now_, access);
    } else {
      const L1Cache::Answer answer = l1s_[sm]->load(now_, access, 0);
      if (answer.taken && answer.done == kNever) ++open_[sm];
    }
  }
  void damage(L1Cache& l1) {
    for (GlobalLine line; line < lines_; ++line)
      if (l1.holds(line, kAllSectors, false)) {
        l1.private_lines().data(l1.tags().find(line)).bytes[random_() % kLineBytes] ^= 0x10;
        return;
      }
  }
  void take(std::uint32_t sm) {
    for (std::uint32_t handle; (handle = noc_->replies().front(sm, now_)) != kNoPacket;) {
      Packet& p = context_.packets[handle];
      if (p.sm != sm) throw std::logic_error("a reply at the wrong SM");
      noc_->replies().pop(sm, now_);
      l1s_[sm]->returned(handle);
      if (p.kind == PacketKind::read) {
        std::vector<std::uint32_t> completed;
        l1s_[sm]->fill(now_, p, completed);
        open_[sm] -= completed.size();
      }
      context_.packets.give(handle);
    }
  }
  void serve() {
    for (std::uint32_t slice = 0; slice < slices_; ++slice) {
      const std::uint32_t handle = noc_->requests().front(slice, now_);
      if (handle != kNoPacket && answers_[slice].size() < 4) {
        noc_->requests().pop(slice, now_);
        perform(context_.packets[handle]);
        answers_[slice].push_back({handle, now_ + 1 + random_() % 20});
      }
      auto& answers = answers_[slice];
      if (answers.empty() || answers.front().second > now_ || !noc_->replies().can_push(slice)) continue;
      const Packet& p = context_.packets[answers.front().first];
      noc_->replies().push(now_, slice, p.sm, answers.front().first, reply_bytes(p));
      answers.pop_front();
    }
  }
  void perform(Packet& p) {
    std::uint8_t* line = context_.golden.line(p.global_line);
    if (p.kind == PacketKind::write)
      for (unsigned s = 0; s < kSectors; ++s) merge_sector(line + s * kSectorBytes, p.data.sector(s), p.bytes[s]);
    if (p.kind == PacketKind::atomic) ++line[p.offset[0]];
    if (p.kind == PacketKind::read)
      std::memcpy(p.data.bytes.data(), line, kLineBytes);
    else
      context_.golden.written(p.global_line);
    p.check.version = context_.golden.version(p.global_line);
  }

  Context context_;
  L1Stats stats_;
  std::uint32_t lines_;
  std::minstd_rand random_;
  std::uint32_t slices_;
  std::vector<std::deque<std::pair<std::uint32_t, Cycle>>> answers_;
  std::unique_ptr<Clusters> noc_;
  std::vector<std::unique_ptr<L1Cache>> l1s_;
  std::vector<std::uint64_t> open_;
  Cycle now_ = 10, damage_ = 0;
};

std::vector<std::string> smallest(std::vector<std::string> more = {}) {
  std::vector<std::string> set = {"gpu.sms=8",         "gpu.controllers=2",  "noc.cluster=4",        "l1.line_fill=1",
                                  "l1.sets=2",         "l1.ways=2",          "l1.mshrs=4",           "noc.latency=1",
                                  "noc.input_queue=1", "noc.output_queue=1", "noc.response_buffer=1"};
  set.insert(set.end(), more.begin(), more.end());
  return set;
}

/// "rata", or sometimes "rata_ideal", with one of these behind it.
std::string pick_scheme(const std::vector<std::string>& others) {
  const char* rata = *rc::gen::inRange(0, 4) ? "rata" : "rata_ideal";
  return rata + *rc::gen::elementOf(others);
}

bool is_long() { return std::getenv("WARPSIEVE_LONG") != nullptr; }

TEST(Traffic, SmallestBuffersNeitherBlockNorLose) {
  for (const char* name : {"rata", "rata_ideal", "baseline"})
    for (const bool mesh : {false, true}) {
      std::vector<std::string> set = smallest();
      if (mesh)
        for (const char* more : {"noc.topology=1", "noc.mesh_width=2", "noc.mesh_height=2", "noc.vc_flits=1"})
          set.emplace_back(more);
      const auto scheme = schemes::make_scheme(name, {});
      TrafficBench bench(load_profile("plain", set), *scheme, 12, 7);
      EXPECT_EQ(bench.run(is_long() ? 1000000 : 30000), "");
      if (std::string(name) == "baseline") continue;
      EXPECT_GT(bench.stat("cluster.remote_hits"), 100u) << name;
      EXPECT_GT(bench.stat("cluster.no_credit"), 100u) << name;
      EXPECT_GT(bench.stat("cluster.buffer_full"), 10u) << name;
      if (std::string(name) == "rata") {
        EXPECT_GT(bench.stat("cluster.false_positives"), 100u);
      }
    }
}

TEST(Traffic, AWrongByteInAnL1IsCorruption) {
  for (const char* name : {"baseline", "rata"}) {
    const auto scheme = schemes::make_scheme(name, {});
    TrafficBench bench(load_profile("plain", smallest()), *scheme, 12, 7);
    bench.damage_l1(1000);
    const std::string report = bench.run(30000);
    EXPECT_NE(report.find("is not what replies and its own stores made it"), std::string::npos) << name << report;
    const bool peers = report.find(R"("mismatched_by_source":{"peer_l1")") != std::string::npos;
    EXPECT_EQ(peers, std::string(name) == "rata") << report;
  }
}

TEST(Traffic, ShadowBlocksUnderRandomTraffic) {
  const auto scheme =
      schemes::make_scheme("rata", {.set = {"rata.ways=6"}, .backend = Backend::shadow, .backends = {}});
  TrafficBench bench(load_profile("plain", smallest({"noc.response_buffer=8"})), *scheme, 700, 3);
  EXPECT_EQ(bench.run(is_long() ? 300000 : 10000), "");
  EXPECT_GT(bench.stat("rata.allocations"), 1000u);
  EXPECT_GT(bench.stat("rata.own_pointer"), 10u);
}

TEST(Traffic, RandomPortsAndTables) {
  std::map<std::string, std::uint64_t> seen;
  for (const char* n : {"cluster.remote_hits", "cluster.false_positives", "cluster.false_negatives",
                        "cluster.no_credit", "cluster.in_flight_misses", "cluster.stale_sectors",
                        "cluster.held_stores", "rata.own_pointer", "l1.stale_hits"})
    seen[n] = 0;
  check_property("random clusters", is_long() ? 600 : 60, [&] {
    const auto pick = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
    const auto set = [](const char* name, int v) { return fmt::format("{}={}", name, v); };
    std::vector<std::string> machine = {set("gpu.sms", pick(1, 10)),
                                        set("gpu.controllers", pick(1, 3)),
                                        set("noc.cluster", pick(2, 8)),
                                        set("l1.line_fill", pick(0, 1)),
                                        set("l1.sets", pick(1, 4)),
                                        set("l1.ways", pick(2, 3)),
                                        set("l1.mshrs", pick(1, 6)),
                                        set("l1.merges", pick(1, 3)),
                                        set("l1.replacement", pick(0, 1)),
                                        set("l1.latency", pick(1, 30)),
                                        set("noc.latency", pick(1, 9)),
                                        set("noc.input_queue", pick(1, 3)),
                                        set("noc.output_queue", pick(1, 4)),
                                        set("noc.response_buffer", pick(1, 9)),
                                        set("noc.response_flits", pick(1, 5)),
                                        set("gpu.chunk_shift", pick(7, 9))};
    for (const std::string& parameter : random_crossbar()) machine.push_back(parameter);
    const std::vector<std::string> table = {
        set("rata.sets", 1 << pick(1, 3)),     set("rata.ways", pick(2, 5)),
        set("rata.lookup_cycles", pick(0, 3)), set("rata.redirect_cycles", pick(0, 9)),
        set("rata.drop_failed", pick(0, 1)),   set("rata.fill_on_remote", pick(0, 1))};
    const std::string name = pick_scheme({"", "+lamar", "+justit"});
    const auto scheme = schemes::make_scheme(name, {.set = table, .backends = {}});
    TrafficBench bench(load_profile("plain", machine), *scheme, static_cast<std::uint32_t>(pick(4, 60)),
                       static_cast<unsigned>(pick(1, 1 << 30)));
    if (const std::string wrong = bench.run(3000); !wrong.empty()) RC_FAIL(wrong);
    for (auto& [counter, count] : seen)
      if (counter != "rata.own_pointer" || !name.starts_with("rata_ideal")) count += bench.stat(counter.c_str());
  });
  for (const auto& [name, count] : seen) EXPECT_GT(count, 0u) << name;
}

TEST(RandomMachines, StayCleanWithClusters) {
  std::map<std::string, std::uint64_t> seen;
  for (const char* n : {"cluster.remote_hits", "cluster.false_positives", "cluster.no_credit",
                        "cluster.stale_sectors", "l2.stall_cycles", "sm.lsu_stalls", "l2.atomics"})
    seen[n] = 0;
  check_property("random machines with clusters", is_long() ? 2000 : 150, [&] {
    const auto pick = [](int low, int high) { return *rc::gen::inRange(low, high + 1); };
    const auto set = [](const char* name, int v) { return fmt::format("{}={}", name, v); };
    const int ways = pick(1, 4);
    std::vector<std::string> machine = {set("gpu.sms", pick(2, 6)),         set("gpu.controllers", pick(1, 2)),
                                        set("noc.cluster", pick(2, 4)),     set("gpu.patience", 50000),
                                        set("l1.sets", pick(1, 4)),         set("l1.ways", ways),
                                        set("l1.mshrs", pick(1, 8)),        set("l1.merges", pick(1, 3)),
                                        set("l1.line_fill", pick(0, 1)),    set("noc.latency", pick(1, 8)),
                                        set("noc.input_queue", pick(1, 2)), set("noc.output_queue", pick(1, 3)),
                                        set("l2.sets", pick(1, 2)),         set("l2.ways", pick(1, 3)),
                                        set("l2.mshrs", pick(1, 4)),        set("l2.merges", pick(1, 3)),
                                        set("l2.latency", pick(1, 20)),     set("l2.miss_latency", pick(1, 10)),
                                        set("l2.fill_latency", pick(1, 5)), set("noc.response_buffer", pick(1, 6)),
                                        set("dram.latency", pick(1, 20))};
    for (const std::string& parameter : random_crossbar()) machine.push_back(parameter);
    const std::vector<std::string> table = {set("rata.sets", 1 << pick(1, 4)), set("rata.ways", pick(2, 6)),
                                            set("rata.redirect_cycles", pick(0, 5)),
                                            set("rata.fill_on_remote", pick(0, 1))};
    ToyWorkload w(kRandomBytes);
    random_traces(w,
                  {static_cast<unsigned>(pick(1, 2)), static_cast<unsigned>(pick(1, 6)),
                   static_cast<unsigned>(pick(1, 3)), static_cast<unsigned>(pick(1, 30))},
                  static_cast<unsigned>(pick(1, 1 << 30)));
    std::vector<std::string> others = {"", "+lamar", "+justit", "+dpc"};
    if (ways > 1) others.insert(others.end(), {"+df_trunc", "+df_man+rc"});
    Profile profile = load_profile("plain", machine);
    profile.l2.partial_writes = static_cast<unsigned>(pick(0, 1));
    profile.l2.fetch_sectors = static_cast<unsigned>(pick(1, 2));
    profile.l2.atomic_ops = static_cast<unsigned>(pick(0, 8));
    profile.l2.atomic_same_address = static_cast<unsigned>(pick(0, 3));
    ClusterRun run(pick_scheme(others), profile, std::move(w), table);
    if (!run.result.clean) RC_FAIL(run.result.integrity.dump());
    for (auto& [name, count] : seen) count += run.stat(name);
    RC_ASSERT(run.stat("cluster.redirects") == run.stat("cluster.remote_hits") + run.stat("cluster.false_positives"));
    RC_ASSERT(run.stat("cluster.lookups") == run.stat("cluster.primary_misses"));
  });
  for (const auto& [name, count] : seen) EXPECT_GT(count, 0u) << name;
}

}  // namespace
}  // namespace warpsieve::tb
