#include <Vline_hasher_s1.h>
#include <Vline_hasher_s2.h>
#include <Vline_hasher_s4.h>

#include "blocks/md5/md5_backends.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"

namespace warpsieve::md5 {

namespace {

template <class V>
class LineHasherRtl final : public LineHasher {
 public:
  explicit LineHasherRtl(const std::string& name) : rtl_(name) { reset(); }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  bool ready() const override { return rtl_.top().in_ready_o; }
  bool push(const LineHashReq& req) override {
    rtl_.top().in_valid_i = 1;
    rtl_.top().in_mask_i = req.mask & 0xf;
    port_from_bytes(rtl_.top().in_data_i, req.data);
    return ready();
  }
  const LineHashRsp* front() const override { return rtl_.top().out_valid_o ? &rsp_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return rtl_.top().in_ready_o; }

 private:
  void lower() {
    rtl_.top().in_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() {
    if (rtl_.top().out_valid_o) port_to_bytes(rtl_.top().out_digest_o, rsp_.digest);
  }
  RtlClock<V> rtl_;
  LineHashRsp rsp_;
};

}  // namespace

std::unique_ptr<LineHasher> make_line_hasher_rtl(const LineHasherParams& params, const std::string& name) {
  line_hash_latency(params, 0);  // refuses a wrong steps_per_cycle
  if (params.steps_per_cycle == 1) return std::make_unique<LineHasherRtl<Vline_hasher_s1>>(name);
  if (params.steps_per_cycle == 2) return std::make_unique<LineHasherRtl<Vline_hasher_s2>>(name);
  return std::make_unique<LineHasherRtl<Vline_hasher_s4>>(name);
}

std::unique_ptr<LineHasher> make_line_hasher(const LineHasherParams& params, Backend backend, std::string name) {
  return make_backend<LineHashReq, LineHashRsp>(
      backend, name, [&] { return make_line_hasher_model(params); },
      [&] { return make_line_hasher_rtl(params, name); });
}

}  // namespace warpsieve::md5
