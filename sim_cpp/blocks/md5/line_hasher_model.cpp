#include "blocks/md5/md5_backends.h"

namespace warpsieve::md5 {

namespace {

/// The digest is computed once, when the line is taken; then only time passes.
class LineHasherModel final : public LineHasher {
 public:
  explicit LineHasherModel(const LineHasherParams& params) : params_(params) {
    line_hash_latency(params_, 0);  // refuses a wrong steps_per_cycle
  }
  void reset() override {
    busy_ = taken_ = popped_ = false;
    left_ = 0;
  }
  bool ready() const override { return !busy_; }
  bool push(const LineHashReq& req) override {
    if (busy_) return false;
    taken_ = true;
    incoming_ = req;
    return true;
  }
  const LineHashRsp* front() const override { return busy_ && left_ == 0 ? &rsp_ : nullptr; }
  void pop() override { popped_ = front() != nullptr; }
  void tick() override {
    if (left_ > 0) --left_;
    if (popped_) busy_ = false;
    if (taken_) {
      busy_ = true;
      left_ = line_hash_latency(params_, incoming_.mask) - 1;
      rsp_.digest = line_digest(incoming_.mask, incoming_.data);
    }
    taken_ = popped_ = false;
  }
  bool idle() const override { return !busy_; }

 private:
  LineHasherParams params_;
  LineHashReq incoming_;
  LineHashRsp rsp_;
  unsigned left_ = 0;  // ticks until the digest is on offer
  bool busy_ = false, taken_ = false, popped_ = false;
};

}  // namespace

std::unique_ptr<LineHasher> make_line_hasher_model(const LineHasherParams& params) {
  return std::make_unique<LineHasherModel>(params);
}

}  // namespace warpsieve::md5
