// lru_rtl: the combinational RTL of the LRU order (rtl/common/lru.sv), for comparison with LruSets.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace warpsieve::common {

struct LruRtlResult {
  std::vector<std::uint8_t> order;  ///< position 0 first
  std::optional<unsigned> victim;
  bool operator==(const LruRtlResult&) const = default;
};

struct LruRtl {
  virtual ~LruRtl() = default;
  /// Outputs for one set of inputs; `order` holds the way at each position.
  virtual LruRtlResult eval(std::span<const std::uint8_t> order, unsigned way, std::uint64_t eligible) = 0;
};

/// Throws std::invalid_argument when no compiled point has this number of ways.
std::unique_ptr<LruRtl> make_lru_rtl(unsigned ways, const std::string& name = "lru");

}  // namespace warpsieve::common
