#include "blocks/rata/rata.h"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "blocks/rata/rata_backends.h"
#include "cosim/shadow.h"

namespace warpsieve::rata {

std::string describe(const RataLookup& lookup) { return fmt::format("line {:#x} sm {}", lookup.line, lookup.sm); }

std::string describe(const RataRsp& rsp) { return rsp.hit ? fmt::format("hit owner {}", rsp.owner) : "miss"; }

std::string describe(const RataUpdate& update) {
  static constexpr const char* names[] = {"allocate", "invalidate", "drop", "clear"};
  return fmt::format("{} line {:#x} sm {}", names[static_cast<unsigned>(update.op)], update.line, update.sm);
}

std::unique_ptr<Rata> make_rata(const RataParams& p, Backend backend, std::string name) {
  if (p.sets < 2 || !std::has_single_bit(p.sets) || p.ways < 2 || p.tag_bits < 1 || p.sm_bits < 1 || p.sm_bits > 8 ||
      p.tag_bits + std::countr_zero(p.sets) > 64) {
    throw std::invalid_argument(fmt::format("rata: parameters out of range: sets {} ways {} tag_bits {} sm_bits {}",
                                            p.sets, p.ways, p.tag_bits, p.sm_bits));
  }
  return make_backend<PortShadow<Rata, true>>(
      backend, name, [&] { return make_rata_model(p); }, [&] { return make_rata_rtl(p, name); });
}

}  // namespace warpsieve::rata
