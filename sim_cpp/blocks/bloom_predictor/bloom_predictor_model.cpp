#include <bit>
#include <deque>
#include <optional>
#include <vector>

#include "blocks/bloom_predictor/bloom_backends.h"
#include "blocks/bloom_predictor/bloom_hash.h"
#include "cosim/model_ports.h"

namespace warpsieve::bloom_predictor {

namespace {

constexpr unsigned rsp_slots = 3;

class PredictorModel final : public BloomPredictor {
 public:
  explicit PredictorModel(const PredictorParams& params)
      : p_(params), key_mask_((std::uint64_t{1} << (params.line_bits + 2)) - 1),
        full_(static_cast<std::uint8_t>((1u << params.counter_bits) - 1)),
        hash_(params.counters, params.line_bits + 2, params.seed) {
    for (auto& array : arrays_) array.resize(params.counters);
    connect_ports(*this, req_, rsp_);
    reset();
  }
  void reset() override {
    active_ = 0;
    taken_ = 0;
    start_clear(true);
    stage_.reset();
    rsp_.queue.clear();
    rsp_.popped = false;
    credit_ = 0;
    flush_ = false;
    req_.clear();
    req_.open = false;
  }
  void enable(bool bypass, bool shared_memory) override {
    bypass_ = bypass;
    shared_memory_ = shared_memory;
  }
  void flush() override { flush_ = true; }
  bool idle() const override { return !stage_ && rsp_.queue.empty() && !clearing_; }
  void tick() override {
    if (rsp_.popped) {
      rsp_.queue.pop_front();
      --credit_;
      rsp_.popped = false;
    }
    const bool was_clearing = clearing_;
    if (clearing_ && !flush_ && word_++ == p_.words()) end_clear();
    if (stage_) answer(was_clearing);
    if (flush_) start_clear(true);
    flush_ = false;
    stage_ = req_.taken();
    if (stage_) ++credit_;
    req_.clear();
    req_.open = !both_ && credit_ != rsp_slots;
  }

 private:
  struct Out final : OutPort<PredictRsp> {
    std::deque<PredictRsp> queue;
    bool popped = false;
    const PredictRsp* front() const override { return queue.empty() ? nullptr : &queue.front(); }
    void pop() override { popped = !queue.empty(); }
  };

  /// Tests and records the request of the cycle before.
  void answer(bool clearing) {
    Choice choice = Choice::l1;
    if (std::has_single_bit(static_cast<unsigned>(stage_->sectors & 15))) {
      const std::uint64_t sector = static_cast<unsigned>(std::countr_zero(stage_->sectors));
      const auto places = hash_((stage_->line << 2 | sector) & key_mask_);
      bool seen = true;
      for (const auto place : places) seen = seen && arrays_[active_][place] >= p_.threshold;
      if (seen && shared_memory_) choice = Choice::shared_memory;
      if (!seen && bypass_) choice = Choice::bypass;
      for (const auto place : places) {
        count(arrays_[active_][place]);
        if (!clearing) count(arrays_[active_ ^ 1][place]);
      }
      if (!clearing && ++taken_ == p_.period) {
        active_ ^= 1;
        start_clear(false);
      }
    }
    rsp_.queue.push_back({choice});
  }
  void count(std::uint8_t& counter) const { counter += counter != full_; }

  // An array that is being cleared is neither tested nor counted in, so it may keep its contents to the end.
  void start_clear(bool both) {
    clearing_ = true;
    both_ = both;
    word_ = 0;
    taken_ = 0;
  }
  void end_clear() {
    arrays_[active_ ^ 1].assign(p_.counters, 0);
    if (both_) arrays_[active_].assign(p_.counters, 0);
    clearing_ = both_ = false;
  }

  PredictorParams p_;
  std::uint64_t key_mask_;
  std::uint8_t full_;
  BloomHash hash_;
  std::vector<std::uint8_t> arrays_[2];
  unsigned active_ = 0;
  unsigned taken_ = 0;  // inserts that the other array holds
  bool clearing_ = false, both_ = false;
  unsigned word_ = 0;
  bool bypass_ = true, shared_memory_ = true, flush_ = false;
  std::optional<PredictReq> stage_;
  unsigned credit_ = 0;  // requests taken and not answered
  ModelIn<PredictReq> req_;
  Out rsp_;
};

}  // namespace

std::unique_ptr<BloomPredictor> make_bloom_predictor_model(const PredictorParams& params) {
  return std::make_unique<PredictorModel>(params);
}

}  // namespace warpsieve::bloom_predictor
