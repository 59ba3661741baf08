#include "schemes/justit/justit_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

#include "memsys/profile.h"
#include "memsys/sm/occupancy.h"

namespace warpsieve::schemes {

using namespace memsys;

namespace {
constexpr unsigned kDataCycles = 1;  // decision J8
}

JustitPort::JustitPort(const JustitParams& p, const JustitVariant& variant, Backend backend,
                       const std::string& instance, L1PortOwner& host, Stats& s)
    : name_(instance), host_(host), bypass_(variant.bypass), shared_memory_(variant.shared_memory),
      forget_(p.forget_per_kernel != 0), measure_(p.measure_blocks != 0), tag_cycles_(p.tag_cycles),
      shared_latency_(host.profile().sm.shared_latency), lifetimes_(s),
      one_sector_(s.add("justit.one_sector_loads", "line requests", "loads that ask for one sector of the line")),
      bypasses_(s.add("justit.bypasses", "line requests", "of these: missed and fetched without a fill")),
      bypass_merges_(s.add("justit.bypass_merges", "line requests", "... and already on their way")),
      shm_hits_(s.add("justit.shm_hits", "sectors", "one-sector loads answered by spare shared memory")),
      shm_stale_(s.add("justit.shm_stale_hits", "sectors", "of these: other than what the L2 holds now")),
      shm_fills_(s.add("justit.shm_fills", "sectors", "put into spare shared memory")),
      shm_evictions_(s.add("justit.shm_evictions", "sectors", "of these: in the place of another")),
      shm_stores_(s.add("justit.shm_stores", "sectors", "stored to and updated in spare shared memory")),
      shm_dropped_(s.add("justit.shm_dropped", "sectors",
                         "dropped from spare shared memory: multi-sector loads of the line, atomics")),
      shm_waits_(s.add("justit.shm_wait_cycles", "cycles", "hits waited for earlier shared-memory accesses")),
      shm_sets_(s.add("justit.shm_sets", "sets", "sets of spare shared memory, summed over SMs and kernels")),
      shm_lookups_(s.add("justit.shm_lookups", "sets", "whose tags in shared memory were read")) {
  if (variant.predicts())
    predictor_ = make_sector_predictor({p.counters, p.counter_bits, p.hashes, p.threshold, p.period}, backend,
                                       instance + ".bloom_predictor", s);
}

LoadNeeds JustitPort::needs(const LineAccess& access, SectorMask hit, SectorMask pending) const {
  auto missing = static_cast<SectorMask>(access.mask & ~hit);
  if (missing && std::has_single_bit(access.mask) &&
      store_.holds(sector_of(access.line, static_cast<unsigned>(std::countr_zero(access.mask)))))
    missing = 0;
  return {missing != 0, (missing & ~pending) != 0};
}

LoadPlan JustitPort::load(Cycle now, const LineAccess& access, SectorMask hit, SectorMask pending) {
  LoadPlan plan;
  if (std::has_single_bit(access.mask)) {
    ++one_sector_;
    plan = load_one(now, access, hit, pending);
  } else {
    plan.hit = static_cast<SectorMask>(access.mask & hit);
    plan.fetch = static_cast<SectorMask>(access.mask & ~hit);
    if (plan.fetch) drop(now, access.line, kAllSectors);
  }
  if (measure_ && (plan.hit || (plan.fetch && plan.keep == LoadPlan::Keep::l1)))
    lifetimes_.load(access.line, access.mask, hit, pending);
  return plan;
}

LoadPlan JustitPort::load_one(Cycle now, const LineAccess& access, SectorMask hit, SectorMask pending) {
  const auto sector = static_cast<unsigned>(std::countr_zero(access.mask));
  const bool seen = predictor_ && predictor_->seen(now, access.line, sector);
  const std::uint8_t* held = store_.read(sector_of(access.line, sector));
  LoadPlan plan;
  plan.hit = static_cast<SectorMask>(access.mask & hit);
  if (held) {
    if (plan.hit)
      throw std::logic_error(
          fmt::format("{}: sector {} of line {} is in the L1 and in shared memory", name_, sector, access.line));
    check(now, access.line, sector, held);
    ++shm_hits_;
    const Cycle done = occupy(now, tag_cycles_ + kDataCycles) + shared_latency_;
    shm_waits_ += done - now - (tag_cycles_ + kDataCycles) - shared_latency_;
    plan.held = access.mask;
    plan.latency = static_cast<std::uint32_t>(done - now);
    return plan;
  }
  if (store_.sets()) occupy(now, tag_cycles_);
  plan.fetch = static_cast<SectorMask>(access.mask & ~plan.hit);
  if (!plan.fetch) return plan;
  if (seen && store_.sets()) {
    plan.keep = LoadPlan::Keep::port;
  } else if (!seen && bypass_) {
    plan.keep = LoadPlan::Keep::none;
    ++(plan.fetch & pending ? bypass_merges_ : bypasses_);
  }
  return plan;
}

void JustitPort::fill(Cycle now, GlobalLine line, SectorMask mask, const LineData& data) {
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(mask >> s & 1)) continue;
    const std::uint64_t sector = sector_of(line, s);
    occupy(now, tag_cycles_ + kDataCycles);
    ++shm_fills_;
    if (const auto evicted = store_.insert(sector, data.sector(s))) {
      ++shm_evictions_;
      put_in_.erase(*evicted);
    }
    std::copy_n(data.sector(s), kSectorBytes, put_in_[sector].begin());
  }
}

void JustitPort::store(Cycle now, const LineAccess& access) {
  if (measure_) lifetimes_.store(access.line);
  if (!store_.sets()) return;
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(access.mask >> s & 1)) continue;
    const std::uint64_t sector = sector_of(access.line, s);
    const bool present = store_.write(sector, access.data.sector(s), access.bytes[s]);
    occupy(now, present ? tag_cycles_ + kDataCycles : tag_cycles_);
    if (!present) continue;
    ++shm_stores_;
    SpareSharedMemory::Sector& expected = put_in_[sector];
    for (unsigned b = 0; b < kSectorBytes; ++b)
      if (access.bytes[s] >> b & 1) expected[b] = access.data.sector(s)[b];
  }
}

void JustitPort::atomic(Cycle now, const LineAccess& access) { drop(now, access.line, access.mask); }

void JustitPort::evicted(Cycle, GlobalLine line, SectorMask valid) {
  if (measure_) lifetimes_.ended(line, valid);
}

void JustitPort::lost_at_end(GlobalLine line, SectorMask valid) {
  if (measure_) lifetimes_.ended(line, valid);
}

void JustitPort::start_kernel(Cycle now, const simt::LaunchShape& shape) {
  store_.resize(shared_memory_ ? spare_shared_bytes(host_.profile().sm, shape) : 0);
  put_in_.clear();
  shm_sets_ += store_.sets();
  free_at_ = now;
  if (forget_ && predictor_) predictor_->forget();
}

void JustitPort::end_kernel() {
  store_.clear();
  put_in_.clear();
  lifetimes_.end_kernel();
}

/// Takes the shared memory for so many cycles, the first of them to read the tags of a set; returns when they are
/// over.
Cycle JustitPort::occupy(Cycle now, unsigned cycles) {
  ++shm_lookups_;
  free_at_ = std::max(free_at_, now) + cycles;
  return free_at_;
}

void JustitPort::check(Cycle now, GlobalLine line, unsigned sector, const std::uint8_t* data) {
  const auto at = put_in_.find(sector_of(line, sector));
  if (at == put_in_.end() || std::memcmp(at->second.data(), data, kSectorBytes) != 0)
    throw std::logic_error(fmt::format(
        "{}: shared memory gives other bytes for sector {} of line {} than were put in", name_, sector, line));
  if (!host_.up_to_date(now, line, sector, data)) ++shm_stale_;
}

void JustitPort::drop(Cycle now, GlobalLine line, SectorMask mask) {
  if (!store_.sets()) return;
  occupy(now, tag_cycles_);
  for (unsigned s = 0; s < kSectors; ++s)
    if ((mask >> s & 1) && store_.erase(sector_of(line, s))) {
      ++shm_dropped_;
      put_in_.erase(sector_of(line, s));
    }
}

}  // namespace warpsieve::schemes
