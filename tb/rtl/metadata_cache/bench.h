// Bench of the metadata cache: a plain memory behind it that keeps the promises the header asks for and
// nothing more: any delay, any order between sectors, the data of a fetch as of its turn in the stream.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <vector>

#include "blocks/metadata_cache/metadata_cache.h"

namespace warpsieve::metadata_cache {

class PlainMemory {
 public:
  explicit PlainMemory(const MetadataCacheParams& params) : params_(params) {}

  SectorData& sector(std::uint32_t number) {
    const auto [at, fresh] = sectors_.try_emplace(number);
    if (fresh) {  // distinct, reproducible content
      std::minstd_rand random(number * 2654435761u + 1);
      for (unsigned i = 0; i < params_.sector_bytes; ++i) at->second[i] = static_cast<std::uint8_t>(random() >> 8);
    }
    return at->second;
  }
  std::uint32_t entry(std::uint32_t index) { return read(sector(index / params_.entries_per_sector()), index); }
  std::uint32_t read(const SectorData& data, std::uint32_t index) const {
    std::uint32_t value = 0;
    for (unsigned bit = 0; bit < params_.entry_bits; ++bit) {
      const unsigned at = index % params_.entries_per_sector() * params_.entry_bits + bit;
      value |= (std::uint32_t{data[at / 8]} >> at % 8 & 1u) << bit;
    }
    return value;
  }
  void take(const MetaMemReq& req) {
    if (req.write) {
      sector(req.sector) = req.data;
      ++writes;
    } else {
      fetched_.push_back({req.sector, sector(req.sector)});
      ++fetches;
    }
  }
  std::vector<MetaMemRsp>& fetched() { return fetched_; }
  unsigned writes = 0, fetches = 0;

 private:
  MetadataCacheParams params_;
  std::map<std::uint32_t, SectorData> sectors_;
  std::vector<MetaMemRsp> fetched_;  // served, not yet delivered
};

}  // namespace warpsieve::metadata_cache
