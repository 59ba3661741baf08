// JustitPort: what the schemes lamar, lamar+bypass, lamar+shm and justit do beside one L1; see justit.h.
//
// Of data that shared memory gives, two things are checked each time: whether it is what the L2 holds now (a
// copy may be older or newer, as in the L1: justit.shm_stale_hits), and whether it is what was put in and stored
// since, kept beside it in a plain map (anything else is corruption: std::logic_error).
#pragma once

#include <tsl/robin_map.h>

#include <memory>
#include <string>

#include "core/key_hash.h"
#include "memsys/ports.h"
#include "schemes/justit/block_lifetimes.h"
#include "schemes/justit/justit.h"
#include "schemes/justit/sector_predictor.h"
#include "schemes/justit/spare_shared_memory.h"

namespace warpsieve::schemes {

class JustitPort final : public memsys::L1Port {
 public:
  JustitPort(const JustitParams& params, const JustitVariant& variant, Backend backend, const std::string& instance,
             memsys::L1PortOwner& host, Stats& stats);

  memsys::LoadNeeds needs(const memsys::LineAccess& access, memsys::SectorMask hit,
                          memsys::SectorMask pending) const override;
  memsys::LoadPlan load(Cycle now, const memsys::LineAccess& access, memsys::SectorMask hit,
                        memsys::SectorMask pending) override;
  void fill(Cycle now, memsys::GlobalLine line, memsys::SectorMask mask, const memsys::LineData& data) override;
  void store(Cycle now, const memsys::LineAccess& access) override;
  void atomic(Cycle now, const memsys::LineAccess& access) override;
  void evicted(Cycle now, memsys::GlobalLine line, memsys::SectorMask valid) override;
  void lost_at_end(memsys::GlobalLine line, memsys::SectorMask valid) override;
  void start_kernel(Cycle now, const simt::LaunchShape& shape) override;
  void end_kernel() override;

 private:
  static std::uint64_t sector_of(std::uint32_t line, unsigned sector) {
    return std::uint64_t{line} * memsys::kSectors + sector;
  }
  memsys::LoadPlan load_one(Cycle now, const memsys::LineAccess& access, memsys::SectorMask hit,
                            memsys::SectorMask pending);
  Cycle occupy(Cycle now, unsigned cycles);
  void check(Cycle now, memsys::GlobalLine line, unsigned sector, const std::uint8_t* data);
  void drop(Cycle now, memsys::GlobalLine line, memsys::SectorMask mask);

  std::string name_;
  memsys::L1PortOwner& host_;
  bool bypass_, shared_memory_, forget_, measure_;
  std::uint32_t tag_cycles_, shared_latency_;
  std::unique_ptr<SectorPredictor> predictor_;
  SpareSharedMemory store_;
  tsl::robin_map<std::uint64_t, SpareSharedMemory::Sector, KeyHash> put_in_;  ///< what `store_` must hold
  BlockLifetimes lifetimes_;
  Cycle free_at_ = 0;  ///< from then on shared memory takes the next access
  Counter one_sector_, bypasses_, bypass_merges_, shm_hits_, shm_stale_, shm_fills_, shm_evictions_, shm_stores_,
      shm_dropped_, shm_waits_, shm_sets_, shm_lookups_;
};

}  // namespace warpsieve::schemes
