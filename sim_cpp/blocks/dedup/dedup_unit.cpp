#include "blocks/dedup/dedup_unit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "core/secded.h"
#include "cosim/one_at_a_time.h"

namespace warpsieve::dedup {

using metadata_cache::ChargedCache;
using metadata_cache::MetadataCacheParams;

namespace {

constexpr std::uint64_t kLongestHash = 10000;  // cycles; ten times what the slowest hasher takes
constexpr unsigned kLongestClear = 1u << 26;   // cycles: sets of the hash store, words of the region filter
constexpr unsigned kEntryBits[kMetas] = {2, 4, 32, 1};

template <class T>
bool move_item(OutPort<T>& from, InPort<T>& to) {
  const T* item = from.front();
  if (!item || !to.push(*item)) return false;
  from.pop();
  return true;
}

/// The check bytes of the masked sectors, 0 for the others. The hash store takes its set from the first byte, which
/// therefore gets the sum of all; nothing is lost.
md5::Digest ecc_digest(const md5::LineHashReq& req) {
  md5::Digest digest{};
  for (unsigned word = 0; word < digest.size(); ++word) {
    std::uint64_t value = 0;
    for (unsigned b = 0; b < 8; ++b) value |= std::uint64_t{req.data[8 * word + b]} << 8 * b;
    if (req.mask >> word / 4 & 1) digest[word] = secded::check_byte(value);
  }
  for (unsigned word = 1; word < digest.size(); ++word) digest[0] ^= digest[word];
  return digest;
}

std::unique_ptr<md5::LineHasher> make_hasher(const DedupUnitParams& p, Backend backend, const std::string& name) {
  const auto one_cycle = [](const md5::LineHashReq&) { return 1u; };
  if (p.fingerprint == Fingerprint::siphash) return siphash::make_line_hasher(p.siphash, backend, name);
  if (p.fingerprint == Fingerprint::ecc)
    return make_one_at_a_time<md5::LineHashReq, md5::LineHashRsp>(
        [](const md5::LineHashReq& req) { return md5::LineHashRsp{ecc_digest(req)}; }, one_cycle);
  if (p.instant_hash)
    return make_one_at_a_time<md5::LineHashReq, md5::LineHashRsp>(
        [](const md5::LineHashReq& req) { return md5::LineHashRsp{md5::line_digest(req.mask, req.data)}; },
        one_cycle);
  return md5::make_line_hasher(p.hasher, backend, name);
}

void check(const DedupUnitParams& p) {
  const bool ecc = p.fingerprint == Fingerprint::ecc;
  bool fits = (!ecc || p.config.verify) && p.store.index_bits() == p.dedup.index_bits &&
              p.store.count_bits == p.dedup.count_bits && p.store.ref_bits == p.dedup.line_bits &&
              p.store.hash_bits <= 128 && p.store.domain_bits == (ecc ? kEccDomainBits : p.dedup.domain_bits) &&
              p.digest_bits <= 128;
  for (unsigned k = 0; k < kMetas; ++k) {
    fits = fits && p.caches[k].entry_bits == kEntryBits[k] && p.caches[k].index_bits == p.dedup.line_bits &&
           p.dedup.contexts + p.dedup.lookups + 1 < (std::uint64_t{1} << p.caches[k].id_bits);
  }
  if (!fits) throw std::invalid_argument("dedup_unit: the parameters of its blocks do not fit together");
}

}  // namespace

DedupUnitParams tiny_unit() {
  DedupUnitParams p;
  p.dedup = tiny_dedup;
  p.config.total_lines = 18;
  p.config.spare_lines = 2;
  p.store = {.sets = 2,
             .ways = 2,
             .hash_bits = 128,
             .ref_bits = 8,
             .count_bits = 3,
             .domain_bits = 2,
             .ref_sets = 4,
             .ref_ways = 2};
  for (unsigned k = 0; k < kMetas; ++k) p.caches[k] = metadata_cache::tiny_cache(kEntryBits[k]);
  return p;
}

DedupUnit::DedupUnit(const DedupUnitParams& params, const DedupUnitBackends& backends, const std::string& name,
                     const DedupFaults& faults)
    : params_(params), hasher_at_once_(backends.hasher == Backend::model) {
  check(params);
  dedup_ = make_dedup(params.dedup, params.config, backends.dedup, name + ".dedup", faults);
  ports_ = {.rd = &dedup_->rd(),
            .wr = &dedup_->wr(),
            .l2 = &dedup_->l2(),
            .dram = &dedup_->dram(),
            .dram_rsp = &dedup_->dram_rsp(),
            .meta_req = {},
            .meta_rsp = {},
            .hash = &dedup_->hash(),
            .hash_rsp = &dedup_->hash_rsp(),
            .store = &dedup_->store(),
            .store_rsp = &dedup_->store_rsp(),
            .probe = &dedup_->probe(),
            .probe_rsp = &dedup_->probe_rsp(),
            .done = &dedup_->done()};
  for (unsigned k = 0; k < kMetas; ++k) {
    ports_.meta_req[k] = &dedup_->meta_req(k);
    ports_.meta_rsp[k] = &dedup_->meta_rsp(k);
  }
  for (unsigned k = 0; k < params.dedup.hash_units; ++k) {  // a waveform of line_hasher shows the first one
    Hasher& hasher = hashers_.emplace_back();
    hasher.block =
        make_hasher(params, backends.hasher, name + ".line_hasher" + (k ? std::to_string(k) : std::string()));
    hasher.passes = dynamic_cast<PassesToAnswer*>(hasher.block.get());
  }
  store_ = hash_store::make_hash_store(params.store, backends.store, name + ".hash_store");
  static constexpr const char* names[kMetas] = {"type_cache", "mask_cache", "address_cache", "lent_cache"};
  for (unsigned k = 0; k < kMetas; ++k) {
    caches_[k] = std::make_unique<metadata_cache::ChargedCache>(
        metadata_cache::make_metadata_cache(params.caches[k], backends.caches[k],
                                            fmt::format("{}.{}", name, names[k])),
        params.metadata_cycles);
  }
  reset();
}

void DedupUnit::reset() {
  // The tables are cleared before anything is asked of the unit: its first cycle is the one after that.
  dedup_->reset();
  for (unsigned k = 0; k < kLongestClear && !dedup_->state().idle; ++k) dedup_->tick();
  for (Hasher& hasher : hashers_) {
    hasher.block->reset();
    hasher.busy = false;
  }
  hash_in_ = hash_out_ = hashing_ = 0;
  hashed_masks_.clear();
  hashed_lines_.clear();
  looked_up_.reset();
  store_->reset();
  for (unsigned k = 0; k < kLongestClear && !store_->ready(); ++k) store_->tick();
  store_awake_ = !store_->idle();
  for (auto& cache : caches_) cache->reset();
  meta_due_.fill(kForever);
  meta_next_ = kForever;
  meta_awake_ = 0;
  now_ = 0;
  offers_ = counted_ = meta_unsure_ = 0;
  rd_ready_ = ports_.rd->ready();
  awake_ = !dedup_->state().idle;
  held_ = pushed_ = false;
  stats_ = {};
}

bool DedupUnit::idle() const {
  if (awake_ || store_awake_ || hashing_) return false;
  return std::all_of(caches_.begin(), caches_.end(), [](const auto& cache) { return cache->idle(); }) &&
         std::all_of(hashers_.begin(), hashers_.end(), [](const Hasher& h) { return h.block->idle(); });
}

std::uint64_t DedupUnit::quiet() const {
  if (pushed_ || store_awake_ || meta_next_ <= now_) return 0;
  if (hashing_ == 0) {
    if (rests() && meta_next_ == kForever) return kForever;
    if (const std::uint64_t ticks = unseen()) return ticks;
  }
  if (!rests()) return 0;
  std::uint64_t ticks = kForever;
  if (hashing_) {
    if (const Hasher& hasher = hashers_[hash_out_]; hasher.busy) ticks = hasher.due > now_ ? hasher.due - now_ : 0;
    if (!hasher_at_once_ &&
        std::any_of(hashers_.begin(), hashers_.end(), [](const Hasher& h) { return h.busy && !h.block->front(); }))
      return 0;
  }
  if (meta_next_ == kForever) return ticks;
  for (const auto& cache : caches_) {
    const std::uint64_t from = cache->works_from();
    if (from != kForever) ticks = std::min(ticks, from > now_ ? from - now_ : 0);
  }
  return ticks;
}

/// Of ticks that change something inside; 0: ask for those that change nothing.
std::uint64_t DedupUnit::unseen() const {
  const std::uint64_t round_trip = std::max(params_.metadata_cycles, ChargedCache::kOwnCycles);
  // A request that misses is seen at the memory; those that are not in their caches yet are looked up there first.
  std::uint64_t ticks = rests() ? kForever : round_trip - ChargedCache::kOwnCycles;
  for (unsigned left = meta_unsure_; left; left &= left - 1) {
    const std::uint64_t from = caches_[static_cast<unsigned>(std::countr_zero(left))]->unsure_from();
    ticks = std::min(ticks, from > now_ ? from - now_ : 0);
  }
  if (ticks == 0) return 0;
  return std::min(ticks, dedup_->unseen(std::min(meta_next_ - now_, round_trip), round_trip));
}

void DedupUnit::pass(std::uint64_t ticks) {
  for (const std::uint64_t end = now_ + ticks; now_ < end; tick())
    if (rests() && (now_ = std::clamp(meta_next_, now_, end)) == end) return;
}

void DedupUnit::tick_metadata(unsigned which, bool asked) {
  ChargedCache& cache = *caches_[which];
  const unsigned bit = 1u << which;
  if (const auto* rsp = cache.front(now_)) {
    ++stats_.requests[which];
    stats_.misses[which] += rsp->missed;
    counted_ |= bit;
    if (into(*ports_.meta_rsp[which]).push(*rsp)) cache.pop();  // always taken
  }
  if (asked && cache.push(now_, *ports_.meta_req[which]->front())) ports_.meta_req[which]->pop();
  meta_awake_ &= ~bit;
  meta_unsure_ &= ~bit;
  if (!cache.sure()) {
    cache.tick(now_);
    if (cache.awake()) meta_awake_ |= bit;
    if (cache.unsure()) meta_unsure_ |= bit;
  }
  meta_due_[which] = cache.due();
}

/// Nothing reaches the hasher between a line and its digest: a model is clocked through at once and keeps the digest
/// until its time has come. RTL is clocked cycle by cycle, as its waveforms show it.
void DedupUnit::tick_hash(bool asked) {
  Hasher *taker = nullptr, *giver = nullptr;
  if (Hasher& hasher = hashers_[hash_in_]; asked && !hasher.busy) {
    if (const auto* req = ports_.hash->front(); req && hasher.block->push(*req)) {
      const unsigned chunks = md5::line_chunks(req->mask);
      if (params_.fingerprint != Fingerprint::ecc) stats_.hashed_chunks += chunks;
      counted_ |= kCountedHashes;
      hashed_masks_.push_back(req->mask);
      if (params_.keep_lines) hashed_lines_.push_back(*req);
      ports_.hash->pop();
      std::uint64_t own = 0;
      if (hasher_at_once_ && hasher.passes) own = hasher.passes->pass_to_answer();
      while (own == 0 || (hasher_at_once_ && !hasher.block->front())) {
        hasher.block->tick();
        if (++own > kLongestHash) throw std::logic_error("dedup_unit: the line hasher does not answer");
      }
      const bool charged = params_.fingerprint == Fingerprint::md5 && !params_.instant_hash;
      hasher.due = now_ + std::max(own, charged ? std::uint64_t{params_.hash_cycles_per_chunk} * chunks : 0);
      hasher.busy = true;
      ++hashing_;
      taker = &hasher;
      hash_in_ = (hash_in_ + 1) % hashers_.size();
    }
  }
  if (!hashing_) return;
  if (Hasher& hasher = hashers_[hash_out_]; hasher.busy && &hasher != taker && now_ >= hasher.due) {
    if (const md5::LineHashRsp* rsp = hasher.block->front()) {
      md5::LineHashRsp digest = *rsp;
      for (unsigned bit = params_.digest_bits; bit < 128; ++bit)
        digest.digest[bit / 8] &= static_cast<std::uint8_t>(~(1u << bit % 8));
      if (into(*ports_.hash_rsp).push(digest)) {
        hasher.block->pop();
        hasher.block->tick();
        hasher.busy = false;
        --hashing_;
        giver = &hasher;
        hash_out_ = (hash_out_ + 1) % hashers_.size();
      }
    }
  }
  if (hasher_at_once_) return;  // they have their digests
  for (Hasher& hasher : hashers_) {
    if (hasher.busy && &hasher != taker && &hasher != giver && !hasher.block->front()) hasher.block->tick();
  }
}

bool DedupUnit::move_store_request() {
  const hash_store::HashStoreReq* item = ports_.store->front();
  if (!item) return false;
  hash_store::HashStoreReq req = *item;
  const bool by_hash = req.op == hash_store::HashStoreOp::lookup || req.op == hash_store::HashStoreOp::insert;
  const bool lookup = req.op == hash_store::HashStoreOp::lookup;  // one for each line hashed, in their order
  if (by_hash && params_.fingerprint == Fingerprint::ecc)
    req.domain = lookup ? hashed_masks_.front() : looked_up_mask_;
  if (!store_->push(req)) return false;
  if (lookup) {
    looked_up_mask_ = hashed_masks_.front();
    hashed_masks_.pop_front();
    if (params_.keep_lines) {
      looked_up_ = hashed_lines_.front();
      hashed_lines_.pop_front();
    }
  }
  ports_.store->pop();
  return true;
}

void DedupUnit::count() {
  if (const DoneEvent* e = ports_.done->front()) {
    ++stats_.outcomes[static_cast<unsigned>(e->outcome)];
    stats_.no_entry += e->no_entry;
    stats_.saturated += e->saturated;
    stats_.partial_limit += e->partial_limit;
    stats_.evicted += e->evicted;
    stats_.scanned += e->scanned;
    stats_.verified += e->verified;
    stats_.collisions += e->collision;
    stats_.passed += e->passed;
    stats_.verify_read_sectors += std::popcount(e->verify_read);
    stats_.dedup_read_sectors += std::popcount(e->read);
    stats_.written_sectors += std::popcount(e->written);
  }
}

/// What only writes need: the hashers, the hash store, counts.
void DedupUnit::tick_writes() {
  if (offers_ & offer_done) count();
  if ((offers_ & offer_hash) || (hashing_ && (!hasher_at_once_ || now_ >= hashers_[hash_out_].due)))
    tick_hash(offers_ & offer_hash);
  store_awake_ |= (offers_ & offer_store) && move_store_request();
  if (!store_awake_) return;
  move_item<hash_store::HashStoreRsp>(*store_, into(*ports_.store_rsp));
  store_->tick();
  store_awake_ = !store_->idle();
}

void DedupUnit::tick() {
  if (offers_ & (offer_done | offer_hash | offer_store) || hashing_ || store_awake_) tick_writes();
  unsigned metas = offers_ & ((1u << kMetas) - 1);
  if (meta_next_ <= now_)
    for (unsigned which = 0; which < kMetas; ++which) metas |= unsigned{meta_due_[which] <= now_} << which;
  if (metas) {
    for (; metas; metas &= metas - 1) {
      const auto which = static_cast<unsigned>(std::countr_zero(metas));
      tick_metadata(which, offers_ >> which & 1);
    }
    meta_next_ = *std::min_element(meta_due_.begin(), meta_due_.end());
  }
  if (awake_ || pushed_) {
    dedup_->tick();
    const Dedup::State state = dedup_->state();
    awake_ = !state.idle;
    offers_ = awake_ ? state.offers : 0;
    held_ = state.held;
    rd_ready_ = state.rd_ready;
    pushed_ = false;
  }
  ++now_;
}

metadata_cache::SectorData DedupUnit::initial_metadata(unsigned which, std::uint32_t sector) const {
  metadata_cache::SectorData data{};
  const unsigned bits = kEntryBits[which];
  const std::uint32_t value = which == meta_type ? 1 : which == meta_mask ? 0xf : 0;
  if (!value) return data;
  const unsigned per_sector = params_.caches[which].entries_per_sector();
  const std::uint32_t first_spare = params_.config.total_lines - params_.config.spare_lines;
  for (unsigned k = 0; k < per_sector; ++k) {
    const std::uint64_t line = std::uint64_t{sector} * per_sector + k;
    if (line < first_spare || line >= params_.config.total_lines) continue;
    data[k * bits / 8] |= static_cast<std::uint8_t>(value << (k * bits % 8));
  }
  return data;
}

}  // namespace warpsieve::dedup
