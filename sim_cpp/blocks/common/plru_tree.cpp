#include "blocks/common/plru_tree.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "rtl_points/common/plru_tree.h"

namespace warpsieve::common {

namespace {

class PlruTreeModel final : public PlruTree {
 public:
  explicit PlruTreeModel(unsigned ways) : sets_(1, ways) {}
  void reset() override {
    sets_.reset();
    touched_.reset();
  }
  void touch(unsigned way) override { touched_ = way; }
  unsigned victim() const override { return sets_.victim(0); }
  void tick() override {
    if (touched_) sets_.touch(0, *touched_);
    touched_.reset();
  }
  bool idle() const override { return true; }

 private:
  PlruSets sets_;
  std::optional<unsigned> touched_;
};

template <class V>
class PlruTreeRtl final : public PlruTree {
 public:
  explicit PlruTreeRtl(const std::string& name) : rtl_(name) { reset(); }
  void reset() override {
    rtl_.top().touch_valid_i = 0;
    rtl_.reset();
  }
  void touch(unsigned way) override {
    rtl_.top().touch_valid_i = 1;
    rtl_.top().touch_way_i = way;
  }
  unsigned victim() const override { return rtl_.top().victim_o; }
  void tick() override {
    rtl_.tick();
    rtl_.top().touch_valid_i = 0;
    rtl_.top().touch_way_i = rtl_.top().victim_o;  // which would change, were it touched
  }
  bool idle() const override { return true; }

 private:
  RtlClock<V> rtl_;
};

class PlruTreeShadow final : public BlockShadow<PlruTree> {
 public:
  PlruTreeShadow(std::string name, std::unique_ptr<PlruTree> model, std::unique_ptr<PlruTree> rtl)
      : BlockShadow(std::move(name), std::move(model), std::move(rtl)) {}
  void touch(unsigned way) override {
    model_->touch(way);
    rtl_->touch(way);
  }
  unsigned victim() const override {
    compare();
    return model_->victim();
  }

 private:
  void compare() const override {
    if (model_->victim() != rtl_->victim()) {
      context_.fail("victim", fmt::format("model {} rtl {}", model_->victim(), rtl_->victim()));
    }
  }
};

std::unique_ptr<PlruTree> make_plru_tree_rtl(unsigned ways, const std::string& name) {
  return make_at_point<rtl_points::plru_tree, PlruTree>(
      {{"Ways", ways}}, [&]<class V>() { return std::make_unique<PlruTreeRtl<V>>(name); });
}

}  // namespace

std::unique_ptr<PlruTree> make_plru_tree(unsigned ways, Backend backend, std::string name) {
  switch (backend) {
    case Backend::model: return std::make_unique<PlruTreeModel>(ways);
    case Backend::rtl: return make_plru_tree_rtl(ways, name);
    case Backend::shadow: break;
  }
  std::unique_ptr<PlruTree> rtl = make_plru_tree_rtl(ways, name);
  return std::make_unique<PlruTreeShadow>(std::move(name), std::make_unique<PlruTreeModel>(ways), std::move(rtl));
}

}  // namespace warpsieve::common
