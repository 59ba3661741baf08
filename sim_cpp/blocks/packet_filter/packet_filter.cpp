#include "blocks/packet_filter/packet_filter.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "blocks/packet_filter/packet_filter_backends.h"
#include "blocks/packet_filter/rtl_streams.h"
#include "cosim/shadow.h"
#include "rtl_points/packet_filter/packet_filter.h"

namespace warpsieve::packet_filter {

std::string_view to_string(Mode mode) {
  static constexpr std::array<std::string_view, 4> names{"dpc", "df_trunc", "df_man", "raw"};
  return names.at(static_cast<std::size_t>(mode));
}
std::string_view to_string(Form form) {
  static constexpr std::array<std::string_view, 4> names{"whole", "truncated", "zero_filled", "raw"};
  return names.at(static_cast<std::size_t>(form));
}
std::string describe(const EncodedSizes& s) { return fmt::format("whole {} part {} bits", s.whole, s.part); }
std::string describe(const PacketForm& p) {
  return fmt::format("{} map {:#06b} asked {:#06b} {} bits {} flits", to_string(p.form), p.map, p.asked, p.bits,
                     p.flits);
}

namespace {

template <class V>
class PacketFilterRtl final : public PacketFilter {
 public:
  explicit PacketFilterRtl(const std::string& name)
      : rtl_(name), streams_(rtl_.top()), size_([this] { return top().size_ready_o != 0; },
                                                [this](const EncodedSizes& s) {
                                                  top().size_whole_bits_i = s.whole;
                                                  top().size_part_bits_i = s.part;
                                                },
                                                [this](bool valid) { top().size_valid_i = valid; }),
        out_([this] { return top().out_valid_o != 0; },
             [this] {
               return PacketForm{static_cast<Form>(top().out_form_o), top().out_map_o, top().out_asked_o,
                                 top().out_bits_o, top().out_flits_o};
             },
             [this](bool ready) { top().out_ready_i = ready; }) {
    set_mode(Mode::dpc);
    reset();
  }
  void set_mode(Mode mode) override { top().mode_i = static_cast<unsigned>(mode); }
  InPort<ReadRequest>& req() override { return streams_.req; }
  OutPort<Forward>& fwd() override { return streams_.fwd; }
  InPort<Leaving>& take() override { return streams_.take; }
  OutPort<AskedMask>& mask() override { return streams_.mask; }
  InPort<EncodedSizes>& size() override { return size_; }
  OutPort<PacketForm>& out() override { return out_; }
  unsigned used() const override { return rtl_.top().used_o; }
  void reset() override {
    lower();
    rtl_.reset();
    settle();
  }
  void tick() override {
    rtl_.tick();
    lower();
    settle();
  }
  bool idle() const override { return streams_.idle() && !size_.ready() && !out_.front(); }

 private:
  V& top() { return rtl_.top(); }
  void lower() {
    streams_.lower();
    size_.lower();
    out_.lower();
  }
  void settle() {
    streams_.settle();
    out_.fetch();
  }
  RtlClock<V> rtl_;
  TableStreams<V> streams_;
  RtlIn<EncodedSizes> size_;
  RtlOut<PacketForm> out_;
};

class PacketFilterShadow final : public BlockShadow<PacketFilter> {
 public:
  PacketFilterShadow(const FilterParams& params, const std::string& name)
      : BlockShadow(name, make_packet_filter_model(params), make_packet_filter_rtl(params, name)),
        req_(context_, "req", model_->req(), rtl_->req()), take_(context_, "take", model_->take(), rtl_->take()),
        size_(context_, "size", model_->size(), rtl_->size()), fwd_(context_, "fwd", model_->fwd(), rtl_->fwd()),
        mask_(context_, "mask", model_->mask(), rtl_->mask()), out_(context_, "out", model_->out(), rtl_->out()) {}
  void set_mode(Mode mode) override {
    model_->set_mode(mode);
    rtl_->set_mode(mode);
  }
  InPort<ReadRequest>& req() override { return req_; }
  OutPort<Forward>& fwd() override { return fwd_; }
  InPort<Leaving>& take() override { return take_; }
  OutPort<AskedMask>& mask() override { return mask_; }
  InPort<EncodedSizes>& size() override { return size_; }
  OutPort<PacketForm>& out() override { return out_; }
  unsigned used() const override { return model_->used(); }

 private:
  void compare() const override {
    req_.compare();
    take_.compare();
    size_.compare();
    fwd_.compare();
    mask_.compare();
    out_.compare();
    if (model_->used() != rtl_->used()) {
      context_.fail("used", fmt::format("model {} rtl {}", model_->used(), rtl_->used()));
    }
  }
  ShadowIn<ReadRequest> req_;
  ShadowIn<Leaving> take_;
  ShadowIn<EncodedSizes> size_;
  ShadowOut<Forward> fwd_;
  ShadowOut<AskedMask> mask_;
  ShadowOut<PacketForm> out_;
};

}  // namespace

std::unique_ptr<PacketFilter> make_packet_filter_rtl(const FilterParams& p, const std::string& name) {
  return make_at_point<rtl_points::packet_filter, PacketFilter>(
      {{"Sets", p.table.sets},
       {"Ways", p.table.ways},
       {"SmBits", p.table.sm_bits},
       {"LineBits", p.table.line_bits},
       {"InFlight", p.in_flight}},
      [&]<class V>() { return std::make_unique<PacketFilterRtl<V>>(name); });
}

std::unique_ptr<PacketFilter> make_packet_filter(const FilterParams& params, Backend backend, std::string name) {
  check(params.table);
  if (params.in_flight == 0) throw std::invalid_argument("packet_filter: in_flight must be at least 1");
  switch (backend) {
    case Backend::model: return make_packet_filter_model(params);
    case Backend::rtl: return make_packet_filter_rtl(params, name);
    case Backend::shadow: break;
  }
  return std::make_unique<PacketFilterShadow>(params, name);
}

}  // namespace warpsieve::packet_filter
