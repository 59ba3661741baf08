// ChargedCache: a metadata cache whose hits answer `cycles` after the request (CMD Table II: 20), or after the
// block's own 3 if that is longer; pipelined (decision C16).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <utility>

#include "blocks/metadata_cache/metadata_cache.h"

namespace warpsieve::metadata_cache {

class ChargedCache {
 public:
  ChargedCache(std::unique_ptr<MetadataCache> cache, unsigned cycles)
      : cache_(std::move(cache)), delay_(cycles > kOwnCycles ? cycles - kOwnCycles : 0) {}
  void reset() {
    cache_->reset();
    line_.clear();
    now_ = 0;
  }
  /// At most one per cycle; false: not now.
  bool push(const MetaReq& req) {
    if (delay_ == 0) return cache_->req().push(req);
    if (line_.size() > delay_) return false;
    line_.push_back({now_ + delay_, req});
    return true;
  }
  OutPort<MetaRsp>& rsp() { return cache_->rsp(); }
  OutPort<MetaMemReq>& mem_req() { return cache_->mem_req(); }
  InPort<MetaMemRsp>& mem_rsp() { return cache_->mem_rsp(); }
  /// In every cycle while not idle, and in those in which a fill came through mem_rsp().
  void tick() {
    if (!line_.empty() && line_.front().first <= now_ && cache_->req().push(line_.front().second)) line_.pop_front();
    cache_->tick();
    ++now_;
  }
  bool idle() const { return line_.empty() && cache_->idle(); }

 private:
  static constexpr unsigned kOwnCycles = 3;
  std::unique_ptr<MetadataCache> cache_;
  unsigned delay_;
  std::deque<std::pair<std::uint64_t, MetaReq>> line_;  ///< {due, request}; it stalls only at its head
  std::uint64_t now_ = 0;
};

}  // namespace warpsieve::metadata_cache
