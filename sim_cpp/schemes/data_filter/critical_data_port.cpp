// The SM's side of data filtering: which sub-blocks a load needs, whether the L1 line holds them, what is asked for.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <optional>
#include <stdexcept>

#include "blocks/request_control/critical_data_tracker.h"
#include "blocks/request_control/request_analyzer.h"
#include "blocks/request_control/windows_manager.h"
#include "cosim/ask.h"
#include "memsys/profile.h"
#include "schemes/data_filter/data_filter.h"

namespace warpsieve::schemes {

using namespace memsys;

namespace {

namespace rc = request_control;

struct CriticalCounters {
  explicit CriticalCounters(Stats& s)
      : asked(s.add("critical.asked_sub_blocks", "sub-blocks", "needed by loads, after coalescing")) {
    static constexpr std::array<std::array<const char*, 2>, 6> classes{{
        {"hits", "line valid with all that is needed"},
        {"first_misses", "FM: line not there"},
        {"subsequent_misses", "SM: line on its way without all that is needed"},
        {"merged", "line on its way with all that is needed"},
        {"hit_invalid", "HI: line valid without all that is needed, fetched again"},
        {"waits", "line being fetched again after HI: offered again later"},
    }};
    for (unsigned c = 0; c < kinds.size(); ++c)
      kinds[c] = s.add(fmt::format("critical.{}", classes[c][0]), "line requests", classes[c][1]);
    static constexpr std::array<std::array<const char*, 2>, 5> why{{
        {"partial", "asked for what is needed only"},
        {"demanded", "the whole line is needed"},
        {"fdr", "whole line: FDR window over its threshold"},
        {"again", "whole line: subsequent miss"},
        {"ica", "whole line: ICA window over its threshold"},
    }};
    for (unsigned r = 0; r < reasons.size(); ++r)
      reasons[r] = s.add(fmt::format("critical.requests_{}", why[r][0]), "packets", why[r][1]);
    for (unsigned b = 0; b < 4; ++b) {
      consistent[b] = s.add(fmt::format("critical.ca_{}", 32 * (b + 1)), "lines",
                            "fetched or evicted, accessed consistently, by bytes asked for");
      inconsistent[b] = s.add(fmt::format("critical.ica_{}", 32 * (b + 1)), "lines", "... inconsistently");
    }
  }
  Counter asked;
  std::array<Counter, 6> kinds;
  std::array<Counter, 5> reasons;
  std::array<Counter, 4> consistent, inconsistent;
};

class CriticalPort final : public L1Port {
 public:
  CriticalPort(const DataFilterVariant& variant, const DataFilterParams& params, const BackendPlan& backends,
               unsigned sm, L1PortOwner& host, Stats& stats)
      : control_(variant.control), append_(params.append != 0), window_need_(params.window_need != 0), host_(host),
        counters_(stats) {
    const L1Params& l1 = host.profile().l1;
    if (l1.ways < 2)
      throw ConfigError(
          fmt::format("{}: l1.ways = {}: expected at least 2, a line that is fetched in parts keeps a "
                      "way of its set",
                      variant.name, l1.ways));
    const std::string instance = fmt::format("sm{}", sm);
    const auto name = [&](const char* block) { return instance + "." + block; };
    analyzer_ = rc::make_request_analyzer({}, backends.of("request_analyzer", instance), name("request_analyzer"));
    tracker_ =
        rc::make_critical_data_tracker({l1.sets * l1.ways, l1.mshrs, append_},
                                       backends.of("critical_data_tracker", instance), name("critical_data_tracker"));
    analyzer_->reset();
    tracker_->reset();
    line_need_.resize(std::size_t{l1.sets} * l1.ways);
    mshr_need_.resize(l1.mshrs);
    if (!control_) return;
    windows_ = rc::make_windows_manager({params.window, params.ica_percent, params.fdr_percent},
                                        backends.of("windows_manager", instance), name("windows_manager"));
    windows_->reset();
  }

  LoadNeeds needs(const LineAccess& access, SectorMask hit, SectorMask) const override {
    const bool all_here = !(access.mask & ~hit);
    return {.entry = !all_here, .packet = !all_here};
  }

  LoadPlan load(Cycle, const LineAccess& access, SectorMask hit, SectorMask) override {
    LoadPlan plan;
    plan.keep = LoadPlan::Keep::whole;
    plan.replace = !append_;
    const bool all_here = !(access.mask & ~hit);
    if (!all_here &&
        (host_.way_of(access.line) != L1PortOwner::kNone || host_.mshr_of(access.line) != L1PortOwner::kNone) &&
        !host_.can_reserve(access.line)) {
      plan.wait = true;
      return plan;
    }
    const rc::TrackerRsp answer = track(access);
    ++counters_.kinds[static_cast<unsigned>(answer.kind)];
    if (answer.kind == rc::Class::wait) {
      plan.replay = true;
      return plan;
    }
    counters_.asked += count_sectors(access.mask);
    if (answer.kind == rc::Class::hit) plan.hit = access.mask;
    plan.fetch = answer.send;
    if (answer.send) ++counters_.reasons[static_cast<unsigned>(answer.reason)];
    return plan;
  }

  void arrived(Cycle, const LineArrival& part) override {
    const rc::TrackerDone done = fill({false, part.way, part.mshr, part.asked, part.brought});
    if (done.complete != (part.valid != 0) || (done.complete && done.map != part.valid))
      throw std::logic_error(fmt::format("critical data tracker: {} but the L1 has {:#06b}", describe(done),
                                         static_cast<unsigned>(part.valid)));
    if (!done.complete) return;
    line_need_[part.way] = mshr_need_[part.mshr];
    seen(done.fetched, line_need_[part.way], false);
  }

  void evicted(Cycle, GlobalLine line, SectorMask) override {
    const std::uint32_t way = host_.way_of(line);
    const rc::TrackerDone done = fill({.evict = true, .line = way});
    if (done.evicted) seen(done.old, line_need_[way], true);
  }

  /// The tracker knows lines, not their parts.
  void atomic(Cycle now, const LineAccess& access) override { host_.drop(now, access.line, access.mask); }
  void store(Cycle now, const LineAccess& access) override {
    if (host_.profile().l1.store_evicts) host_.drop(now, access.line, access.mask);
  }

  void end_kernel() override { tracker_->reset(); }

 private:
  /// Sub-blocks from the lanes' addresses (decision D17).
  std::uint8_t critical(const LineAccess& access) {
    rc::LaneAccess lanes;
    lanes.size_log2 = static_cast<std::uint8_t>(std::bit_width(std::min<unsigned>(access.lane_bytes, 8)) - 1);
    lanes.active = static_cast<std::uint32_t>((std::uint64_t{1} << access.ops) - 1);
    lanes.offsets = access.offset;
    std::uint32_t map = analyzed(lanes);
    if (access.lane_bytes > 8) {  // 16 bytes per lane: two requests of 8
      for (unsigned lane = 0; lane < access.ops; ++lane) {
        if (lanes.offsets[lane] + 8u >= kLineBytes) lanes.active &= ~(1u << lane);
        lanes.offsets[lane] = static_cast<std::uint8_t>(lanes.offsets[lane] + 8);
      }
      if (lanes.active) map |= analyzed(lanes);
    }
    if (map != access.mask)
      throw std::logic_error(fmt::format("request analyzer: sub-blocks {:#06b}, the coalescer has {:#06b}", map,
                                         static_cast<unsigned>(access.mask)));
    return static_cast<std::uint8_t>(map);
  }
  std::uint32_t analyzed(const rc::LaneAccess& lanes) { return ask(*analyzer_, lanes, "request analyzer", 1).map; }

  rc::TrackerRsp track(const LineAccess& access) {
    rc::TrackerReq request;
    request.mask = critical(access);
    const std::uint32_t way = host_.way_of(access.line), mshr = host_.mshr_of(access.line);
    request.line_hit = way != L1PortOwner::kNone;
    if (request.line_hit) request.line = way;
    request.mshr_hit = mshr != L1PortOwner::kNone;
    request.alloc = !request.mshr_hit && host_.next_mshr() != L1PortOwner::kNone;
    if (request.mshr_hit || request.alloc) request.mshr = request.mshr_hit ? mshr : host_.next_mshr();
    tracker_->set_prediction(control_, control_ ? windows_->verdicts() : rc::Verdicts{});
    const rc::TrackerRsp rsp = ask(*tracker_, tracker_->req(), tracker_->rsp(), request, "critical data tracker", 2);
    switch (rsp.kind) {
      case rc::Class::hit: line_need_[way] |= request.mask; break;
      case rc::Class::first:
      case rc::Class::invalid: mshr_need_[request.mshr] = request.mask; break;
      case rc::Class::again:
      case rc::Class::merged: mshr_need_[request.mshr] |= request.mask; break;
      case rc::Class::wait: break;
    }
    return rsp;
  }
  rc::TrackerDone fill(const rc::TrackerFill& fill) {
    return ask(*tracker_, tracker_->fill(), tracker_->done(), fill, "critical data tracker", 2);
  }

  /// A line was fetched or leaves: `asked` of the memory for it, `need`: what loads wanted of it.
  void seen(const rc::LineEvent& asked, std::uint8_t need, bool eviction) {
    const rc::LineEvent event{window_need_ ? need : asked.map, asked.inconsistent};
    auto& group = event.inconsistent ? counters_.inconsistent : counters_.consistent;
    ++group[count_sectors(event.map) - 1];
    if (!control_) return;
    (eviction ? windows_->evict() : windows_->reply()).push(event);
    windows_->tick();
  }

  bool control_, append_, window_need_;
  L1PortOwner& host_;
  CriticalCounters counters_;
  std::unique_ptr<rc::RequestAnalyzer> analyzer_;
  std::unique_ptr<rc::CriticalDataTracker> tracker_;
  std::unique_ptr<rc::WindowsManager> windows_;
  std::vector<std::uint8_t> line_need_, mshr_need_;  ///< by tag and by MSHR
};

}  // namespace

std::unique_ptr<L1Port> make_critical_port(const DataFilterVariant& variant, const DataFilterParams& params,
                                           const BackendPlan& backends, unsigned sm, L1PortOwner& host,
                                           Stats& stats) {
  return std::make_unique<CriticalPort>(variant, params, backends, sm, host, stats);
}

}  // namespace warpsieve::schemes
