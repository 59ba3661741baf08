#include <bit>

#include "blocks/rata/rata_backends.h"
#include "cosim/rtl_ports.h"
#include "cosim/verilated.h"
#include "rtl_points/rata/rata.h"

namespace warpsieve::rata {

namespace {

template <class V>
class RataRtl final : public Rata {
 public:
  RataRtl(const RataParams& p, const std::string& name)
      : line_mask_((std::uint64_t{1} << (p.tag_bits + static_cast<unsigned>(std::countr_zero(p.sets)))) - 1),
        sm_mask_((1u << p.sm_bits) - 1), rtl_(name),
        lookup_([this] { return rtl_.top().lookup_ready_o != 0; },
                [this](const RataLookup& lookup) {
                  rtl_.top().lookup_line_i = lookup.line & line_mask_;
                  rtl_.top().lookup_sm_i = lookup.sm & sm_mask_;
                },
                [this](bool valid) { rtl_.top().lookup_valid_i = valid; }),
        rsp_([this] { return rtl_.top().rsp_valid_o != 0; },
             [this] {
               return RataRsp{rtl_.top().rsp_hit_o != 0, rtl_.top().rsp_owner_o};
             },
             [this](bool ready) { rtl_.top().rsp_ready_i = ready; }),
        update_([this] { return rtl_.top().update_ready_o != 0; },
                [this](const RataUpdate& update) {
                  rtl_.top().update_op_i = static_cast<unsigned>(update.op);
                  rtl_.top().update_line_i = update.line & line_mask_;
                  rtl_.top().update_sm_i = update.sm & sm_mask_;
                },
                [this](bool valid) { rtl_.top().update_valid_i = valid; }) {
    reset();
  }
  InPort<RataLookup>& lookup() override { return lookup_; }
  OutPort<RataRsp>& rsp() override { return rsp_; }
  InPort<RataUpdate>& update() override { return update_; }
  void reset() override {
    lower();
    rtl_.reset();
    rsp_.fetch();
  }
  void tick() override {
    rtl_.tick();
    lower();
    rsp_.fetch();
  }
  bool idle() const override { return !rtl_.top().busy_o; }

 private:
  void lower() {
    lookup_.lower();
    rsp_.lower();
    update_.lower();
  }
  std::uint64_t line_mask_;
  unsigned sm_mask_;
  RtlClock<V> rtl_;
  RtlIn<RataLookup> lookup_;
  RtlOut<RataRsp> rsp_;
  RtlIn<RataUpdate> update_;
};

}  // namespace

std::unique_ptr<Rata> make_rata_rtl(const RataParams& p, const std::string& name) {
  return make_at_point<rtl_points::rata, Rata>(
      {{"Sets", p.sets}, {"Ways", p.ways}, {"TagBits", p.tag_bits}, {"SmBits", p.sm_bits}},
      [&]<class V>() { return std::make_unique<RataRtl<V>>(p, name); });
}

}  // namespace warpsieve::rata
