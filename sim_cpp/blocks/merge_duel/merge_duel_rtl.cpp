#include "blocks/merge_duel/merge_duel_backends.h"
#include "cosim/noise.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "rtl_points/merge_duel/merge_duel.h"

namespace warpsieve::merge_duel {

namespace {

template <class V>
class DuelRtl final : public MergeDuel {
 public:
  DuelRtl(const DuelParams& params, const std::string& name) : params_(params), rtl_(name) { reset(); }
  void reset() override {
    in({});
    rtl_.reset();
  }
  /// What does not happen has noise beside its valid.
  void in(const DuelEvents& events) override {
    V& top = rtl_.top();
    top.ask_valid_i = events.ask.has_value();
    set(top.ask_line_i, events.ask ? *events.ask : noise_(params_.line_bits));
    top.open_valid_i = events.open.has_value();
    set(top.open_tag_i, events.open ? events.open->tag : noise_(params_.tag_bits));
    set(top.open_line_i, events.open ? events.open->line : noise_(params_.line_bits));
    top.sent_valid_i = events.sent.has_value();
    set(top.sent_tag_i, events.sent ? events.sent->tag : noise_(params_.tag_bits));
    set(top.sent_mask_i, events.sent ? events.sent->mask : noise_(4));
    top.done_valid_i = events.done.has_value();
    set(top.done_line_i, events.done ? events.done->line : noise_(params_.line_bits));
    set(top.done_sectors_i, events.done ? events.done->sectors : noise_(4));
  }
  bool whole() const override { return rtl_.top().whole_o; }
  int level() const override {
    const int level = rtl_.top().level_o, sign = 1 << (params_.level_bits - 1);
    return level >= sign ? level - 2 * sign : level;
  }
  void tick() override {
    counted_ = rtl_.top().sent_valid_i || rtl_.top().done_valid_i;
    rtl_.tick();
    in({});
  }
  bool idle() const override { return !counted_; }

 private:
  template <class T>
  static void set(T& port, std::uint64_t value) {
    port = static_cast<T>(value);
  }

  DuelParams params_;
  RtlClock<V> rtl_;
  Noise noise_;
  bool counted_ = false;
};

class DuelShadow final : public BlockShadow<MergeDuel> {
 public:
  using BlockShadow::BlockShadow;
  void in(const DuelEvents& events) override {
    model_->in(events);
    rtl_->in(events);
  }
  bool whole() const override { return same_level("whole", model_->whole(), rtl_->whole()); }
  int level() const override { return same_level("level", model_->level(), rtl_->level()); }

 protected:
  void compare() const override {
    whole();
    level();
  }
};

}  // namespace

std::unique_ptr<MergeDuel> make_merge_duel_rtl(const DuelParams& params, const std::string& name) {
  return make_at_point<rtl_points::merge_duel, MergeDuel>(
      {{"LineBits", params.line_bits},
       {"TagBits", params.tag_bits},
       {"LeaderBits", params.leader_bits},
       {"LevelBits", params.level_bits}},
      [&]<class V>() { return std::make_unique<DuelRtl<V>>(params, name); });
}

std::unique_ptr<MergeDuel> make_merge_duel(const DuelParams& params, Backend backend, std::string name) {
  const auto model = [&] { return make_merge_duel_model(params); };
  return make_backend<DuelShadow>(backend, name, model, [&] { return make_merge_duel_rtl(params, name); });
}

}  // namespace warpsieve::merge_duel
