#include <deque>
#include <optional>

#include "blocks/common/fifo_backends.h"

namespace warpsieve::common {

namespace {

class FifoModel final : public Fifo {
 public:
  explicit FifoModel(const FifoParams& params) : depth_(params.depth) {}
  void reset() override {
    items_.clear();
    incoming_.reset();
    popped_ = false;
  }
  bool ready() const override { return items_.size() < depth_; }
  bool push(const FifoItem& item) override {
    if (!ready()) return false;
    incoming_ = item;
    return true;
  }
  const FifoItem* front() const override { return items_.empty() ? nullptr : &items_.front(); }
  void pop() override { popped_ = !items_.empty(); }
  void tick() override {
    if (popped_) items_.pop_front();
    if (incoming_) items_.push_back(*incoming_);
    popped_ = false;
    incoming_.reset();
  }
  bool idle() const override { return items_.empty(); }

 private:
  std::size_t depth_;
  std::deque<FifoItem> items_;
  std::optional<FifoItem> incoming_;
  bool popped_ = false;
};

}  // namespace

std::unique_ptr<Fifo> make_fifo_model(const FifoParams& params) { return std::make_unique<FifoModel>(params); }

}  // namespace warpsieve::common
