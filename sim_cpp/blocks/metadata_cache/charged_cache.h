// ChargedCache: a metadata cache whose hits answer `cycles` after the request (CMD Table II: 20), or after the
// block's own 3 if that is longer; pipelined (decision C16). `now` counts its owner's cycles.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "blocks/metadata_cache/metadata_cache.h"
#include "core/ring.h"

namespace warpsieve::metadata_cache {

class ChargedCache {
 public:
  ChargedCache(std::unique_ptr<MetadataCache> cache, unsigned cycles)
      : cache_(std::move(cache)), delay_(cycles > kOwnCycles ? cycles - kOwnCycles : 0), req_(cache_->req()),
        rsp_(cache_->rsp()), line_(delay_ + std::size_t{1}), hits_(kOwnCycles + std::size_t{1}) {}
  void reset() {
    cache_->reset();
    while (!line_.empty()) line_.pop();
    while (!hits_.empty()) hits_.pop();
    awake_ = held_ = false;
  }
  /// At most one per cycle; false: not now.
  bool push(std::uint64_t now, const MetaReq& req) {
    if (delay_ == 0) {
      wake();
      return req_.push(req);
    }
    if (line_.full()) return false;
    line_.push({now + delay_, req});
    return true;
  }
  /// The response on offer, or nullptr; pop() takes it.
  const MetaRsp* front(std::uint64_t now) const {
    if (!hits_.empty()) return hits_.front().first <= now ? &hits_.front().second : nullptr;
    return awake_ ? rsp_.front() : nullptr;
  }
  void pop() {
    if (hits_.empty())
      rsp_.pop();
    else
      hits_.pop();
  }
  /// Whoever takes something there sees to it that tick() follows in this cycle.
  OutPort<MetaMemReq>& mem_req() { return cache_->mem_req(); }
  /// To push a fill; the cache is then clocked in the next tick().
  InPort<MetaMemRsp>& mem_rsp() {
    wake();
    return cache_->mem_rsp();
  }
  /// In every cycle while not idle, and in those in which a fill came through mem_rsp(). The cache itself is clocked
  /// only when it has something to do.
  void tick(std::uint64_t now) {
    if (!line_.empty() && line_.front().first <= now) start(now);
    if (awake_ && !(held_ && cache_->held())) {
      cache_->tick();
      awake_ = !cache_->idle();
      held_ = awake_ && cache_->held();
    }
  }
  /// False: no request to the memory is on offer.
  bool awake() const { return awake_; }
  /// First cycle in which something new may be on offer or tick() changes something, if nothing is pushed and nothing
  /// taken from mem_req().
  std::uint64_t due() const {
    if (awake_ && !held_) return 0;
    const std::uint64_t asked = line_.empty() ? kForever : line_.front().first;
    return hits_.empty() ? asked : std::min(asked, hits_.front().first);
  }
  /// How many ticks from `now` on change nothing, if nothing is pushed and nothing taken from mem_req(); the cycles
  /// of a hit count as changes whether the cache is clocked in them or not.
  std::uint64_t quiet(std::uint64_t now) const {
    if ((awake_ && !held_) || !hits_.empty()) return 0;
    if (line_.empty()) return kForever;
    // Due and not taken: all parks wait for the memory.
    return line_.front().first > now ? line_.front().first - now : req_.ready() ? 0 : kForever;
  }
  static constexpr std::uint64_t kForever = ~std::uint64_t{0};
  bool idle() const { return line_.empty() && hits_.empty() && cache_->idle(); }

 private:
  static constexpr unsigned kOwnCycles = 3;
  /// The request that is due goes into the cache. A hit that would be alone in it is answered without clocking it.
  void start(std::uint64_t now) {
    if (!hits_.full())
      if (const auto answer = cache_->hit_at_once(line_.front().second)) {
        hits_.push({now + kOwnCycles, *answer});
        line_.pop();
        return;
      }
    if (!req_.push(line_.front().second)) return;
    line_.pop();
    wake();
  }
  void wake() {
    awake_ = true;
    held_ = false;
  }
  std::unique_ptr<MetadataCache> cache_;
  unsigned delay_;
  InPort<MetaReq>& req_;  // of the block
  OutPort<MetaRsp>& rsp_;
  Ring<std::pair<std::uint64_t, MetaReq>> line_;  ///< {due, request}; it stalls only at its head
  Ring<std::pair<std::uint64_t, MetaRsp>> hits_;  ///< {due, answer}: those that the block was not clocked for
  bool awake_ = false;                            ///< the block is not idle, or something was pushed into it
  bool held_ = false;                             ///< it was held() after its last tick
};

}  // namespace warpsieve::metadata_cache
