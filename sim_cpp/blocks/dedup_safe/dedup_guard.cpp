#include "blocks/dedup_safe/dedup_guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "cosim/verilated.h"
#include "rtl_points/dedup_safe/dedup_guard.h"

namespace warpsieve::dedup_safe {

namespace {

class GuardModel final : public DedupGuard {
 public:
  explicit GuardModel(const GuardParams& params) : asked_(params.ids), fetches_(params.caches) {}
  void reset() override {
    std::fill(asked_.begin(), asked_.end(), false);
    std::fill(fetches_.begin(), fetches_.end(), 0u);
    in_ = {};
    out_ = {};
  }
  void in(const GuardIn& in) override { in_ = in; }
  GuardOut out() const override { return out_; }
  void tick() override {
    const bool fetching = std::any_of(fetches_.begin(), fetches_.end(), [](unsigned n) { return n != 0; });
    const bool asking = std::find(asked_.begin(), asked_.end(), true) != asked_.end();
    const bool rest = !in_.busy && !asking && !fetching;
    const bool stays = in_.drain || in_.warm;
    GuardOut next;
    const bool reopens = out_.drained && !stays;
    next.open = reopens || (out_.open && !stays);
    next.drained = !out_.open && !reopens && in_.image_done && rest;
    next.drop = in_.warm || (out_.drop && !reopens);
    if (out_.drop) {
      next.answer = out_.answer && !in_.back ? out_.answer : lowest_other();
    }
    if (in_.sent) asked_[*in_.sent] = true;
    if (in_.back) asked_[*in_.back] = false;
    for (std::size_t c = 0; c < fetches_.size(); ++c) {
      fetches_[c] += in_.fetch >> c & 1;
      fetches_[c] -= in_.fill >> c & 1;
    }
    out_ = next;
    in_ = {};
  }
  bool idle() const override { return false; }

 private:
  std::optional<unsigned> lowest_other() const {
    for (unsigned id = 0; id < asked_.size(); ++id)
      if (asked_[id] && out_.answer != id) return id;
    return std::nullopt;
  }
  std::vector<bool> asked_;
  std::vector<unsigned> fetches_;
  GuardIn in_;
  GuardOut out_;
};

template <class V>
class GuardRtl final : public DedupGuard {
 public:
  explicit GuardRtl(const std::string& name) : rtl_(name) { reset(); }
  void reset() override {
    in({});
    rtl_.reset();
  }
  void in(const GuardIn& in) override {
    auto& top = rtl_.top();
    top.drain_i = in.drain;
    top.warm_i = in.warm;
    top.image_done_i = in.image_done;
    top.busy_i = in.busy;
    top.sent_i = in.sent.has_value();
    top.sent_id_i = static_cast<std::uint8_t>(in.sent.value_or(0));
    top.back_i = in.back.has_value();
    top.back_id_i = static_cast<std::uint8_t>(in.back.value_or(0));
    top.fetch_i = static_cast<std::uint8_t>(in.fetch);
    top.fill_i = static_cast<std::uint8_t>(in.fill);
  }
  GuardOut out() const override {
    const auto& top = rtl_.top();
    GuardOut out{top.open_o != 0, top.drop_o != 0, top.drained_o != 0, std::nullopt};
    if (top.answer_valid_o) out.answer = top.answer_id_o;
    return out;
  }
  void tick() override {
    rtl_.tick();
    in({});
  }
  bool idle() const override { return false; }

 private:
  RtlClock<V> rtl_;
};

}  // namespace

std::string describe(const GuardOut& out) {
  return fmt::format("open {} drop {} drained {} answer {}", out.open, out.drop, out.drained,
                     out.answer ? std::to_string(*out.answer) : "none");
}

std::unique_ptr<DedupGuard> make_dedup_guard(const GuardParams& params, Backend backend, const std::string& name) {
  if (backend == Backend::model) return std::make_unique<GuardModel>(params);
  if (backend != Backend::rtl) throw std::invalid_argument("dedup_guard: only model and rtl");
  return make_at_point<rtl_points::dedup_guard, DedupGuard>(
      {{"Ids", params.ids}, {"IdBits", params.id_bits}, {"Caches", params.caches}, {"Fetches", params.fetches}},
      [&]<class V>() { return std::make_unique<GuardRtl<V>>(name); });
}

}  // namespace warpsieve::dedup_safe
