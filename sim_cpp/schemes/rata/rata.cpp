// rata: loads that miss are answered by the L1 of a peer in the same cluster (RATA paper).
//
//   rata         a remote access tag array per cluster, block `rata` as model, rtl or shadow (instances
//                cluster0, ...)
//   rata_ideal   perfect tags and no latency: knows in every cycle which L1 of the cluster holds which sectors
//                (III, first experiment)
//
// An entry names a line. Where an L1 holds parts of lines (lamar, justit, df_*, l1.line_fill = 0) each reply of which
// it keeps something is entered, and a peer without the sectors that are asked for is a false positive (decision
// R11).
//
// Needs a machine with clusters (noc.cluster, profile rata). The cluster port (memsys/cluster) does the rest: probes,
// credits, response buffer. DRAM as in the baseline.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "blocks/rata/rata_entries.h"
#include "cosim/ask.h"
#include "schemes/power_of_two.h"
#include "schemes/scheme.h"

namespace warpsieve::schemes {

using namespace memsys;

namespace {

/// RTL exists for 64 sets of 6, 16 and 48 ways; other sizes run as models.
struct RataSchemeParams {
  std::uint32_t sets, ways, lookup_cycles, redirect_cycles, drop_failed, fill_on_remote;
  RataSchemeParams() {
    ParamSet set;
    declare(set);
  }
  void declare(ParamSet& set);
};

void RataSchemeParams::declare(ParamSet& set) {
  set.declare(sets, "rata.sets", "sets", 64, 2, 65536, "power of two", "R1: 40-bit addresses, 27-bit tags");
  set.declare(ways, "rata.ways", "ways", 16, 2, 1024, "entries per set", "R1");
  set.declare(lookup_cycles, "rata.lookup_cycles", "cycles", 0, 0, 16,
              "lookup to decision; the RTL takes 2, one operation per cycle", "III: zero latency; R7");
  set.declare(redirect_cycles, "rata.redirect_cycles", "cycles", 2, 0, 64, "decision to the peer's L1 port", "R7");
  set.declare(drop_failed, "rata.drop_failed", "switch", 0, 0, 1, "1: a failed probe clears the entry", "R6");
  set.declare(fill_on_remote, "rata.fill_on_remote", "switch", 0, 0, 1, "1: a line from a peer is filled into the L1",
              "II step 5; R5");
}

/// The array of one cluster. The block is clocked inside each call; the cluster port charges the cycles.
class RataPath final : public ClusterPath {
 public:
  RataPath(const RataSchemeParams& params, unsigned sms, Backend backend, const std::string& name, Stats& stats)
      : params_(params), geometry_{.sets = params.sets,
                                   .ways = params.ways,
                                   .sm_bits = std::max(3u, static_cast<unsigned>(std::bit_width(sms - 1)))},
        block_(rata::make_rata(geometry_, backend, name)), mirror_(geometry_),
        own_pointer_(stats.add("rata.own_pointer", "loads", "the entry pointed to the asker itself (decision R3)")),
        allocations_(
            stats.add("rata.allocations", "lines", "lines, or parts of them, from the L2 entered (R4, R11)")),
        invalidations_(stats.add("rata.invalidations", "stores", "stores and atomics that removed an entry (R10)")) {
    block_->reset();
  }
  Times times() const override {
    return {params_.lookup_cycles, params_.redirect_cycles, params_.fill_on_remote != 0};
  }
  /// The block does one operation per cycle: a lookup waits behind the update of the cycle before.
  bool ready(Cycle now) const override { return params_.lookup_cycles == 0 || updated_ + 1 != now; }

  std::optional<unsigned> lookup(Cycle, unsigned sm, GlobalLine line, SectorMask) override {
    if (mirror_.owner(line) == sm) ++own_pointer_;
    const rata::RataLookup request{line, sm};
    const rata::RataRsp response = ask(*block_, block_->lookup(), block_->rsp(), request, "rata", 2);
    if (!block_->idle()) settle();
    if (!(mirror_.lookup(request) == response))
      throw std::logic_error(fmt::format("rata: {} for {}, which the entries contradict", rata::describe(response),
                                         rata::describe(request)));
    return response.hit ? std::optional<unsigned>(response.owner) : std::nullopt;
  }
  void probe_failed(Cycle now, unsigned owner, GlobalLine line) override {
    if (params_.drop_failed) update(now, {rata::RataOp::drop, line, owner});
  }
  void response(Cycle now, unsigned sm, GlobalLine line) override {
    update(now, {rata::RataOp::allocate, line, sm});
    ++allocations_;
  }
  void written(Cycle now, GlobalLine line) override {
    if (mirror_.owner(line)) ++invalidations_;
    update(now, {rata::RataOp::invalidate, line, 0});
  }
  void clear() override { update(kNever, {rata::RataOp::clear, 0, 0}); }

 private:
  void update(Cycle now, const rata::RataUpdate& request) {
    offer(block_->update(), request, "rata");
    block_->tick();
    settle();
    mirror_.update(request);
    updated_ = now;
  }
  void settle() {
    for (int i = 0; i < 8; ++i) {
      block_->tick();
      if (block_->idle()) return;
    }
    throw std::logic_error("rata: the block does not come to rest");
  }

  RataSchemeParams params_;
  rata::RataParams geometry_;
  std::unique_ptr<rata::Rata> block_;
  rata::RataEntries mirror_;  ///< what the block must hold
  Cycle updated_ = kNever - 1;
  Counter own_pointer_, allocations_, invalidations_;
};

/// Looks into the L1s themselves, sector by sector. Only sectors that contain all stores of the cluster count, as for
/// RATA.
class IdealPath final : public ClusterPath {
 public:
  explicit IdealPath(const RataSchemeParams& params, ClusterPathOwner& host) : params_(params), host_(host) {}
  Times times() const override { return {0, 0, params_.fill_on_remote != 0}; }
  std::optional<unsigned> lookup(Cycle, unsigned sm, GlobalLine line, SectorMask mask) override {
    const std::uint64_t holders = host_.holders(sm, line, mask, true);
    if (!holders) return std::nullopt;
    // The next one after the asker, so that no L1 has to serve all the others.
    const std::uint64_t after = holders & ~((std::uint64_t{2} << sm) - 1);
    return static_cast<unsigned>(std::countr_zero(after ? after : holders));
  }
  void probe_failed(Cycle, unsigned, GlobalLine) override {
    throw std::logic_error("rata_ideal: a line left an L1 within the cycle in which it was found");
  }
  void response(Cycle, unsigned, GlobalLine) override {}
  void written(Cycle, GlobalLine) override {}
  void clear() override {}

 private:
  RataSchemeParams params_;
  ClusterPathOwner& host_;
};

class RataScheme final : public Scheme {
 public:
  RataScheme(bool ideal, const RataSchemeParams& params, const BackendPlan& backends)
      : ideal_(ideal), params_(params), backends_(backends) {}
  std::string name() const override { return ideal_ ? "rata_ideal" : "rata"; }
  bool needs_clusters() const override { return true; }
  std::unique_ptr<ClusterPath> make_cluster_path(unsigned cluster, unsigned sms, ClusterPathOwner& host,
                                                 Stats& stats) override {
    stats_ = &stats;
    if (ideal_) return std::make_unique<IdealPath>(params_, host);
    const std::string instance = fmt::format("cluster{}", cluster);
    return std::make_unique<RataPath>(params_, sms, backends_.of("rata", instance), instance + ".rata", stats);
  }
  nlohmann::ordered_json report() const override {
    nlohmann::ordered_json out = {{"parameters", values_of(params_)}};
    if (!stats_) return out;  // before a run
    const auto share = [&](const char* part, const char* of) {
      const auto n = stats_->value(of);
      return n ? static_cast<double>(stats_->value(part)) / static_cast<double>(n) : 0.0;
    };
    const double on_their_way = share("cluster.in_flight_misses", "cluster.primary_misses");
    const double replicated = share("cluster.replicated_misses", "cluster.primary_misses");
    out["replication_rate"] = replicated;
    out["replication_rate_with_in_flight"] = replicated + on_their_way;
    out["captured"] = share("cluster.captured", "cluster.replicated_misses");
    out["failed_probes"] = share("cluster.false_positives", "cluster.redirects");
    return out;
  }

 private:
  bool ideal_;
  RataSchemeParams params_;
  BackendPlan backends_;
  const Stats* stats_ = nullptr;
};

class RataFamily final : public SchemeFamily {
 public:
  std::vector<SchemeInfo> schemes() const override {
    return {{.name = "rata",
             .doc = "RATA paper: misses answered by the L1 of a peer of the cluster",
             .paper = "rata",
             .profile = "rata",
             .blocks = {{"rata", Place::cluster}},
             .ports = {kClusterPath},
             .reads_values = false,
             .area_note = "remote access tag array, one per cluster",
             .hardware = {{.block = "rata",
                           .module = "rata",
                           .point = "paper",
                           .what = "64 sets x 16 ways (R1)",
                           .place = Place::cluster,
                           .memories = {{"entries", 496, 64}},
                           .sizes = {{"rata.sets", 64}, {"rata.ways", 16}}}}},
            {.name = "rata_ideal",
             .doc = "... with perfect tags and no latency",
             .paper = "rata",
             .profile = "rata",
             .ports = {kClusterPath},
             .reads_values = false,
             .area_note = "perfect tags, which no block gives: a bound"}};
  }
  void declare(ParamSet& set) override { params_.declare(set); }
  std::unique_ptr<Scheme> make(std::string_view name, const BackendPlan& backends) const override {
    expect_powers_of_two({{"rata.sets", params_.sets}});
    return std::make_unique<RataScheme>(name == "rata_ideal", params_, backends);
  }

 private:
  RataSchemeParams params_;
};

}  // namespace

std::unique_ptr<SchemeFamily> rata_family() { return std::make_unique<RataFamily>(); }

}  // namespace warpsieve::schemes
