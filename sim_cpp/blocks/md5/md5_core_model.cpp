#include <vector>

#include "blocks/md5/md5_backends.h"

namespace warpsieve::md5 {

namespace {

/// Timing shell around OpenSSL. OpenSSL pads by itself, so the model undoes the padding of the blocks it
/// was given: the length field of the last block says where the message ends. Blocks must therefore
/// form a padded message (md5_blocks() makes them).
class Md5CoreModel final : public Md5Core {
 public:
  explicit Md5CoreModel(const Md5CoreParams& params)
      : period_(md5_block_cycles(params)), last_(md5_last_block_latency(params) - 1) {}
  void reset() override {
    left_ = 0;
    more_ = true;
    taken_ = popped_ = offered_ = false;
    message_.clear();
  }
  bool ready() const override { return !offered_ && left_ <= 1 && (left_ == 0 || more_); }
  bool push(const Md5Block& block) override {
    if (!ready()) return false;
    incoming_ = block;
    taken_ = true;
    return true;
  }
  const LineHashRsp* front() const override { return offered_ ? &rsp_ : nullptr; }
  void pop() override { popped_ = offered_; }
  void tick() override {
    if (popped_) {
      offered_ = false;
      message_.clear();
    }
    if (left_ > 0 && --left_ == 0 && !more_) finish();
    if (taken_) {
      message_.insert(message_.end(), incoming_.bytes.begin(), incoming_.bytes.end());
      more_ = incoming_.more;
      left_ = more_ ? period_ : last_;
    }
    taken_ = popped_ = false;
  }
  bool idle() const override { return left_ == 0 && !offered_; }

 private:
  void finish() {
    std::uint64_t bits = 0;
    for (unsigned i = 0; i < 8; ++i) bits |= std::uint64_t{message_[message_.size() - 8 + i]} << (8 * i);
    message_.resize(bits / 8);
    rsp_.digest = md5_digest(message_);
    offered_ = true;
    more_ = true;
  }
  unsigned period_, last_;  // cycles of a block with and without `more` until the next may come, or the digest
  unsigned left_ = 0;       // cycles this block still needs, the present one included
  bool more_ = true, taken_ = false, popped_ = false, offered_ = false;
  Md5Block incoming_;
  std::vector<std::uint8_t> message_;
  LineHashRsp rsp_;
};

}  // namespace

std::unique_ptr<Md5Core> make_md5_core_model(const Md5CoreParams& params) {
  return std::make_unique<Md5CoreModel>(params);
}

}  // namespace warpsieve::md5
