// A scheme's L1 port between two witnesses: every byte it gives out of its own store is compared with what this
// one SM has read and written so far, and a fault can be planted.
#pragma once

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support.h"

namespace warpsieve::tb {

struct L1Faults {
  bool lose_stores = false;   ///< the port does not hear of stores
  bool lose_atomics = false;  ///< nor of atomics
};

/// For one SM: the order in which its accesses reach the port is the order of its program, so its own stores are
/// all that can change memory. Atomics must be additions of 32-bit integers.
class WatchedScheme final : public memsys::Scheme {
 public:
  WatchedScheme(std::unique_ptr<memsys::Scheme> inner, const ToyWorkload& workload, const L1Faults& faults = {})
      : inner_(std::move(inner)), faults_(faults), memory_(workload.image().begin(), workload.image().end()) {}
  std::string name() const override { return "watched " + inner_->name(); }
  void amend(memsys::Profile& profile) const override { inner_->amend(profile); }
  std::unique_ptr<memsys::ControllerPath> make_path(unsigned, memsys::PathOwner& host, Stats& stats) override {
    return baseline_->make_path(0, host, stats);
  }
  std::unique_ptr<memsys::L1Port> make_l1_port(unsigned sm, memsys::L1PortOwner& host, Stats& stats) override {
    host_ = std::make_unique<Host>(*this, host);
    return std::make_unique<Port>(*this, inner_->make_l1_port(sm, *host_, stats));
  }
  std::uint64_t served = 0, wrong = 0;

 private:
  struct Host final : memsys::L1PortOwner {
    Host(WatchedScheme& s, memsys::L1PortOwner& h) : scheme(s), inner(h) {}
    bool up_to_date(Cycle now, GlobalLine line, unsigned sector, const std::uint8_t* data) const override {
      ++scheme.served;
      scheme.wrong += std::memcmp(scheme.at(line, sector), data, memsys::kSectorBytes) != 0;
      return inner.up_to_date(now, line, sector, data);
    }
    const memsys::Profile& profile() const override { return inner.profile(); }
    WatchedScheme& scheme;
    std::uint32_t way_of(GlobalLine line) const override { return inner.way_of(line); }
    std::uint32_t mshr_of(GlobalLine line) const override { return inner.mshr_of(line); }
    std::uint32_t next_mshr() const override { return inner.next_mshr(); }
    bool can_reserve(GlobalLine line) const override { return inner.can_reserve(line); }
    void drop(Cycle now, GlobalLine line, memsys::SectorMask mask) override { inner.drop(now, line, mask); }
    memsys::L1PortOwner& inner;
  };
  struct Port final : memsys::L1Port {
    Port(WatchedScheme& s, std::unique_ptr<memsys::L1Port> p) : scheme(s), inner(std::move(p)) {}
    memsys::LoadNeeds needs(const memsys::LineAccess& access, memsys::SectorMask hit,
                            memsys::SectorMask pending) const override {
      return inner->needs(access, hit, pending);
    }
    memsys::LoadPlan load(Cycle now, const memsys::LineAccess& access, memsys::SectorMask hit,
                          memsys::SectorMask pending) override {
      return inner->load(now, access, hit, pending);
    }
    void fill(Cycle now, GlobalLine line, memsys::SectorMask mask, const memsys::LineData& data) override {
      inner->fill(now, line, mask, data);
    }
    void store(Cycle now, const memsys::LineAccess& access) override {
      for (unsigned s = 0; s < memsys::kSectors; ++s)
        memsys::merge_sector(scheme.at(access.line, s), access.data.sector(s), access.bytes[s]);
      if (!scheme.faults_.lose_stores) inner->store(now, access);
    }
    void atomic(Cycle now, const memsys::LineAccess& access) override {
      for (unsigned i = 0; i < access.ops; ++i)
        memsys::apply_atomic(simt::AtomicOp::add_u32, scheme.at(access.line, 0) + access.offset[i],
                             operand(access, i), 0);
      if (!scheme.faults_.lose_atomics) inner->atomic(now, access);
    }
    void evicted(Cycle now, GlobalLine line, memsys::SectorMask valid) override { inner->evicted(now, line, valid); }
    void lost_at_end(GlobalLine line, memsys::SectorMask valid) override { inner->lost_at_end(line, valid); }
    void start_kernel(Cycle now, const simt::LaunchShape& shape) override { inner->start_kernel(now, shape); }
    void end_kernel() override { inner->end_kernel(); }
    static std::uint32_t operand(const memsys::LineAccess& access, unsigned i) {
      std::uint32_t value;
      std::memcpy(&value, access.data.bytes.data() + 4 * i, 4);
      return value;
    }
    WatchedScheme& scheme;
    std::unique_ptr<memsys::L1Port> inner;
  };
  std::uint8_t* at(std::uint32_t line, unsigned sector) {
    return memory_.data() + std::size_t{line} * memsys::kLineBytes + sector * memsys::kSectorBytes;
  }

  std::unique_ptr<memsys::Scheme> inner_, baseline_ = schemes::make_baseline();
  L1Faults faults_;
  std::vector<std::uint8_t> memory_;
  std::unique_ptr<Host> host_;
};

}  // namespace warpsieve::tb
