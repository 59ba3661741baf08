#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

#include "blocks/siphash/siphash_backends.h"

namespace warpsieve::siphash {

namespace {

class LineHashersModel final : public LineHasher {
 public:
  explicit LineHashersModel(const LineHashersParams& params) {
    for (unsigned k = 0; k < params.units; ++k) units_.push_back(make_line_hasher_model(params.hasher));
  }
  void reset() override {
    for (auto& unit : units_) unit->reset();
    in_ = out_ = 0;
    taken_ = popped_ = false;
  }
  bool ready() const override { return units_[in_]->ready(); }
  bool push(const LineHashReq& req) override { return taken_ = units_[in_]->push(req); }
  const LineHashRsp* front() const override { return units_[out_]->front(); }
  void pop() override {
    popped_ = front() != nullptr;
    units_[out_]->pop();
  }
  void tick() override {
    for (auto& unit : units_) unit->tick();
    in_ = (in_ + taken_) % units_.size();
    out_ = (out_ + popped_) % units_.size();
    taken_ = popped_ = false;
  }
  bool idle() const override {
    return std::ranges::all_of(units_, [](const auto& unit) { return unit->idle(); });
  }

 private:
  std::vector<std::unique_ptr<LineHasher>> units_;
  std::size_t in_ = 0, out_ = 0;  // whose turn it is
  bool taken_ = false, popped_ = false;
};

}  // namespace

std::unique_ptr<LineHasher> make_line_hashers_model(const LineHashersParams& params) {
  if (params.units == 0) throw std::invalid_argument("siphash_line_hashers: units must be at least 1");
  return std::make_unique<LineHashersModel>(params);
}

}  // namespace warpsieve::siphash
