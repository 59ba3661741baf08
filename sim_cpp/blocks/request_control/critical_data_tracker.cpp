#include "blocks/request_control/critical_data_tracker.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "blocks/request_control/request_control_backends.h"
#include "cosim/rtl_ports.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
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

template <class V>
class CriticalDataTrackerRtl final : public CriticalDataTracker {
 public:
  explicit CriticalDataTrackerRtl(const std::string& name)
      : rtl_(name), req_([this] { return top().req_ready_o != 0; }, [this](const TrackerReq& r) { put(r); },
                         [this](bool valid) { top().req_valid_i = valid; }),
        fill_([this] { return top().fill_ready_o != 0; }, [this](const TrackerFill& f) { put(f); },
              [this](bool valid) { top().fill_valid_i = valid; }),
        rsp_([this] { return top().rsp_valid_o != 0; },
             [this] {
               return TrackerRsp{static_cast<Class>(top().rsp_class_o), top().rsp_send_o,
                                 static_cast<Reason>(top().rsp_reason_o)};
             },
             [this](bool ready) { top().rsp_ready_i = ready; }),
        done_([this] { return top().done_valid_o != 0; },
              [this] {
                return TrackerDone{top().done_complete_o != 0,
                                   top().done_map_o,
                                   {top().done_asked_o, top().done_inconsistent_o != 0},
                                   top().done_evicted_o != 0,
                                   {top().done_evicted_asked_o, top().done_evicted_inconsistent_o != 0}};
              },
              [this](bool ready) { top().done_ready_i = ready; }) {
    set_prediction(false, {});
    reset();
  }
  void set_prediction(bool predict, const Verdicts& verdicts) override {
    top().predict_i = predict;
    top().fdr_over_i = verdicts.fdr_over;
    top().ica_over_i = verdicts.ica_over[0] | verdicts.ica_over[1] << 1;
  }
  InPort<TrackerReq>& req() override { return req_; }
  OutPort<TrackerRsp>& rsp() override { return rsp_; }
  InPort<TrackerFill>& fill() override { return fill_; }
  OutPort<TrackerDone>& done() override { return done_; }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  void tick() override {
    rtl_.tick();
    lower();
    stage_one_ = offered_;
    offered_ = false;
    fetch();
  }
  bool idle() const override { return !stage_one_ && !rsp_.front() && !done_.front(); }

 private:
  V& top() { return rtl_.top(); }
  void put(const TrackerReq& r) {
    top().req_mask_i = r.mask;
    top().req_line_hit_i = r.line_hit;
    top().req_line_i = r.line;
    top().req_mshr_hit_i = r.mshr_hit;
    top().req_alloc_i = r.alloc;
    top().req_mshr_i = r.mshr;
    offered_ = true;
  }
  void put(const TrackerFill& f) {
    top().fill_evict_i = f.evict;
    top().fill_line_i = f.line;
    top().fill_mshr_i = f.mshr;
    top().fill_asked_i = f.asked;
    top().fill_mask_i = f.mask;
    offered_ = true;
  }
  void lower() {
    req_.lower();
    fill_.lower();
    rsp_.lower();
    done_.lower();
  }
  void fetch() {
    rsp_.fetch();
    done_.fetch();
  }
  RtlClock<V> rtl_;
  RtlIn<TrackerReq> req_;
  RtlIn<TrackerFill> fill_;
  RtlOut<TrackerRsp> rsp_;
  RtlOut<TrackerDone> done_;
  bool offered_ = false;    // in this cycle
  bool stage_one_ = false;  // offered in the last cycle: may be inside without showing yet
};

class CriticalDataTrackerShadow final : public BlockShadow<CriticalDataTracker> {
 public:
  CriticalDataTrackerShadow(const TrackerParams& params, const std::string& name)
      : BlockShadow(name, make_critical_data_tracker_model(params), make_critical_data_tracker_rtl(params, name)),
        req_(context_, "req", model_->req(), rtl_->req()), fill_(context_, "fill", model_->fill(), rtl_->fill()),
        rsp_(context_, "rsp", model_->rsp(), rtl_->rsp()), done_(context_, "done", model_->done(), rtl_->done()) {}
  void set_prediction(bool predict, const Verdicts& verdicts) override {
    model_->set_prediction(predict, verdicts);
    rtl_->set_prediction(predict, verdicts);
  }
  InPort<TrackerReq>& req() override { return req_; }
  OutPort<TrackerRsp>& rsp() override { return rsp_; }
  InPort<TrackerFill>& fill() override { return fill_; }
  OutPort<TrackerDone>& done() override { return done_; }

 private:
  void compare() const override {
    req_.compare();
    fill_.compare();
    rsp_.compare();
    done_.compare();
  }
  ShadowIn<TrackerReq> req_;
  ShadowIn<TrackerFill> fill_;
  ShadowOut<TrackerRsp> rsp_;
  ShadowOut<TrackerDone> done_;
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
  switch (backend) {
    case Backend::model: return make_critical_data_tracker_model(params);
    case Backend::rtl: return make_critical_data_tracker_rtl(params, name);
    case Backend::shadow: break;
  }
  return std::make_unique<CriticalDataTrackerShadow>(params, name);
}

}  // namespace warpsieve::request_control
