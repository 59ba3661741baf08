#include "blocks/packet_filter/pdr_table.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <stdexcept>

#include "blocks/packet_filter/packet_filter_backends.h"
#include "blocks/packet_filter/table_fields.h"
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
class PdrTableRtl final : public RtlBlock<V, rtl_points::pdr_table, PdrTable, TableFields> {
 public:
  using RtlBlock<V, rtl_points::pdr_table, PdrTable, TableFields>::RtlBlock;
  unsigned used() const override { return this->top().used_o; }
  bool idle() const override { return !this->pushed_last() && !this->fwd().front() && !this->mask().front(); }
};

class PdrTableShadow final : public PortShadow<PdrTable> {
 public:
  using PortShadow::PortShadow;
  unsigned used() const override { return same_level("used", model_->used(), rtl_->used()); }

 private:
  void compare() const override {
    PortShadow::compare();
    used();
  }
};

}  // namespace

std::unique_ptr<PdrTable> make_pdr_table_rtl(const TableParams& p, const std::string& name) {
  return make_at_point<rtl_points::pdr_table, PdrTable>(
      {{"Sets", p.sets}, {"Ways", p.ways}, {"SmBits", p.sm_bits}, {"LineBits", p.line_bits}},
      [&]<class V>() { return std::make_unique<PdrTableRtl<V>>(name); });
}

std::unique_ptr<PdrTable> make_pdr_table(const TableParams& params, Backend backend, std::string name) {
  check(params);
  return make_backend<PdrTableShadow>(
      backend, name, [&] { return make_pdr_table_model(params); }, [&] { return make_pdr_table_rtl(params, name); });
}

}  // namespace warpsieve::packet_filter
