#include "blocks/request_control/critical_data_tracker.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "blocks/request_control/request_control_backends.h"
#include "cosim/rtl_block.h"
#include "cosim/shadow.h"
#include "rtl_points/request_control/critical_data_tracker.h"

namespace warpsieve::request_control {

std::string_view to_string(Class c) {
  static constexpr std::array<std::string_view, 6> names{"HIT", "FM", "SM", "MERGED", "HI", "WAIT"};
  return names.at(static_cast<std::size_t>(c));
}
std::string describe(const TrackerReq& r) {
  return fmt::format("mask {:#06b} line_hit {} line {} mshr_hit {} alloc {} mshr {}", r.mask, r.line_hit, r.line,
                     r.mshr_hit, r.alloc, r.mshr);
}
std::string describe(const TrackerRsp& r) {
  return fmt::format("{} send {:#06b} {}", to_string(r.kind), r.send, to_string(r.reason));
}
std::string describe(const TrackerFill& f) {
  return fmt::format("{} line {} mshr {} asked {:#06b} mask {:#06b}", f.evict ? "evict" : "reply", f.line, f.mshr,
                     f.asked, f.mask);
}
std::string describe(const TrackerDone& d) {
  return fmt::format("complete {} map {:#06b} asked {} evicted {} {}", d.complete, d.map, describe(d.fetched),
                     d.evicted, describe(d.old));
}

namespace {

void set_levels(auto& top, bool predict, const Verdicts& verdicts) {
  top.predict_i = predict;
  top.fdr_over_i = verdicts.fdr_over;
  top.ica_over_i = verdicts.ica_over[0] | verdicts.ica_over[1] << 1;
}

struct TrackerFields {
  void setup(auto& top) const { set_levels(top, false, {}); }
  void put(auto& top, const TrackerReq& r) const {
    top.req_mask_i = r.mask;
    top.req_line_hit_i = r.line_hit;
    top.req_line_i = r.line;
    top.req_mshr_hit_i = r.mshr_hit;
    top.req_alloc_i = r.alloc;
    top.req_mshr_i = r.mshr;
  }
  void put(auto& top, const TrackerFill& f) const {
    top.fill_evict_i = f.evict;
    top.fill_line_i = f.line;
    top.fill_mshr_i = f.mshr;
    top.fill_asked_i = f.asked;
    top.fill_mask_i = f.mask;
  }
  void get(const auto& top, TrackerRsp& r) const {
    r = {static_cast<Class>(top.rsp_class_o), top.rsp_send_o, static_cast<Reason>(top.rsp_reason_o)};
  }
  void get(const auto& top, TrackerDone& d) const {
    d = {top.done_complete_o != 0,
         top.done_map_o,
         {top.done_asked_o, top.done_inconsistent_o != 0},
         top.done_evicted_o != 0,
         {top.done_evicted_asked_o, top.done_evicted_inconsistent_o != 0}};
  }
};

template <class V>
class CriticalDataTrackerRtl final
    : public RtlBlock<V, rtl_points::critical_data_tracker, CriticalDataTracker, TrackerFields> {
 public:
  using RtlBlock<V, rtl_points::critical_data_tracker, CriticalDataTracker, TrackerFields>::RtlBlock;
  void set_prediction(bool predict, const Verdicts& verdicts) override { set_levels(this->top(), predict, verdicts); }
  bool idle() const override { return !this->pushed_last() && !this->rsp().front() && !this->done().front(); }
};

class CriticalDataTrackerShadow final : public PortShadow<CriticalDataTracker> {
 public:
  using PortShadow::PortShadow;
  void set_prediction(bool predict, const Verdicts& verdicts) override {
    model_->set_prediction(predict, verdicts);
    rtl_->set_prediction(predict, verdicts);
  }
};

}  // namespace

std::unique_ptr<CriticalDataTracker> make_critical_data_tracker_rtl(const TrackerParams& p, const std::string& name) {
  return make_at_point<rtl_points::critical_data_tracker, CriticalDataTracker>(
      {{"Lines", p.lines}, {"Mshrs", p.mshrs}, {"Append", p.append}},
      [&]<class V>() { return std::make_unique<CriticalDataTrackerRtl<V>>(name); });
}

std::unique_ptr<CriticalDataTracker> make_critical_data_tracker(const TrackerParams& params, Backend backend,
                                                                std::string name) {
  if (params.lines == 0 || params.mshrs == 0) {
    throw std::invalid_argument(
        fmt::format("critical_data_tracker: parameters out of range: lines {} mshrs {}", params.lines, params.mshrs));
  }
  return make_backend<CriticalDataTrackerShadow>(
      backend, name, [&] { return make_critical_data_tracker_model(params); },
      [&] { return make_critical_data_tracker_rtl(params, name); });
}

}  // namespace warpsieve::request_control
