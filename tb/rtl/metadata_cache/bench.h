// Bench of the metadata cache: a plain memory behind it that keeps the promises the header asks for and
// nothing more: any delay, any order between sectors, the data of a fetch as of its turn in the stream.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <stdexcept>
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

/// One request with an immediate memory, alone in the cache; returns its response. What the memory is asked is added
/// to `log`.
inline MetaRsp access(MetadataCache& cache, PlainMemory& memory, const MetaReq& req,
                      std::vector<MetaMemReq>* log = nullptr) {
  EXPECT_TRUE(cache.req().push(req));
  for (int cycle = 0; cycle < 100; ++cycle) {
    cache.tick();
    if (const auto* mem = cache.mem_req().front()) {
      if (log) log->push_back(*mem);
      memory.take(*mem);
      cache.mem_req().pop();
    }
    if (!memory.fetched().empty() && cache.mem_rsp().push(memory.fetched().front())) {
      memory.fetched().erase(memory.fetched().begin());
    }
    if (const auto* rsp = cache.rsp().front()) {
      const MetaRsp answer = *rsp;
      cache.rsp().pop();
      cache.tick();
      EXPECT_TRUE(cache.idle());
      return answer;
    }
  }
  throw std::runtime_error("no response");
}

/// The compiled points.
struct Point {
  const char* name;
  MetadataCacheParams params;
};
inline const Point points[] = {{"min", min_point},         {"odd", odd_point},         {"type", type_cache},
                               {"mask", mask_cache},       {"address", address_cache}, {"lent", lent_cache},
                               {"size", size_cache},       {"tiny1", tiny_cache(1)},   {"tiny2", tiny_cache(2)},
                               {"tiny4", tiny_cache(4)},   {"tiny32", tiny_cache(32)}, {"whole", whole_point},
                               {"guarded", guarded_point}, {"ecc", ecc_point}};

}  // namespace warpsieve::metadata_cache
