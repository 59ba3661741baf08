#include "blocks/request_control/windows_manager.h"

#include <fmt/format.h>

#include <deque>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "blocks/request_control/request_control_backends.h"
#include "blocks/request_control/sub_blocks.h"
#include "cosim/model_ports.h"
#include "cosim/rtl_ports.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "rtl_points/request_control/windows_manager.h"

namespace warpsieve::request_control {

std::string describe(const LineEvent& event) {
  return fmt::format("map {:#06b} inconsistent {}", event.map, event.inconsistent);
}
std::string describe(const Verdicts& v) {
  return fmt::format("ica over {:d}{:d}{:d} fdr over {:d}", v.ica_over[0], v.ica_over[1], v.ica_over[2], v.fdr_over);
}

namespace {

/// The last `length` bits pushed.
class Window {
 public:
  Window(unsigned length, unsigned percent) : percent_(percent), bits_(length) {}
  void push(bool bit) {
    bits_.push_back(bit);
    bits_.pop_front();
  }
  bool over() const {
    const auto ones = static_cast<std::size_t>(std::accumulate(bits_.begin(), bits_.end(), 0));
    return 100 * ones > percent_ * bits_.size();
  }

 private:
  std::size_t percent_;
  std::deque<bool> bits_;
};

class WindowsManagerModel final : public WindowsManager {
 public:
  explicit WindowsManagerModel(const WindowsParams& params) : params_(params) { reset(); }
  InPort<LineEvent>& reply() override { return reply_; }
  InPort<LineEvent>& evict() override { return evict_; }
  Verdicts verdicts() const override { return verdicts_; }
  void reset() override {
    ica_.assign(3, Window(params_.window, params_.ica_percent));
    fdr_ = Window(params_.window, params_.fdr_percent);
    reply_.open = evict_.open = true;
    reply_.clear();
    evict_.clear();
    judge();
  }
  void tick() override {
    for (ModelIn<LineEvent>* in : {&reply_, &evict_}) {
      if (in->taken()) enter(*in->taken());
      in->clear();
    }
    judge();
  }
  bool idle() const override { return true; }

 private:
  void enter(const LineEvent& event) {
    const unsigned size = count(event.map);
    if (size >= 2) {
      ica_[size - 2].push(event.inconsistent);
    } else if (event.inconsistent) {
      ica_[0].push(true);
    }
    fdr_.push(event.map == full_map);
  }
  void judge() { verdicts_ = {{ica_[0].over(), ica_[1].over(), ica_[2].over()}, fdr_.over()}; }

  WindowsParams params_;
  std::vector<Window> ica_;
  Window fdr_{1, 0};
  ModelIn<LineEvent> reply_, evict_;
  Verdicts verdicts_;
};

template <class V>
class WindowsManagerRtl final : public WindowsManager {
 public:
  explicit WindowsManagerRtl(const std::string& name)
      : rtl_(name), reply_([] { return true; },
                           [this](const LineEvent& event) {
                             rtl_.top().reply_map_i = event.map;
                             rtl_.top().reply_inconsistent_i = event.inconsistent;
                           },
                           [this](bool valid) { rtl_.top().reply_valid_i = valid; }),
        evict_([] { return true; },
               [this](const LineEvent& event) {
                 rtl_.top().evict_map_i = event.map;
                 rtl_.top().evict_inconsistent_i = event.inconsistent;
               },
               [this](bool valid) { rtl_.top().evict_valid_i = valid; }) {
    reset();
  }
  InPort<LineEvent>& reply() override { return reply_; }
  InPort<LineEvent>& evict() override { return evict_; }
  Verdicts verdicts() const override {
    const unsigned ica = rtl_.top().ica_over_o;
    return {{(ica & 1) != 0, (ica & 2) != 0, (ica & 4) != 0}, rtl_.top().fdr_over_o != 0};
  }
  void reset() override {
    lower();
    rtl_.reset();
  }
  void tick() override {
    rtl_.tick();
    lower();
  }
  bool idle() const override { return true; }

 private:
  void lower() {
    reply_.lower();
    evict_.lower();
  }
  RtlClock<V> rtl_;
  RtlIn<LineEvent> reply_, evict_;
};

class WindowsManagerShadow final : public BlockShadow<WindowsManager> {
 public:
  WindowsManagerShadow(const WindowsParams& params, const std::string& name)
      : BlockShadow(name, make_windows_manager_model(params), make_windows_manager_rtl(params, name)),
        reply_(context_, "reply", model_->reply(), rtl_->reply()),
        evict_(context_, "evict", model_->evict(), rtl_->evict()) {}
  InPort<LineEvent>& reply() override { return reply_; }
  InPort<LineEvent>& evict() override { return evict_; }
  Verdicts verdicts() const override {
    compare();
    return model_->verdicts();
  }
  bool idle() const override { return true; }

 private:
  void compare() const override {
    if (!(model_->verdicts() == rtl_->verdicts())) {
      context_.fail("verdicts",
                    fmt::format("model {} rtl {}", describe(model_->verdicts()), describe(rtl_->verdicts())));
    }
  }
  ShadowIn<LineEvent> reply_, evict_;
};

void check(const WindowsParams& p) {
  if (p.window == 0 || p.ica_percent > 100 || p.fdr_percent > 100) {
    throw std::invalid_argument(
        fmt::format("windows_manager: parameters out of range: window {} ica_percent {} "
                    "fdr_percent {}",
                    p.window, p.ica_percent, p.fdr_percent));
  }
}

}  // namespace

std::unique_ptr<WindowsManager> make_windows_manager_model(const WindowsParams& params) {
  return std::make_unique<WindowsManagerModel>(params);
}

std::unique_ptr<WindowsManager> make_windows_manager_rtl(const WindowsParams& p, const std::string& name) {
  return make_at_point<rtl_points::windows_manager, WindowsManager>(
      {{"Window", p.window}, {"IcaPercent", p.ica_percent}, {"FdrPercent", p.fdr_percent}},
      [&]<class V>() { return std::make_unique<WindowsManagerRtl<V>>(name); });
}

std::unique_ptr<WindowsManager> make_windows_manager(const WindowsParams& params, Backend backend, std::string name) {
  check(params);
  switch (backend) {
    case Backend::model: return make_windows_manager_model(params);
    case Backend::rtl: return make_windows_manager_rtl(params, name);
    case Backend::shadow: break;
  }
  return std::make_unique<WindowsManagerShadow>(params, name);
}

}  // namespace warpsieve::request_control
