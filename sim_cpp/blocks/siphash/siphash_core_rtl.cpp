#include "blocks/siphash/siphash_backends.h"
#include "cosim/eager.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "rtl_points/siphash/siphash_core.h"

namespace warpsieve::siphash {

namespace {

/// Plays the owner of the message: shows the words in turn, the next one after msg_next_o.
template <class V>
class SiphashCoreRtl final : public SiphashCore {
 public:
  SiphashCoreRtl(const std::string& name, const Key& key) : rtl_(name), key_(key) { reset(); }
  void reset() override {
    lower();
    port_from_bytes(rtl_.top().key_i, key_);
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().start_ready_o; }
  bool push(const SiphashMessage& message) override {
    rtl_.top().start_valid_i = 1;
    if (!ready()) return false;
    words_ = siphash_words(message.bytes);  // already in this cycle the core sees the first word
    next_ = 0;
    return true;
  }
  const LineHashRsp* front() const override { return rtl_.top().out_valid_o ? &rsp_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    const bool showing = next_ < words_.size();
    rtl_.top().msg_word_i = showing ? words_[next_] : 0x5a5a5a5a5a5a5a5a;  // what comes behind must not matter
    rtl_.top().msg_last_i = showing && next_ + 1 == words_.size();
    if (rtl_.top().msg_next_o) ++next_;
    if (!rtl_.top().out_valid_o) rtl_.top().out_ready_i = eager_.next();
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return ready(); }

 private:
  void lower() {
    rtl_.top().start_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() {
    if (rtl_.top().out_valid_o) port_to_bytes(rtl_.top().out_digest_o, rsp_.digest);
  }
  RtlClock<V> rtl_;
  Eager eager_;
  Key key_;
  std::vector<std::uint64_t> words_;
  std::size_t next_ = 0;
  LineHashRsp rsp_;
};

}  // namespace

std::unique_ptr<SiphashCore> make_siphash_core_rtl(const SiphashCoreParams& params, const std::string& name) {
  siphash_latency(params.half_rounds_per_cycle, 1);  // refuses a wrong half_rounds_per_cycle
  return make_at_point<rtl_points::siphash_core, SiphashCore>(
      {{"HalfRoundsPerCycle", params.half_rounds_per_cycle}},
      [&]<class V>() { return std::make_unique<SiphashCoreRtl<V>>(name, params.key); });
}

std::unique_ptr<SiphashCore> make_siphash_core(const SiphashCoreParams& params, Backend backend, std::string name) {
  return make_backend<SiphashMessage, LineHashRsp>(
      backend, name, [&] { return make_siphash_core_model(params); },
      [&] { return make_siphash_core_rtl(params, name); });
}

}  // namespace warpsieve::siphash
