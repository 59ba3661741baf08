#include "blocks/dedup_safe/event_counters.h"

#include <stdexcept>
#include <vector>

#include "cosim/verilated.h"
#include "rtl_points/dedup_safe/event_counters.h"

namespace warpsieve::dedup_safe {

namespace {

class CountersModel final : public EventCounters {
 public:
  explicit CountersModel(const CountersParams& params)
      : counts_(params.counters), full_((std::uint64_t{1} << params.count_bits) - 1) {}
  void reset() override {
    counts_.assign(counts_.size(), 0);
    in(0, 0, {});
    out_.reset();
  }
  void in(std::uint64_t events, unsigned status, const Apb& bus) override {
    events_ = events;
    status_ = status;
    bus_ = bus;
  }
  std::optional<ApbAnswer> out() const override { return out_; }
  void tick() override {
    const unsigned word = bus_.address / 4;
    const bool legal = bus_.address % 4 == 0 && word <= counts_.size() && !(bus_.write && word != 0);
    const bool clear = bus_.select && bus_.enable && bus_.write && legal && (bus_.data & 1);
    if (bus_.select && !bus_.enable) {
      out_ = ApbAnswer{0, !legal};
      if (legal && !bus_.write) out_->data = word == 0 ? status_ : static_cast<std::uint32_t>(counts_[word - 1]);
    }
    for (std::size_t c = 0; c < counts_.size(); ++c) {
      const bool event = events_ >> c & 1;
      if (clear) counts_[c] = 0;
      if (event && counts_[c] != full_) ++counts_[c];
    }
    in(0, 0, {});
  }
  bool idle() const override { return false; }

 private:
  std::vector<std::uint64_t> counts_;
  std::uint64_t full_, events_ = 0;
  unsigned status_ = 0;
  Apb bus_;
  std::optional<ApbAnswer> out_;
};

template <class V>
class CountersRtl final : public EventCounters {
 public:
  explicit CountersRtl(const std::string& name) : rtl_(name) { reset(); }
  void reset() override {
    in(0, 0, {});
    rtl_.reset();
    access_ = setup_ = false;
  }
  void in(std::uint64_t events, unsigned status, const Apb& bus) override {
    auto& top = rtl_.top();
    top.events_i = static_cast<decltype(top.events_i + 0)>(events);
    top.status_i = static_cast<decltype(top.status_i + 0)>(status);
    top.psel_i = bus.select;
    top.penable_i = bus.enable;
    top.pwrite_i = bus.write;
    top.paddr_i = bus.address;
    top.pwdata_i = bus.data;
    setup_ = bus.select && !bus.enable;
  }
  std::optional<ApbAnswer> out() const override {
    if (!access_) return std::nullopt;
    return ApbAnswer{rtl_.top().prdata_o, rtl_.top().pslverr_o != 0};
  }
  void tick() override {
    access_ |= setup_;
    rtl_.tick();
    in(0, 0, {});
  }
  bool idle() const override { return false; }

 private:
  RtlClock<V> rtl_;
  bool setup_ = false, access_ = false;
};

}  // namespace

std::unique_ptr<EventCounters> make_event_counters(const CountersParams& params, Backend backend,
                                                   const std::string& name) {
  if (backend == Backend::model) return std::make_unique<CountersModel>(params);
  if (backend != Backend::rtl) throw std::invalid_argument("event_counters: only model and rtl");
  return make_at_point<rtl_points::event_counters, EventCounters>(
      {{"Counters", params.counters}, {"EventBits", params.count_bits}, {"StatusBits", params.status_bits}},
      [&]<class V>() { return std::make_unique<CountersRtl<V>>(name); });
}

}  // namespace warpsieve::dedup_safe
