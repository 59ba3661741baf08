// Reference of a memory stage with an AVC: program order, ideal L1 and memory, exactly as the port contract in
// blocks/affine_cache/affine_cache.h asks, and nothing kinder: fetches take any time and come back in any order,
// the L1 may evict any line at any time. Throws std::runtime_error when a load reads anything but the last
// write, or when a word is valid in the AVC and in the L1.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>

#include "blocks/affine_cache/affine_cache.h"

namespace warpsieve::affine_cache {

struct Line {
  Vector words{};
  std::uint32_t valid = 0, dirty = 0;
};

inline void merge(Vector& to, const Vector& from, std::uint32_t mask) {
  for (unsigned lane = 0; lane < affine::kMaxLanes; ++lane) {
    if (mask >> lane & 1) to[lane] = from[lane];
  }
}

struct Tallies {
  unsigned loads = 0, full_hits = 0, partial_hits = 0, l1_hits = 0, fetches = 0, merged = 0;
  unsigned affine_stores = 0, generic_stores = 0, affine_fills = 0, generic_fills = 0, second_fills = 0;
  unsigned write_backs = 0, merged_write_backs = 0, l1_evictions = 0, stale_fill_words = 0;
  unsigned requests = 0;
};

/// What the bench leaves out on purpose, to show that it notices.
enum class Mistake { none, no_l1_clear, stale_fill, no_l1_merge };

class Bench {
 public:
  struct Knobs {
    unsigned offer_percent = 80, accept_percent = 80, evict_percent = 2, arrive_percent = 20;
    bool fill_full = false;
    Mistake mistake = Mistake::none;
    std::uint32_t seed = 1;
  };
  Bench(AffineCache& avc, const AffineCacheParams& params, const Knobs& knobs)
      : avc_(avc), params_(params), knobs_(knobs), random_(knobs.seed) {}

  /// Runs the accesses (loads, stores, flushes; no fills) in order, then flushes everything and compares memory.
  void run(const std::vector<AvcReq>& program) {
    std::size_t next = 0;
    std::uint64_t idle = 0;
    const auto busy = [&] { return next < program.size() || !sent_.empty() || !fetches_.empty(); };
    while (busy()) {
      const std::size_t before = next + handled_;
      cycle(next < program.size() ? &program[next] : nullptr, next);
      idle = next + handled_ == before ? idle + 1 : 0;
      if (idle > 5000) throw std::runtime_error("bench: no progress");
    }
    const AvcReq flush{.op = AvcOp::flush};
    std::size_t flushed = 0;
    for (int i = 0; flushed == 0 || !sent_.empty(); ++i) {
      cycle(flushed == 0 ? &flush : nullptr, flushed);
      if (i > 100000) throw std::runtime_error("bench: the flush does not end");
    }
    for (auto& [number, line] : l1_) evict(number, line);
    for (auto& [number, words] : golden_) {
      if (memory(number) != words) throw std::runtime_error(fmt::format("bench: memory of line {:#x}", number));
    }
  }
  const Tallies& tallies() const { return tallies_; }

 private:
  struct Fetch {
    std::uint32_t line = 0, wanted = 0, fresh = 0;
    Vector words{};
    bool arrived = false, in_avc = false, full = false;
  };
  struct Sent {
    AvcReq req;
    Vector expected{};
    Fetch* fetch = nullptr;
  };

  bool chance(unsigned percent) { return random_() % 100 < percent; }
  std::uint32_t lanes() const { return params_.vector.lane_mask(); }
  /// Memory never written: a mixture of uniform, affine and generic lines.
  Vector initial(std::uint32_t number) const {
    Vector words{};
    for (unsigned lane = 0; lane < params_.vector.lanes; ++lane) {
      const std::uint32_t step = number % 3 == 0 ? 0 : number % 3 == 1 ? lane : lane * lane * 77;
      words[lane] = (number * 64 + step) & params_.vector.value_mask();
    }
    return words;
  }
  Vector& memory(std::uint32_t number) { return memory_.try_emplace(number, initial(number)).first->second; }
  Vector& golden(std::uint32_t number) { return golden_.try_emplace(number, initial(number)).first->second; }

  void check(const Vector& got, const Sent& sent, std::uint32_t mask, const char* where) const {
    for (unsigned lane = 0; lane < params_.vector.lanes; ++lane) {
      if ((mask >> lane & 1) && got[lane] != sent.expected[lane]) {
        throw std::runtime_error(fmt::format("bench: line {:#x} lane {} from {}: {:#x}, last written {:#x}",
                                             sent.req.line, lane, where, got[lane], sent.expected[lane]));
      }
    }
  }
  void evict(std::uint32_t number, Line& line) {
    merge(memory(number), line.words, line.dirty);
    if (line.valid) ++tallies_.l1_evictions;
    line = {};
  }

  /// A request enters the AVC; program order is the order of these calls.
  bool push(const AvcReq& req, Fetch* fetch) {
    if (!avc_.push(req)) return false;
    ++tallies_.requests;
    Sent sent{req, {}, fetch};
    if (req.op == AvcOp::load) sent.expected = golden(req.line);
    if (req.op == AvcOp::store) {
      merge(golden(req.line), req.data, req.mask);
      for (Fetch& f : fetches_) {
        if (f.line == req.line && knobs_.mistake != Mistake::stale_fill) f.fresh &= ~req.mask;
      }
    }
    sent_.push_back(sent);
    return true;
  }

  void cycle(const AvcReq* access, std::size_t& next) {
    if (!offer_ && chance(knobs_.offer_percent)) offer_ = choose_offer(access);
    if (offer_ && push(offer_->req, offer_->fetch)) {
      if (!offer_->fetch) ++next;
      offer_.reset();
    }
    if (const AvcRsp* rsp = avc_.front(); rsp && chance(knobs_.accept_percent)) {
      handle(*rsp);
      avc_.pop();
      ++handled_;
    }
    if (chance(knobs_.evict_percent) && !l1_.empty()) {
      auto at = l1_.begin();
      std::advance(at, random_() % l1_.size());
      evict(at->first, at->second);
    }
    avc_.tick();
    for (Fetch& f : fetches_) {
      if (!f.arrived && chance(knobs_.arrive_percent)) f.arrived = true;
    }
  }

  struct Offer {
    AvcReq req;
    Fetch* fetch = nullptr;
  };
  /// A fill that has arrived, or the next access. Once offered it stands, but a fill's mask is only settled when
  /// it is taken, so fills are offered while the AVC is ready.
  std::optional<Offer> choose_offer(const AvcReq* access) {
    if (avc_.ready() && (!access || chance(50))) {
      for (auto f = fetches_.begin(); f != fetches_.end(); ++f) {
        if (!f->arrived || f->in_avc) continue;
        const std::uint32_t mask = f->fresh & (f->full ? lanes() : f->wanted);
        if (mask != (f->full ? lanes() : f->wanted)) ++tallies_.stale_fill_words;
        if (!mask) {
          fetches_.erase(f);
          return {};
        }
        f->in_avc = true;
        return Offer{{AvcOp::fill, f->line, mask, f->words}, &*f};
      }
    }
    return access ? std::optional<Offer>{{*access, nullptr}} : std::nullopt;
  }

  void handle(const AvcRsp& rsp) {
    Line& l1 = l1_[rsp.line];
    if (rsp.write_back) {
      if (rsp.mask & l1.valid) throw std::runtime_error("bench: written back but valid in the L1");
      ++tallies_.write_backs;
      if (l1.dirty) ++tallies_.merged_write_backs;
      merge(memory(rsp.line), rsp.data, rsp.mask);
      if (knobs_.mistake != Mistake::no_l1_merge) merge(memory(rsp.line), l1.words, l1.dirty);
      l1 = {};
      return;
    }
    if (sent_.empty()) throw std::runtime_error("bench: an answer too many");
    const Sent sent = sent_.front();
    sent_.pop_front();
    if (sent.req.op != AvcOp::flush && sent.req.line != rsp.line)
      throw std::runtime_error("bench: answers out of order");
    switch (sent.req.op) {
      case AvcOp::load: return loaded(sent, rsp, l1);
      case AvcOp::store:
        ++(rsp.affine ? tallies_.affine_stores : tallies_.generic_stores);
        if (rsp.affine) return clear(l1, rsp.mask);
        merge(l1.words, sent.req.data, sent.req.mask);
        l1.valid |= sent.req.mask;
        l1.dirty |= sent.req.mask;
        return;
      case AvcOp::fill: return filled(sent, rsp, l1);
      case AvcOp::flush: return;
    }
  }
  void clear(Line& l1, std::uint32_t mask) {
    if (knobs_.mistake == Mistake::no_l1_clear) return;
    l1.valid &= ~mask;
    l1.dirty &= ~mask;
  }

  void loaded(const Sent& sent, const AvcRsp& rsp, Line& l1) {
    ++tallies_.loads;
    if (rsp.mask & l1.valid) throw std::runtime_error("bench: a word is valid in the AVC and valid in the L1");
    const std::uint32_t hit = sent.req.mask & rsp.mask;
    check(rsp.data, sent, hit, "the AVC");
    std::uint32_t rest = sent.req.mask & ~hit;
    if (!rest) ++tallies_.full_hits;
    if (rest && hit) ++tallies_.partial_hits;
    if (rest & l1.valid) ++tallies_.l1_hits;
    check(l1.words, sent, rest & l1.valid, "the L1");
    rest &= ~l1.valid;
    if (!rest) return;
    for (Fetch& f : fetches_) {  // wait for a fetch under way, if nothing missing was stored since
      if (f.line != sent.req.line || f.in_avc || (rest & ~f.fresh)) continue;
      check(f.words, sent, rest, "a fetch under way");
      f.wanted |= rest;
      ++tallies_.merged;
      return;
    }
    std::uint32_t fresh = lanes() & ~rsp.mask & ~l1.valid;
    for (const Sent& later : sent_) {
      if (later.req.op == AvcOp::store && later.req.line == sent.req.line) fresh &= ~later.req.mask;
    }
    fetches_.push_back({sent.req.line, rest, fresh, memory(sent.req.line), false, false, knobs_.fill_full});
    check(memory(sent.req.line), sent, rest, "memory");
    ++tallies_.fetches;
  }

  void filled(const Sent& sent, const AvcRsp& rsp, Line& l1) {
    Fetch& f = *sent.fetch;
    f.in_avc = false;
    const bool again = !rsp.affine && std::exchange(f.full, false) && (f.fresh & f.wanted) != sent.req.mask;
    if (again) {
      ++tallies_.second_fills;
      return;  // the access mask alone next
    }
    ++(rsp.affine ? tallies_.affine_fills : tallies_.generic_fills);
    if (rsp.affine) {
      clear(l1, rsp.mask);
    } else {
      const std::uint32_t words = rsp.mask & f.fresh & ~l1.valid;
      merge(l1.words, f.words, words);
      l1.valid |= words;
    }
    fetches_.remove_if([&](const Fetch& other) { return &other == &f; });
  }

  AffineCache& avc_;
  AffineCacheParams params_;
  Knobs knobs_;
  std::minstd_rand random_;
  std::map<std::uint32_t, Line> l1_;
  std::map<std::uint32_t, Vector> memory_, golden_;
  std::deque<Sent> sent_;
  std::list<Fetch> fetches_;
  std::optional<Offer> offer_;
  std::uint64_t handled_ = 0;
  Tallies tallies_;
};

}  // namespace warpsieve::affine_cache
