#include <Vrata_full.h>
#include <Vrata_odd.h>
#include <Vrata_paper.h>
#include <Vrata_six.h>
#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "blocks/rata/rata_backends.h"
#include "cosim/verilated.h"

namespace warpsieve::rata {

namespace {

template <class V>
class RataRtl final : public Rata {
 public:
  RataRtl(const RataParams& p, const std::string& name)
      : line_mask_((std::uint64_t{1} << (p.tag_bits + static_cast<unsigned>(std::countr_zero(p.sets)))) - 1),
        sm_mask_((1u << p.sm_bits) - 1), rtl_(name), lookup_(*this), rsp_(*this), update_(*this) {
    reset();
  }
  InPort<RataLookup>& lookup() override { return lookup_; }
  OutPort<RataRsp>& rsp() override { return rsp_; }
  InPort<RataUpdate>& update() override { return update_; }
  void reset() override {
    lower();
    rtl_.reset();
    fetch();
  }
  void tick() override {
    rtl_.tick();
    lower();
    fetch();
  }
  bool idle() const override { return !rtl_.top().busy_o; }

 private:
  struct Lookup final : InPort<RataLookup> {
    explicit Lookup(RataRtl& rata) : r(rata) {}
    bool ready() const override { return r.rtl_.top().lookup_ready_o; }
    bool push(const RataLookup& lookup) override {
      V& top = r.rtl_.top();
      top.lookup_valid_i = 1;
      top.lookup_line_i = lookup.line & r.line_mask_;
      top.lookup_sm_i = lookup.sm & r.sm_mask_;
      return ready();
    }
    RataRtl& r;
  };
  struct Rsp final : OutPort<RataRsp> {
    explicit Rsp(RataRtl& rata) : r(rata) {}
    const RataRsp* front() const override { return r.rtl_.top().rsp_valid_o ? &item : nullptr; }
    void pop() override { r.rtl_.top().rsp_ready_i = 1; }
    RataRtl& r;
    RataRsp item;
  };
  struct Update final : InPort<RataUpdate> {
    explicit Update(RataRtl& rata) : r(rata) {}
    bool ready() const override { return r.rtl_.top().update_ready_o; }
    bool push(const RataUpdate& update) override {
      V& top = r.rtl_.top();
      top.update_valid_i = 1;
      top.update_op_i = static_cast<unsigned>(update.op);
      top.update_line_i = update.line & r.line_mask_;
      top.update_sm_i = update.sm & r.sm_mask_;
      return ready();
    }
    RataRtl& r;
  };
  void lower() {
    V& top = rtl_.top();
    top.lookup_valid_i = 0;
    top.rsp_ready_i = 0;
    top.update_valid_i = 0;
  }
  void fetch() {
    const V& top = rtl_.top();
    if (top.rsp_valid_o) rsp_.item = {top.rsp_hit_o != 0, top.rsp_owner_o};
  }
  std::uint64_t line_mask_;
  unsigned sm_mask_;
  RtlClock<V> rtl_;
  Lookup lookup_;
  Rsp rsp_;
  Update update_;
};

}  // namespace

std::unique_ptr<Rata> make_rata_rtl(const RataParams& p, const std::string& name) {
  if (p == odd_point) return std::make_unique<RataRtl<Vrata_odd>>(p, name);
  if (p == six_point) return std::make_unique<RataRtl<Vrata_six>>(p, name);
  if (p == paper_point) return std::make_unique<RataRtl<Vrata_paper>>(p, name);
  if (p == full_point) return std::make_unique<RataRtl<Vrata_full>>(p, name);
  throw std::invalid_argument(
      fmt::format("rata: no RTL compiled for sets {} ways {} tag_bits {} sm_bits {}: see "
                  "rtl/rata/points.txt",
                  p.sets, p.ways, p.tag_bits, p.sm_bits));
}

}  // namespace warpsieve::rata
