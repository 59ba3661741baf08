#include "blocks/packet_filter/packet_filter.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "blocks/packet_filter/packet_filter_backends.h"
#include "blocks/packet_filter/table_fields.h"
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

struct FilterFields : TableFields {
  using TableFields::get;
  using TableFields::put;
  void setup(auto& top) const { top.mode_i = static_cast<unsigned>(Mode::dpc); }
  void put(auto& top, const EncodedSizes& s) const {
    top.size_whole_bits_i = s.whole;
    top.size_part_bits_i = s.part;
  }
  void get(const auto& top, PacketForm& p) const {
    p = {static_cast<Form>(top.out_form_o), top.out_map_o, top.out_asked_o, top.out_bits_o, top.out_flits_o};
  }
};

template <class V>
class PacketFilterRtl final : public RtlBlock<V, rtl_points::packet_filter, PacketFilter, FilterFields> {
 public:
  using RtlBlock<V, rtl_points::packet_filter, PacketFilter, FilterFields>::RtlBlock;
  void set_mode(Mode mode) override { this->top().mode_i = static_cast<unsigned>(mode); }
  unsigned used() const override { return this->top().used_o; }
  bool idle() const override {
    return !this->pushed_last() && !this->fwd().front() && !this->mask().front() && !this->size().ready() &&
           !this->out().front();
  }
};

class PacketFilterShadow final : public PortShadow<PacketFilter> {
 public:
  using PortShadow::PortShadow;
  void set_mode(Mode mode) override {
    model_->set_mode(mode);
    rtl_->set_mode(mode);
  }
  unsigned used() const override { return same_level("used", model_->used(), rtl_->used()); }

 private:
  void compare() const override {
    PortShadow::compare();
    used();
  }
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
  return make_backend<PacketFilterShadow>(
      backend, name, [&] { return make_packet_filter_model(params); },
      [&] { return make_packet_filter_rtl(params, name); });
}

}  // namespace warpsieve::packet_filter
