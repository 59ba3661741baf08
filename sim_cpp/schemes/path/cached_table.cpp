#include "schemes/path/cached_table.h"

#include <fmt/format.h>

#include <utility>

namespace warpsieve::schemes {

CachedTable::CachedTable(FlowEngine& engine, const CachedTableParams& params, Backend backend,
                         const std::string& name, const std::string& label, Stats& stats)
    : engine_(engine), cache_(metadata_cache::make_metadata_cache(params.cache, backend, name), params.cycles),
      memory_(engine.host(), params.base,
              (params.entries + params.cache.entries_per_sector() - 1) / params.cache.entries_per_sector(),
              [](std::uint32_t) { return metadata_cache::SectorData{}; }),
      readers_(std::size_t{1} << params.cache.id_bits),
      requests_(stats.add(label + ".requests", "requests", "lookups and updates")),
      misses_(stats.add(label + ".misses", "requests", "requests that waited for DRAM")) {
  if (params.entries > std::uint64_t{1} << params.cache.index_bits)
    throw ConfigError(fmt::format("{}: {} entries per controller, at most {} fit into the table", label,
                                  params.entries, std::uint64_t{1} << params.cache.index_bits));
  for (std::uint32_t id = 0; id < readers_.size(); ++id) free_ids_.push_back(id);
  cache_.reset();
}

void CachedTable::answers(Cycle now) {
  const metadata_cache::MetaRsp* rsp = cache_.front(now);
  if (!rsp) return;
  ++requests_;
  misses_ += rsp->missed;
  if (Read* reader = readers_[rsp->id]) {
    reader->done_ = true;
    reader->value_ = rsp->data;
    if (reader->waiter_) engine_.wake(reader->waiter_);
  }
  free_ids_.push_back(rsp->id);
  --busy_;
  cache_.pop();
}

std::string CachedTable::describe() const {
  return fmt::format("{}: {} accesses wait, {} in the cache, fills {}", cache_.idle() ? "idle" : "busy",
                     waiting_.size(), busy_, memory_.idle() ? "none" : "some");
}

bool CachedTable::tick(Cycle now) {
  if (idle()) return false;
  if (!waiting_.empty() && !free_ids_.empty()) {
    const Asked& next = waiting_.front();
    const std::uint32_t id = free_ids_.back();
    if (cache_.push(now, {next.reader == nullptr, next.index, next.value, id})) {
      readers_[id] = next.reader;
      free_ids_.pop_back();
      ++busy_;
      waiting_.pop_front();
    }
  }
  const bool taken = memory_.take(now, cache_.mem_req(), [this](std::uint32_t sector) {
    if (!cookie_) cookie_ = engine_.ticket(*this, sector);
    return cookie_;
  });
  if (taken) cookie_ = 0;
  const bool moved = memory_.give(cache_.mem_rsp()) || taken;
  const bool active = moved || !cache_.idle() || !waiting_.empty();
  cache_.tick(now);
  return active || !cache_.idle();
}

}  // namespace warpsieve::schemes
