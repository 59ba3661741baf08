#include "blocks/bloom_predictor/bloom_backends.h"
#include "cosim/verilated.h"
#include "rtl_points/bloom_predictor/bloom_predictor.h"

namespace warpsieve::bloom_predictor {

namespace {

template <class V>
class PredictorRtl final : public BloomPredictor {
 public:
  PredictorRtl(const PredictorParams& p, const std::string& name)
      : line_mask_((std::uint64_t{1} << p.line_bits) - 1), rtl_(name), req_(*this), rsp_(*this) {
    enable(true, true);
    reset();
  }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  InPort<PredictReq>& req() override { return req_; }
  OutPort<PredictRsp>& rsp() override { return rsp_; }
  void enable(bool bypass, bool shared_memory) override {
    rtl_.top().bypass_enable_i = bypass;
    rtl_.top().shm_enable_i = shared_memory;
  }
  void flush() override { rtl_.top().flush_i = 1; }
  bool idle() const override { return !rtl_.top().busy_o; }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }

 private:
  struct Req final : InPort<PredictReq> {
    explicit Req(PredictorRtl& predictor) : p(predictor) {}
    bool ready() const override { return p.rtl_.top().req_ready_o; }
    bool push(const PredictReq& req) override {
      V& top = p.rtl_.top();
      top.req_valid_i = 1;
      top.req_line_i = req.line & p.line_mask_;
      top.req_sectors_i = req.sectors & 15;
      return ready();
    }
    PredictorRtl& p;
  };
  struct Rsp final : OutPort<PredictRsp> {
    explicit Rsp(PredictorRtl& predictor) : p(predictor) {}
    const PredictRsp* front() const override { return p.rtl_.top().rsp_valid_o ? &item : nullptr; }
    void pop() override { p.rtl_.top().rsp_ready_i = 1; }
    PredictorRtl& p;
    PredictRsp item;
  };
  void lower() {
    V& top = rtl_.top();
    top.flush_i = 0;
    top.req_valid_i = 0;
    top.rsp_ready_i = 0;
  }
  void fetch() {
    if (rtl_.top().rsp_valid_o) rsp_.item.choice = static_cast<Choice>(rtl_.top().rsp_choice_o);
  }
  std::uint64_t line_mask_;
  RtlClock<V> rtl_;
  Req req_;
  Rsp rsp_;
};

}  // namespace

std::unique_ptr<BloomPredictor> make_bloom_predictor_rtl(const PredictorParams& p, const std::string& name) {
  return make_at_point<rtl_points::bloom_predictor, BloomPredictor>(
      {{"Counters", p.counters},
       {"CounterBits", p.counter_bits},
       {"Lanes", p.lanes},
       {"LineBits", p.line_bits},
       {"Threshold", p.threshold},
       {"Period", p.period},
       {"Seed", p.seed}},
      [&]<class V>() { return std::make_unique<PredictorRtl<V>>(p, name); });
}

}  // namespace warpsieve::bloom_predictor
