#include <bit>

#include "blocks/rata/rata_backends.h"
#include "cosim/rtl_block.h"
#include "rtl_points/rata/rata.h"

namespace warpsieve::rata {

namespace {

struct Fields {
  std::uint64_t line_mask;
  unsigned sm_mask;
  void put(auto& top, const RataLookup& lookup) const {
    top.lookup_line_i = lookup.line & line_mask;
    top.lookup_sm_i = lookup.sm & sm_mask;
  }
  void get(const auto& top, RataRsp& rsp) const { rsp = {top.rsp_hit_o != 0, top.rsp_owner_o}; }
  void put(auto& top, const RataUpdate& update) const {
    top.update_op_i = static_cast<unsigned>(update.op);
    top.update_line_i = update.line & line_mask;
    top.update_sm_i = update.sm & sm_mask;
  }
};

}  // namespace

std::unique_ptr<Rata> make_rata_rtl(const RataParams& p, const std::string& name) {
  using Module = rtl_points::rata;
  const unsigned line_bits = p.tag_bits + static_cast<unsigned>(std::countr_zero(p.sets));
  const Fields fields{(std::uint64_t{1} << line_bits) - 1, (1u << p.sm_bits) - 1};
  return make_at_point<Module, Rata>(
      {{"Sets", p.sets}, {"Ways", p.ways}, {"TagBits", p.tag_bits}, {"SmBits", p.sm_bits}},
      [&]<class V>() { return std::make_unique<RtlBlock<V, Module, Rata, Fields>>(name, fields); });
}

}  // namespace warpsieve::rata
