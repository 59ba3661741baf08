// A scheme with one guard removed, around a sound one: what the golden memory must notice.
#pragma once

#include <deque>
#include <memory>
#include <string>

#include "schemes/path/request_kinds.h"
#include "support.h"
#include "support/around.h"

namespace warpsieve::tb {

struct Faults {
  bool keep_written_victims = false;  ///< the FIFO ignores writes of the L2
  Cycle hold_writes = 0;              ///< cycles a write of the L2 waits before the path gets it
  bool reads_wait = true;             ///< ... and reads of its line wait for it
  Cycle hold_dram_writes = 0;         ///< DRAM writes are late, reads are not
  bool copy_dirty = false;            ///< L2 probes also find dirty sectors
  bool drop_metadata = false;         ///< metadata written back is lost
};

class FaultyScheme final : public memsys::Scheme {
 public:
  FaultyScheme(const std::string& name, const Faults& faults, std::vector<std::string> set = {})
      : inner_(scheme_of(name, std::move(set))), faults_(faults) {}
  std::string name() const override { return "faulty " + inner_->name(); }
  std::unique_ptr<memsys::ControllerPath> make_path(unsigned controller, memsys::PathOwner& host,
                                                    Stats& stats) override {
    return std::make_unique<Path>(*this, controller, host, stats);
  }
  std::unique_ptr<memsys::L2VictimPort> make_victim_port(unsigned controller, unsigned slice, Stats& stats) override {
    auto port = inner_->make_victim_port(controller, slice, stats);
    if (!port || !faults_.keep_written_victims) return port;
    return std::make_unique<Victims>(std::move(port));
  }
  memsys::GoldenMemory* golden =
      nullptr;  ///< what the L2 holds when it is newest (one controller: same line numbers)

 private:
  class Victims final : public memsys::L2VictimPort {
   public:
    explicit Victims(std::unique_ptr<memsys::L2VictimPort> inner) : inner_(std::move(inner)) {}
    void offer(Cycle now, memsys::LocalLine line, unsigned sector, const std::uint8_t* data,
               bool read_only) override {
      inner_->offer(now, line, sector, data, read_only);
    }
    Taken take(Cycle now, memsys::LocalLine line, memsys::SectorMask wanted, memsys::LineData& data) override {
      return inner_->take(now, line, wanted, data);
    }
    unsigned invalidate(Cycle, memsys::LocalLine, memsys::SectorMask) override { return 1; }

   private:
    std::unique_ptr<memsys::L2VictimPort> inner_;
  };

  class Path final : private HostAround, public PathAround {
   public:
    Path(FaultyScheme& scheme, unsigned controller, memsys::PathOwner& host, Stats& stats)
        : HostAround(host), PathAround(scheme.inner_->make_path(controller, static_cast<HostAround&>(*this), stats)),
          scheme_(scheme), faults_(scheme.faults_) {}

    bool push_read(Cycle now, unsigned slice, const memsys::ReadRequest& request) override {
      for (const auto& w : writes_)
        if (faults_.reads_wait && w.request.line == request.line) return false;
      return inner_->push_read(now, slice, request);
    }
    bool push_write(Cycle now, unsigned slice, const memsys::WriteRequest& request) override {
      if (!faults_.hold_writes) return inner_->push_write(now, slice, request);
      writes_.push_back({now + faults_.hold_writes, slice, request});
      host_.wake_path(now + 1);
      return true;
    }
    Cycle tick(Cycle now) override {
      if (!writes_.empty() && writes_.front().due <= now &&
          inner_->push_write(now, writes_.front().slice, writes_.front().request))
        writes_.pop_front();
      while (!late_.empty() && late_.front().due <= now &&
             host_.dram_write(now, late_.front().address, memsys::RequestKind::write, late_.front().data.data(),
                              late_.front().bytes))
        late_.pop_front();
      Cycle next = inner_->tick(now);
      if (!writes_.empty()) next = std::min(next, std::max(now + 1, writes_.front().due));
      if (!late_.empty()) next = std::min(next, std::max(now + 1, late_.front().due));
      return next;
    }
    bool idle() const override { return inner_->idle() && writes_.empty() && late_.empty(); }

    bool dram_write(Cycle now, std::uint64_t address, memsys::RequestKind kind, const std::uint8_t* sector,
                    std::uint32_t bytes) override {
      if (kind == schemes::kMetadataWrite && faults_.drop_metadata) return true;
      if (kind != memsys::RequestKind::write || !faults_.hold_dram_writes)
        return host_.dram_write(now, address, kind, sector, bytes);
      late_.push_back({now + faults_.hold_dram_writes, address, bytes, {}});
      std::copy_n(sector, memsys::kSectorBytes, late_.back().data.begin());
      host_.wake_path(now + 1);
      return true;
    }
    memsys::SectorMask probe(Cycle now, memsys::LocalLine line, memsys::SectorMask mask,
                             memsys::LineData& data) override {
      const memsys::SectorMask found = host_.probe(now, line, mask, data);
      if (!faults_.copy_dirty || !found) return found;
      std::copy_n(
          scheme_.golden->line(memsys::GlobalLine{std::uint32_t{line}} /* of a machine with one controller */),
          memsys::kLineBytes, data.bytes.begin());
      return mask;
    }

   private:
    struct Write {
      Cycle due;
      unsigned slice;
      memsys::WriteRequest request;
    };
    struct Late {
      Cycle due;
      std::uint64_t address;
      std::uint32_t bytes;
      std::array<std::uint8_t, memsys::kSectorBytes> data;
    };
    FaultyScheme& scheme_;
    Faults faults_;
    std::deque<Write> writes_;
    std::deque<Late> late_;
  };

  std::unique_ptr<memsys::Scheme> inner_;
  Faults faults_;
};

}  // namespace warpsieve::tb
