// CmdPath: the ControllerPath of the CMD schemes. It connects a DedupUnit to the L2 slices and the DRAM channel of
// its controller.
//
//   L2 slices ──reads, writes──► DedupUnit ──► DRAM channel
//       ▲ replies, probes ───────────┘ └──► 4 MetadataTable ──► DRAM channel
//
//   DRAM layout   data lines, spare lines, then one table per metadata kind
//   DRAM order    requests of the unit leave in order, up to four sectors of one line per cycle
//   probe         cmd.probe_cycles after the request, one L2 port slot each (decision C15)
//   domain        line * 2^domain_bits / data lines: equal contiguous ranges of the device memory
//   cmd+bpc       data go through a CompressedMemory, metadata do not
//   duel          sees reads of the L2 that go to DRAM and the sectors of each write that is done (sieve.leader_bits)
//   golden        every dedup read is compared when its write is done; the L2 compares what it receives
//   sleep         under sieve, the unit is off until the first write. Reads go to DRAM by a skid buffer of two, as in
//                 rtl/dedup_safe. It wakes in sieve.wake_cycles, in which nothing is taken
//   entries       the unit uses the entries of its write buffer in turn: the k-th write was in entry k mod
//                 cmd.buffer_entries
#pragma once

#include <array>
#include <deque>
#include <utility>
#include <vector>

#include "blocks/dedup/dedup_unit.h"
#include "blocks/merge_duel/merge_duel.h"
#include "core/ring.h"
#include "schemes/bpc/compressed_memory.h"
#include "schemes/cmd/cmd.h"
#include "schemes/cmd/unlimited_store.h"
#include "schemes/path/metadata_table.h"

namespace warpsieve::schemes {

class CmdPath final : public ControllerPath, private LineReader {
 public:
  CmdPath(const CmdParams& params, const CmdVariant& variant, const BpcParams& compression,
          const BackendPlan& backends, unsigned controller, PathOwner& host, Stats& stats);
  bool push_read(Cycle now, unsigned, const memsys::ReadRequest& request) override {
    // A write offered in this cycle is not yet visible to a read taken at the same edge.
    if (refuses_reads() || request.line == pushed_line_) return false;
    take_read(now, request);
    return true;
  }
  bool push_write(Cycle now, unsigned slice, const memsys::WriteRequest& request) override;
  bool takes_partial_sectors() const override { return unit_.params().dedup.byte_masks; }
  bool wants_whole_sectors(memsys::LocalLine line) override {
    if (!duel_) return false;
    clock_duel({.ask = line});
    ++counters_.duel_asks;
    counters_.duel_whole += duel_->whole();
    return duel_->whole();
  }
  bool refuses_reads() const override {
    return read_pushed_ || open_.used() >= kUnitTags ||
           (asleep_ ? skid_.full() || wakes_at_ != kNever : !unit_.rd_ready());
  }
  void on_dram_read(Cycle now, std::uint64_t cookie, const std::uint8_t* sector) override;
  void on_room() override {
    dram_refused_ = false;
    for (MetadataTable& table : tables_) table.on_room();
  }
  Cycle tick(Cycle now) override {
    if (asleep_) return sleep(now);
    // Often only the slices want to know whether they can go on.
    return now < unit_due_ && waits() ? unit_due_ : work(now);
  }
  bool idle() const override;
  std::string describe() const override;

 private:
  struct Open {  // a read of the L2; its number is the tag inside the unit
    memsys::LocalLine line;
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
    Counter passed;                            ///< there only with byte masks
    Counter woken;                             ///< there only where units sleep
    Counter duel_asks, duel_whole, duel_sent;  ///< there only with a duel
    std::array<Counter, dedup::kMetas> requests, misses;
    Counter hashed_chunks, probes, copied_sectors, intra_sectors, forwarded_sectors, reference_sectors;
  };

  /// Clocks the unit up to, not including, cycle `end`: cycles that were skipped.
  void catch_up(Cycle end) {
    if (unit_ticks_from_ >= end) return;
    unit_.pass((end - unit_ticks_from_) * unit_clock_);
    unit_ticks_from_ = end;
  }
  void take_read(Cycle now, const memsys::ReadRequest& request);
  Cycle work(Cycle now);
  bool step(Cycle now);
  Cycle sleep(Cycle now);
  /// Nothing can be given to the unit or taken from it.
  bool waits() const {
    return !read_pushed_ && pushed_line_ == kNoLine && !offered() && !waits_for_unit() && probes_.empty() &&
           !unit_.meta_offers() && !compressed_;
  }
  /// `answer` has source, mask and data.
  void reply(Cycle now, std::uint32_t unit_tag, memsys::ReadReply& answer);
  bool take_l2(Cycle now);
  bool take_dram(Cycle now);
  bool queue_sectors(Cycle now, const dedup::DramReq& req);
  bool queue_sector(Cycle now, const dedup::DramReq& req, unsigned s);
  bool queue_compressed(const dedup::DramReq& req);
  void on_data(Cycle now, std::uint32_t token, SectorMask mask, const memsys::LineData& data) override;
  void on_old_content(std::uint32_t tag, unsigned sector, const std::uint8_t* data);
  memsys::SectorMask not_done(memsys::LocalLine line);
  bool take_probes(Cycle now, bool offered);
  bool give_answers();
  /// What the unit offers to the outside, without a DRAM request that was refused.
  unsigned offered() const {
    using namespace dedup;
    const unsigned outside = offer_l2 | offer_done | offer_probe | (dram_refused_ ? 0u : unsigned{offer_dram});
    return unit_.offers() & outside;
  }
  /// An answer is there that the unit could not take in this cycle.
  bool waits_for_unit() const { return for_unit_ != 0; }
  /// A metadata cache may have something for its table that was not offered to the DRAM yet.
  bool table_waits() const;
  void take_done(Cycle now);
  /// The duel has no work between events.
  void clock_duel(const merge_duel::DuelEvents& events) {
    duel_->in(events);
    duel_->tick();
  }
  void count_metadata(unsigned changed);
  std::uint8_t domain_of(memsys::LocalLine line) const {
    return static_cast<std::uint8_t>((std::uint64_t{line} << unit_.params().dedup.domain_bits) / host_.data_lines());
  }

  PathOwner& host_;
  Cycle probe_cycles_;
  dedup::DedupUnit unit_;
  Counters counters_;
  dedup::DedupUnitStats seen_;
  Cycle unit_ticks_from_ = 0;  ///< first cycle the unit has not seen
  Cycle unit_due_ = kNever;    ///< before that one, no tick is needed
  Cycle memory_due_ = kNever;  ///< of the compressed memory
  const unsigned unit_clock_;  ///< ticks of the unit per cycle
  std::vector<MetadataTable> tables_;
  Pool<Open> open_;
  bool asleep_ = false;
  Cycle wakes_at_ = kNever;  ///< asleep: a write waits for it
  const Cycle wake_cycles_;
  Ring<dedup::DramReq> skid_{2};             ///< asleep: reads on their way to DRAM
  memsys::LocalLine pushed_line_ = kNoLine;  ///< line of the write offered since the last tick
  bool read_pushed_ = false;
  memsys::SectorMask dram_done_ = 0;   ///< sectors of the unit's DRAM request already queued
  bool dram_refused_ = false;          ///< it found no room: offered again after on_room()
  std::uint64_t reads_under_way_ = 0;  ///< sectors of data
  /// Dedup reads by entry of the write buffer, then the verify read.
  struct Answer {
    memsys::SectorMask missing = 0;
    dedup::DramRsp rsp;
  };
  std::vector<Answer> answers_;
  std::deque<std::uint32_t> ready_answers_;
  std::uint32_t for_unit_ = 0;    ///< answers and fills of metadata that the unit has not yet taken
  std::uint32_t done_entry_ = 0;  ///< of the next write to be done
  struct Accepted {
    memsys::LocalLine line;
    memsys::SectorMask mask;
    bool older;  ///< than the last write of the line that was done
  };
  std::vector<Accepted> accepted_;  ///< writes that may not be done
  std::deque<Probe> probes_;
  std::deque<dedup::ProbeRsp> probe_answers_;

  static constexpr memsys::LocalLine kNoLine{0xffffffffu};
  static constexpr std::uint32_t kUnitTags = 1u << 10;
  const std::uint32_t compressed_writes_;         ///< in progress at most
  std::unique_ptr<CompressedMemory> compressed_;  ///< cmd+bpc: between the unit and DRAM
  FlowEngine engine_;
  std::unique_ptr<UnlimitedStore> unlimited_;    ///< cmd.potential
  std::unique_ptr<merge_duel::MergeDuel> duel_;  ///< sieve.leader_bits
};

}  // namespace warpsieve::schemes
