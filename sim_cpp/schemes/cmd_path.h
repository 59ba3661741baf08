// CmdPath: the ControllerPath of the CMD schemes; connects a DedupUnit to the L2 slices and the DRAM
// channel of its controller.
//
//   DRAM layout   data lines, spare lines, then one table per metadata kind
//   DRAM order    requests of the unit go on in order, up to four sectors of one line per cycle
//   probe         cmd.probe_cycles after the request, one L2 port slot each (decision C15)
//   domain        line * 2^domain_bits / data lines: equal contiguous ranges of the device memory
//   golden        every dedup read is compared when its write is done; what goes to the L2 is compared
//                 by the L2
#pragma once

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "blocks/dedup/dedup_unit.h"
#include "core/ring.h"
#include "schemes/cmd.h"

namespace warpsieve::schemes {

class CmdPath final : public ControllerPath {
 public:
  CmdPath(const CmdParams& params, const CmdVariant& variant, const BackendPlan& backends, unsigned controller,
          ControllerHost& host, Stats& stats);
  bool push_read(Cycle now, unsigned slice, const memsys::ReadRequest& request) override;
  bool push_write(Cycle now, unsigned slice, const memsys::WriteRequest& request) override;
  void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) override;
  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe() const override;

 private:
  struct Open {  // a read of the L2; its number is the tag inside the unit
    memsys::LineId line = 0;
    std::uint32_t tag = 0;
    memsys::SectorMask missing = 0;
  };
  struct Probe {
    Cycle due;
    dedup::ProbeReq request;
  };
  struct Counters {
    explicit Counters(Stats& stats);
    std::array<Counter, dedup::kOutcomes> outcomes;
    Counter writes, write_sectors, sectors_written, no_entry, saturated, partial_limit, evicted, scanned;
    Counter verified, collisions;
    std::array<Counter, dedup::kMetas> requests, misses;
    Counter hashed_chunks, probes, copied_sectors, intra_sectors, forwarded_sectors, reference_sectors;
  };

  void reply(Cycle now, std::uint32_t unit_tag, memsys::SectorMask mask, memsys::Source source,
             const std::array<std::uint8_t, memsys::kLineBytes>& data);
  bool take_l2(Cycle now);
  bool take_dram(Cycle now);
  bool take_metadata(Cycle now, unsigned which);
  bool take_probes(Cycle now);
  bool give_answers();
  void take_done(Cycle now);
  void count_metadata();
  std::uint8_t domain_of(memsys::LineId line) const {
    return static_cast<std::uint8_t>((std::uint64_t{line} << unit_.params().dedup.domain_bits) / host_.data_lines());
  }
  std::uint64_t table_address(unsigned which, std::uint32_t sector) const {
    return table_base_[which] + 32ull * sector;
  }

  ControllerHost& host_;
  Cycle probe_cycles_;
  dedup::DedupUnit unit_;
  Counters counters_;
  dedup::DedupUnitStats seen_;
  std::array<std::uint64_t, dedup::kMetas> table_base_{};
  std::array<std::vector<bool>, dedup::kMetas> table_written_;  ///< sectors that no longer hold the initial image
  Pool<Open> open_;
  memsys::LineId pushed_line_ = kNoLine;  ///< line of the write offered since the last tick
  bool read_pushed_ = false;
  memsys::SectorMask dram_done_ = 0;   ///< sectors of the unit's DRAM request already queued
  std::uint64_t reads_under_way_ = 0;  ///< sectors
  // Dedup or verify read: one at a time.
  memsys::SectorMask answer_missing_ = 0;
  bool answer_ready_ = false, answer_is_old_ = false;
  dedup::DramRsp answer_, dedup_data_;  ///< dedup_data_: the last dedup read, until its write is done
  std::vector<std::pair<memsys::LineId, memsys::SectorMask>>
      accepted_;  ///< writes accepted since the last one was done
  std::deque<Probe> probes_;
  std::deque<dedup::ProbeRsp> probe_answers_;
  std::array<std::deque<metadata_cache::MetaMemRsp>, dedup::kMetas> fills_;

  static constexpr memsys::LineId kNoLine = 0xffffffffu;
};

}  // namespace warpsieve::schemes
