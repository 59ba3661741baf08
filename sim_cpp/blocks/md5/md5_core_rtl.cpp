#include "blocks/md5/md5_backends.h"
#include "cosim/eager.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "rtl_points/md5/md5_core.h"

namespace warpsieve::md5 {

namespace {

/// Plays the owner of the message: holds the block and answers every index the core asks for.
template <class V>
class Md5CoreRtl final : public Md5Core {
 public:
  Md5CoreRtl(unsigned steps, const std::string& name) : steps_(steps), rtl_(name) { reset(); }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().start_ready_o; }
  bool push(const Md5Block& block) override {
    rtl_.top().start_valid_i = 1;
    rtl_.top().start_more_i = block.more;
    if (!ready()) return false;
    block_ = block;  // already in this cycle the words asked for are those of the new block
    return true;
  }
  const LineHashRsp* front() const override { return rtl_.top().out_valid_o ? &rsp_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    std::array<std::uint8_t, 4 * kMostSteps> words;
    for (unsigned j = 0; j < steps_; ++j) {
      const unsigned index = rtl_.top().msg_index_o >> (4 * j) & 0xf;
      for (unsigned b = 0; b < 4; ++b) words[4 * j + b] = block_.bytes[4 * index + b];
    }
    port_from_bytes(rtl_.top().msg_word_i, std::span(words).first(4 * steps_));
    if (!rtl_.top().out_valid_o) rtl_.top().out_ready_i = eager_.next();
    rtl_.tick();
    lower();
    fetch();
  }
  /// start_ready_o also rises in the last cycle of a block with `more`: two ready cycles in a row are idle.
  bool idle() const override { return ready_cycles_ >= 2; }

 private:
  static constexpr unsigned kMostSteps = 4;
  void lower() {
    rtl_.top().start_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() {
    ready_cycles_ = ready() ? ready_cycles_ + 1 : 0;
    if (rtl_.top().out_valid_o) port_to_bytes(rtl_.top().out_digest_o, rsp_.digest);
  }
  unsigned steps_;  ///< per cycle
  RtlClock<V> rtl_;
  Eager eager_;
  unsigned ready_cycles_ = 0;
  Md5Block block_;
  LineHashRsp rsp_;
};

}  // namespace

std::unique_ptr<Md5Core> make_md5_core_rtl(const Md5CoreParams& params, const std::string& name) {
  md5_block_cycles(params);  // refuses a wrong steps_per_cycle
  return make_at_point<rtl_points::md5_core, Md5Core>(
      {{"StepsPerCycle", params.steps_per_cycle}, {"FoldInSteps", params.fold_in_steps}},
      [&]<class V>() { return std::make_unique<Md5CoreRtl<V>>(params.steps_per_cycle, name); });
}

std::unique_ptr<Md5Core> make_md5_core(const Md5CoreParams& params, Backend backend, std::string name) {
  return make_backend<Md5Block, LineHashRsp>(
      backend, name, [&] { return make_md5_core_model(params); }, [&] { return make_md5_core_rtl(params, name); });
}

}  // namespace warpsieve::md5
