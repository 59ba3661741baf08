#include "blocks/bloom_predictor/bloom_backends.h"
#include "cosim/rtl_block.h"
#include "rtl_points/bloom_predictor/bloom_predictor.h"

namespace warpsieve::bloom_predictor {

namespace {

struct PredictorFields {
  std::uint64_t line_mask;
  void setup(auto& top) const { top.bypass_enable_i = top.shm_enable_i = 1; }
  void lower(auto& top) const { top.flush_i = 0; }
  void put(auto& top, const PredictReq& req) const {
    top.req_line_i = req.line & line_mask;
    top.req_sectors_i = req.sectors & 15;
  }
  void get(const auto& top, PredictRsp& rsp) const { rsp.choice = static_cast<Choice>(top.rsp_choice_o); }
};

template <class V>
class PredictorRtl final : public RtlBlock<V, rtl_points::bloom_predictor, BloomPredictor, PredictorFields> {
 public:
  using Base = RtlBlock<V, rtl_points::bloom_predictor, BloomPredictor, PredictorFields>;
  using Base::Base;
  void enable(bool bypass, bool shared_memory) override {
    this->top().bypass_enable_i = bypass;
    this->top().shm_enable_i = shared_memory;
  }
  void flush() override { this->top().flush_i = 1; }
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
      [&]<class V>() {
        return std::make_unique<PredictorRtl<V>>(name, PredictorFields{(std::uint64_t{1} << p.line_bits) - 1});
      });
}

}  // namespace warpsieve::bloom_predictor
