#include "blocks/metadata_cache/metadata_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "blocks/metadata_cache/metadata_cache_backends.h"
#include "cosim/shadow.h"

namespace warpsieve::metadata_cache {

namespace {

void check(const MetadataCacheParams& p) {
  const auto power_in = [](unsigned value, unsigned low, unsigned high) {
    return std::has_single_bit(value) && value >= low && value <= high;
  };
  const bool widths = power_in(p.entry_bits, 1, 32) && power_in(p.sector_bytes, 1, 32) &&
                      p.entry_bits <= 8 * p.sector_bytes && p.id_bits >= 1 && p.id_bits <= 32;
  const bool shape = std::has_single_bit(p.sets) && std::has_single_bit(p.line_bytes) &&
                     p.line_bytes >= p.sector_bytes && p.line_bytes <= 16 * p.sector_bytes && p.ways >= 1 &&
                     p.parks >= 1;
  if (!widths || !shape || p.index_bits > 32 || p.index_bits == 0 ||
      (std::uint64_t{1} << p.index_bits) < p.entries_per_sector()) {
    throw std::invalid_argument(fmt::format(
        "metadata_cache: parameters out of range: entry_bits {} index_bits {} sets {} ways {} line_bytes {} "
        "sector_bytes {} parks {} id_bits {}",
        p.entry_bits, p.index_bits, p.sets, p.ways, p.line_bytes, p.sector_bytes, p.parks, p.id_bits));
  }
}

std::string hex(const SectorData& data) {
  std::string text;
  for (auto byte = data.rbegin(); byte != data.rend(); ++byte) text += fmt::format("{:02x}", *byte);
  return text;
}

/// Bits go wrong in the RTL only: corrected, they leave it alike.
class MetadataCacheShadow final : public PortShadow<MetadataCache, true> {
 public:
  using PortShadow::PortShadow;
  void flip(std::uint32_t bits) override { rtl_->flip(bits); }
  std::uint64_t corrected() const override { return rtl_->corrected(); }
  bool fatal() const override { return rtl_->fatal(); }
};

}  // namespace

std::string describe(const MetaReq& req) {
  return fmt::format("{} index {} data {:#x} id {}", req.write ? "write" : "read", req.index, req.data, req.id);
}
std::string describe(const MetaRsp& rsp) {
  return fmt::format("data {:#x} id {} missed {}", rsp.data, rsp.id, rsp.missed);
}
std::string describe(const MetaMemReq& req) {
  return fmt::format("{} sector {} data {}", req.write ? "write" : "fetch", req.sector, hex(req.data));
}
std::string describe(const MetaMemRsp& rsp) { return fmt::format("sector {} data {}", rsp.sector, hex(rsp.data)); }

std::unique_ptr<MetadataCache> make_metadata_cache(const MetadataCacheParams& params, Backend backend,
                                                   std::string name) {
  check(params);
  return make_backend<MetadataCacheShadow>(
      backend, name, [&] { return make_metadata_cache_model(params); },
      [&] { return make_metadata_cache_rtl(params, name); });
}

}  // namespace warpsieve::metadata_cache
