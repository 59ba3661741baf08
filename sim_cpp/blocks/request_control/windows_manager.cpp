#include "blocks/request_control/windows_manager.h"

#include <fmt/format.h>

#include <deque>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "blocks/request_control/request_control_backends.h"
#include "blocks/request_control/sub_blocks.h"
#include "cosim/model_ports.h"
#include "cosim/rtl_block.h"
#include "cosim/shadow.h"
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
  explicit WindowsManagerModel(const WindowsParams& params) : params_(params) {
    connect_ports(*this, reply_, evict_);
    reset();
  }
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

struct WindowsFields {
  template <PortName port>
  void put(auto& top, const LineEvent& event, PortTag<port>) const {
    signal<rtl_points::windows_manager, port + "_map_i">(top) = event.map;
    signal<rtl_points::windows_manager, port + "_inconsistent_i">(top) = event.inconsistent;
  }
};

template <class V>
class WindowsManagerRtl final : public RtlBlock<V, rtl_points::windows_manager, WindowsManager, WindowsFields> {
 public:
  using RtlBlock<V, rtl_points::windows_manager, WindowsManager, WindowsFields>::RtlBlock;
  Verdicts verdicts() const override {
    const unsigned ica = this->top().ica_over_o;
    return {{(ica & 1) != 0, (ica & 2) != 0, (ica & 4) != 0}, this->top().fdr_over_o != 0};
  }
  bool idle() const override { return true; }
};

class WindowsManagerShadow final : public PortShadow<WindowsManager> {
 public:
  using PortShadow::PortShadow;
  Verdicts verdicts() const override { return same_level("verdicts", model_->verdicts(), rtl_->verdicts()); }
  bool idle() const override { return true; }

 private:
  void compare() const override {
    PortShadow::compare();
    verdicts();
  }
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
  return make_backend<WindowsManagerShadow>(
      backend, name, [&] { return make_windows_manager_model(params); },
      [&] { return make_windows_manager_rtl(params, name); });
}

}  // namespace warpsieve::request_control
