// Reading or draining writes: a DRAM channel serves one kind of request at a time.
//
//   reads first   writes are drained from dram.write_high queued ones down to dram.write_low, or when there is no
//   read starvation    if a read is starved, a drain ends after two thirds of write_high - write_low writes. The
//   oldest
//                 starved read then precedes the next drain, and so do all starved reads unless the write queue is
//                 full
//   order         writes that all wait for older reads of their sectors do not start a drain
#pragma once

#include <cstdint>

#include "memsys/dram/dram_queues.h"

namespace warpsieve::memsys {

class DramDrain {
 public:
  DramDrain(const DramParams& params, const DramQueues& queues);
  bool draining() const { return draining_; }
  /// Whether writes should be drained. To be evaluated after each request that comes or goes, in its command cycle.
  bool wanted(std::uint64_t c) const;
  /// Changes between draining and reading.
  void turn(std::uint64_t c);
  /// A request was queued.
  void pushed(bool write, std::uint64_t c, const DramQueues::Entry& e);
  /// A request was served.
  void served(bool write, const DramQueues::Entry& e);

 private:
  static constexpr std::uint64_t kFar = kNever / 2;
  void mark_starved_reads(std::uint64_t c);

  const DramQueues& queues_;
  std::uint32_t write_high_, write_low_, write_queue_, banks_;
  std::uint32_t least_;  ///< writes of a drain that starved reads cannot prevent
  bool draining_ = false;
  std::uint32_t drained_ = 0;          ///< writes of this drain so far
  std::uint32_t waiting_reads_ = 0;    ///< marked reads that are still queued
  std::uint64_t last_read_ = 0;        ///< seq of the youngest marked read
  std::uint64_t first_read_ = kNever;  ///< of the oldest if it comes before the next drain in any case
  std::uint64_t read_starved_ = kFar;  ///< during a drain: when the oldest read becomes starved
};

}  // namespace warpsieve::memsys
