// Partition: one memory controller with its two L2 slices, the scheme's path and one DRAM channel.
//
//   slice 0 ─┐
//            ├─ ControllerPath ─ DRAM channel
//   slice 1 ─┘
//   order       in a cycle: DRAM, path, slices
//   addresses   local line n belongs to slice n & 1 and is at DRAM address n * 128. Addresses behind the data lines
//               belong to the scheme
//   latency     of its parts: l2/l2.h, dram/dram.h and the path's own
//   read-back   at the end of a run all data lines are read through the path and compared
// The partition is the PathOwner of its path. Units: core clock cycles. Source: CMD Table II, two slices per
// controller.
#pragma once

#include <memory>
#include <string>

#include "memsys/context.h"
#include "memsys/dram/dram.h"
#include "memsys/l2/l2.h"

namespace warpsieve::memsys {

class Partition final : public PathOwner {
 public:
  /// Slices have the wake entries `first_slice_id` and the next.
  Partition(Context& context, L2Stats& l2, Scheme& scheme, std::uint32_t controller, std::uint32_t first_slice_id,
            Network& requests, Network& replies);

  /// Runs every cycle from `now` to before `end` in which it is due, as far as it can without the network: past `now`
  /// both slices must have room for replies, one in each cycle. Returns the last cycle it ran in, 0: none.
  Cycle run(Cycle now, Cycle end) {
    open();
    const Cycle last = run_open(now, end);
    close();
    return last;
  }
  /// The same in three steps: between open() and close(), run_open() may be on a thread of its own.
  void open() { context_.wakes.busy(id_); }
  Cycle run_open(Cycle now, Cycle end);
  void close();
  /// The last run() may not have come to its end: the network will wake a slice.
  bool waits() const { return waits_; }
  /// The next cycle in which it is due.
  Cycle due() { return times().next(); }
  L2Slice& slice(unsigned i) { return slices_[i]; }
  const L2Slice& slice(unsigned i) const { return slices_[i]; }
  DramChannel& dram() { return dram_; }
  const DramChannel& dram() const { return dram_; }
  std::uint32_t controller() const { return controller_; }
  ControllerPath& path() { return *path_; }

  /// Reads all data lines through the path and compares them; done when idle().
  void start_read_back(Cycle now);

  bool idle() const;
  std::string describe() const;

  bool dram_read(Cycle now, std::uint64_t address, RequestKind kind, std::uint64_t cookie) override;
  bool dram_write(Cycle now, std::uint64_t address, RequestKind kind, const std::uint8_t* sector,
                  std::uint32_t bytes) override;
  void reply(Cycle now, const ReadReply& reply) override;
  SectorMask probe(Cycle now, LocalLine line, SectorMask mask, LineData& data) override;
  RequestKind read_kind(LocalLine line, unsigned sector) const override;
  void check(Cycle now, LocalLine line, SectorMask mask, const LineData& data, Source source) override;
  void wake_path(Cycle at) override { context_.wakes.wake(path_id_, at); }
  void wake_slices(Cycle at) override;
  std::uint32_t data_lines() const override { return lines_; }

 private:
  static constexpr unsigned kReadsInFlight = 16;
  /// Wake times of the parts.
  struct Times {
    WakeTimes::Own dram, path, slices[kSlicesPerController];
    Cycle next() const { return std::min(std::min(dram.at(), path.at()), std::min(slices[0].at(), slices[1].at())); }
  };
  Times times();
  void run_cycle(Cycle now, const Times& times);
  void run_dram(Cycle now);
  void read_back_step(Cycle now);

  Context& context_;
  Network& replies_;
  std::uint32_t controller_, first_slice_id_, id_, path_id_, dram_id_;
  std::uint32_t lines_;
  DramChannel dram_;
  L2Slice slices_[kSlicesPerController];
  std::unique_ptr<ControllerPath> path_;
  std::unique_ptr<ReplyPort> reply_port_;
  bool refused_ = false;
  bool waits_ = false;
  bool reading_ = false;
  LocalLine next_line_{0};
  unsigned sectors_in_flight_ = 0;
};

}  // namespace warpsieve::memsys
