#include "blocks/md5/md5_backends.h"
#include "cosim/eager.h"
#include "cosim/shadow.h"
#include "cosim/verilated.h"
#include "rtl_points/md5/md5_pipeline.h"

namespace warpsieve::md5 {

namespace {

template <class V>
class Md5PipelineRtl final : public Md5Pipeline {
 public:
  explicit Md5PipelineRtl(const std::string& name) : rtl_(name) { reset(); }
  void reset() override {
    lower();
    rtl_.reset();
    inside_ = 0;
    fetch();
  }
  bool ready() const override { return rtl_.top().in_ready_o; }
  bool push(const Md5PipelineReq& req) override {
    rtl_.top().in_valid_i = 1;
    port_from_bytes(rtl_.top().in_block_i, req.bytes);
    port_from_bytes(rtl_.top().in_chain_i, req.chain);
    return ready();
  }
  const LineHashRsp* front() const override { return rtl_.top().out_valid_o ? &rsp_ : nullptr; }
  void pop() override { rtl_.top().out_ready_i = 1; }
  void tick() override {
    inside_ += rtl_.top().in_valid_i && rtl_.top().in_ready_o;
    inside_ -= rtl_.top().out_valid_o && rtl_.top().out_ready_i;
    if (!rtl_.top().out_valid_o) rtl_.top().out_ready_i = eager_.next();
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return inside_ == 0; }

 private:
  void lower() {
    rtl_.top().in_valid_i = 0;
    rtl_.top().out_ready_i = 0;
  }
  void fetch() {
    if (rtl_.top().out_valid_o) port_to_bytes(rtl_.top().out_chain_o, rsp_.digest);
  }
  RtlClock<V> rtl_;
  Eager eager_;
  unsigned inside_ = 0;  ///< blocks taken whose result was not: the RTL says it nowhere in one place
  LineHashRsp rsp_;
};

}  // namespace

std::unique_ptr<Md5Pipeline> make_md5_pipeline_rtl(const Md5PipelineParams& params, const std::string& name) {
  md5_pipeline_latency(params);  // refuses what no pipeline has
  return make_at_point<rtl_points::md5_pipeline, Md5Pipeline>(
      {{"StepsPerStage", params.steps_per_stage}},
      [&]<class V>() { return std::make_unique<Md5PipelineRtl<V>>(name); });
}

std::unique_ptr<Md5Pipeline> make_md5_pipeline(const Md5PipelineParams& params, Backend backend, std::string name) {
  return make_backend<Md5PipelineReq, LineHashRsp>(
      backend, name, [&] { return make_md5_pipeline_model(params); },
      [&] { return make_md5_pipeline_rtl(params, name); });
}

}  // namespace warpsieve::md5
