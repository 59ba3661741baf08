// MetadataImage: the sectors of one metadata table as they are before any line was written, in order.
//
//   latency     the first sector is on offer in the second cycle after a reset
//   throughput  one sector per cycle
// The entry of a spare line is `value`, all others are 0. Spare lines are the last `spare` of `total` lines.
// RTL: rtl/dedup_safe/metadata_image.sv.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cosim/block.h"

namespace warpsieve::dedup_safe {

struct ImageParams {
  unsigned entry_bits = 2;  ///< 1, 2, 4, ... 32
  unsigned value = 1;       ///< of the entry of a spare line
  unsigned index_bits = 21;
  unsigned sector_bytes = 32;
  unsigned entries() const { return 8 * sector_bytes / entry_bits; }  ///< of a sector
};

struct ImageSector {
  std::uint32_t number = 0;
  std::vector<std::uint8_t> data;  ///< the lowest line in the lowest bits of the first byte
  bool operator==(const ImageSector&) const = default;
};

/// One sector as it must be.
ImageSector image_sector(const ImageParams& params, std::uint32_t total, std::uint32_t spare, std::uint32_t number);

struct MetadataImage : OutPort<ImageSector>, Clocked {
  virtual bool done() const = 0;  ///< all are taken
};

/// 0 < spare < total <= 2^index_bits. Backends model and rtl. Throws std::invalid_argument for any other, for lines
/// out of range and for a point not compiled.
std::unique_ptr<MetadataImage> make_metadata_image(const ImageParams& params, std::uint32_t total,
                                                   std::uint32_t spare, Backend backend,
                                                   const std::string& name = "metadata_image");

}  // namespace warpsieve::dedup_safe
