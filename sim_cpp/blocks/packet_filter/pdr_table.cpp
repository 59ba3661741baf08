#include "blocks/packet_filter/pdr_table.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <stdexcept>

#include "blocks/packet_filter/packet_filter_backends.h"
#include "blocks/packet_filter/rtl_streams.h"
#include "cosim/shadow.h"
#include "rtl_points/packet_filter/pdr_table.h"

namespace warpsieve::packet_filter {

std::string_view to_string(Action action) {
  static constexpr std::array<std::string_view, 4> names{"full", "registered", "merged", "no_room"};
  return names.at(static_cast<std::size_t>(action));
}
std::string describe(const ReadRequest& r) {
  return fmt::format("sm {} line {:#x} mask {:#06b}", r.sm, r.line, r.mask);
}
std::string describe(const Forward& f) { return fmt::format("{} token {}", to_string(f.action), f.token); }
std::string describe(const Leaving& l) { return fmt::format("registered {} token {}", l.registered, l.token); }
std::string describe(const AskedMask& m) { return fmt::format("asked {:#06b} full {}", m.asked, m.full); }

void check(const TableParams& p) {
  const unsigned set_bits = static_cast<unsigned>(std::countr_zero(p.sets));
  if (!std::has_single_bit(p.sets) || p.ways == 0 || p.ways > 64 || p.sm_bits == 0 || p.line_bits == 0 ||
      p.line_bits > 32 || p.line_bits < set_bits || p.sm_bits + p.line_bits - set_bits > 32) {
    throw std::invalid_argument(
        fmt::format("pdr_table: parameters out of range: sets {} ways {} sm_bits {} line_bits {}", p.sets, p.ways,
                    p.sm_bits, p.line_bits));
  }
}

namespace {

template <class V>
class PdrTableRtl final : public PdrTable {
 public:
  explicit PdrTableRtl(const std::string& name) : rtl_(name), streams_(rtl_.top()) { reset(); }
  InPort<ReadRequest>& req() override { return streams_.req; }
  OutPort<Forward>& fwd() override { return streams_.fwd; }
  InPort<Leaving>& take() override { return streams_.take; }
  OutPort<AskedMask>& mask() override { return streams_.mask; }
  unsigned used() const override { return rtl_.top().used_o; }
  void reset() override {
    streams_.lower();
    rtl_.reset();
    streams_.settle();
  }
  void tick() override {
    rtl_.tick();
    streams_.lower();
    streams_.settle();
  }
  bool idle() const override { return streams_.idle(); }

 private:
  RtlClock<V> rtl_;
  TableStreams<V> streams_;
};

class PdrTableShadow final : public BlockShadow<PdrTable> {
 public:
  PdrTableShadow(const TableParams& params, const std::string& name)
      : BlockShadow(name, make_pdr_table_model(params), make_pdr_table_rtl(params, name)),
        req_(context_, "req", model_->req(), rtl_->req()), take_(context_, "take", model_->take(), rtl_->take()),
        fwd_(context_, "fwd", model_->fwd(), rtl_->fwd()), mask_(context_, "mask", model_->mask(), rtl_->mask()) {}
  InPort<ReadRequest>& req() override { return req_; }
  OutPort<Forward>& fwd() override { return fwd_; }
  InPort<Leaving>& take() override { return take_; }
  OutPort<AskedMask>& mask() override { return mask_; }
  unsigned used() const override { return model_->used(); }

 private:
  void compare() const override {
    req_.compare();
    take_.compare();
    fwd_.compare();
    mask_.compare();
    if (model_->used() != rtl_->used()) {
      context_.fail("used", fmt::format("model {} rtl {}", model_->used(), rtl_->used()));
    }
  }
  ShadowIn<ReadRequest> req_;
  ShadowIn<Leaving> take_;
  ShadowOut<Forward> fwd_;
  ShadowOut<AskedMask> mask_;
};

}  // namespace

std::unique_ptr<PdrTable> make_pdr_table_rtl(const TableParams& p, const std::string& name) {
  return make_at_point<rtl_points::pdr_table, PdrTable>(
      {{"Sets", p.sets}, {"Ways", p.ways}, {"SmBits", p.sm_bits}, {"LineBits", p.line_bits}},
      [&]<class V>() { return std::make_unique<PdrTableRtl<V>>(name); });
}

std::unique_ptr<PdrTable> make_pdr_table(const TableParams& params, Backend backend, std::string name) {
  check(params);
  switch (backend) {
    case Backend::model: return make_pdr_table_model(params);
    case Backend::rtl: return make_pdr_table_rtl(params, name);
    case Backend::shadow: break;
  }
  return std::make_unique<PdrTableShadow>(params, name);
}

}  // namespace warpsieve::packet_filter
