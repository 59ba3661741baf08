// ChargedCache: a metadata cache whose hits answer `cycles` after the request (CMD Table II: 20), or after the
// block's own 3 if that is longer; pipelined (decision C16). `now` counts its owner's cycles. The owner takes a
// response in the first cycle in which it is on offer.
//
// While no request waits before the block or in it, a hit is looked up when it is pushed and not when it is due
// there: until then nothing comes that could change the answer or which line it replaces, for requests go on in their
// order.
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
        rsp_(cache_->rsp()), line_(delay_ + std::size_t{1}), hits_(delay_ + kOwnCycles + std::size_t{1}) {}
  void reset() {
    cache_->reset();
    while (!line_.empty()) line_.pop();
    while (!hits_.empty()) hits_.pop();
    awake_ = held_ = false;
    inside_ = 0;
  }
  /// At most one per cycle; false: not now.
  bool push(std::uint64_t now, const MetaReq& req) {
    if (delay_ == 0) {
      wake();
      const bool taken = req_.push(req);
      inside_ += taken;
      return taken;
    }
    if (line_.empty() && inside_ == 0 && answered_at_once(now + delay_, req)) return true;
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
    if (!hits_.empty()) return hits_.pop();
    rsp_.pop();
    --inside_;
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
  /// There is nothing but answers that wait for their cycle: tick() does nothing.
  bool sure() const { return !awake_ && line_.empty(); }
  /// False: no request to the memory is on offer.
  bool awake() const { return awake_; }
  /// First cycle in which a response may be on offer or tick() changes something, if nothing is pushed and nothing
  /// taken from mem_req().
  std::uint64_t due() const {
    if (awake_ && !held_) return 0;
    return hits_.empty() ? unsure_from() : std::min(unsure_from(), hits_.front().first);
  }
  /// There are requests not yet known to hit or miss,
  bool unsure() const { return !line_.empty(); }
  /// and this is the first cycle in which one of them is looked up.
  std::uint64_t unsure_from() const {
    // A block that is not ready now has no park left: it waits for the memory.
    return line_.empty() || !req_.ready() ? kForever : line_.front().first;
  }
  /// First cycle in which a request goes into the cache, is looked at there or is answered by it, whether the cache
  /// is clocked for it or not.
  std::uint64_t works_from() const {
    const std::uint64_t next = due();
    return hits_.empty() ? next : std::min(next, hits_.front().first - kOwnCycles);
  }
  static constexpr std::uint64_t kForever = ~std::uint64_t{0};
  static constexpr unsigned kOwnCycles = 3;  ///< a hit's in the block
  bool idle() const { return line_.empty() && hits_.empty() && cache_->idle(); }

 private:
  /// The request that is due goes into the cache. A hit that would be alone in it is answered without clocking it.
  void start(std::uint64_t now) {
    if (!answered_at_once(now, line_.front().second)) {
      if (!req_.push(line_.front().second)) return;
      ++inside_;
      wake();
    }
    line_.pop();
  }
  /// `start`: the cycle in which it would go into the cache.
  bool answered_at_once(std::uint64_t start, const MetaReq& req) {
    if (hits_.full()) return false;
    auto& [due, answer] = hits_.coming();
    if (!cache_->hit_at_once(req, answer)) return false;
    due = start + kOwnCycles;
    hits_.next();
    return true;
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
  unsigned inside_ = 0;                           ///< requests that the block was given and has not answered
  bool awake_ = false;                            ///< the block is not idle, or something was pushed into it
  bool held_ = false;                             ///< it was held() after its last tick
};

}  // namespace warpsieve::metadata_cache
