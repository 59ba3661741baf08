// Warp instructions to and from the columns of a records block.
#pragma once

#include <array>
#include <deque>

#include "trace/block.h"

namespace warpsieve::trace {

/// Takes warps in order; `full()` says when a block is due.
class RecordEncoder {
 public:
  RecordEncoder();
  /// Adds the records of `warp` from number `first` on, as many as fit; returns the number of the next one.
  /// The warp's end is noted with its last record.
  std::size_t add(const simt::WarpTrace& warp, std::size_t first, bool last_of_thread_block);
  bool full() const { return records_ == kRecordsPerBlock || runs_ == kRecordsPerBlock; }
  bool empty() const { return runs_ == 0; }
  std::vector<Column> take();

 private:
  void add(const simt::WarpTrace& warp, std::uint32_t number);
  void add_addresses(std::uint32_t mask, const simt::Addr* address, std::uint8_t& kind);
  ColumnBuilder& column(RecordColumn c) { return columns_[c]; }

  std::vector<ColumnBuilder> columns_;
  std::uint32_t records_ = 0, runs_ = 0;
  bool has_detail_ = false;
  std::size_t address_ = 0, data_ = 0;  ///< of the warp under way: what is used so far
};

/// Rebuilds thread blocks; checks all that a simulation relies on.
class RecordDecoder {
 public:
  RecordDecoder(simt::Addr base, std::uint64_t bytes) : base_(base), end_(base + bytes) {}

  void start(const simt::LaunchShape& shape);
  /// Appends what is finished to ready(); a problem is told by `fail`, which must throw.
  void decode(const Block& block, const BlockReader& reader);
  std::deque<simt::BlockTrace>& ready() { return ready_; }
  const std::deque<simt::BlockTrace>& ready() const { return ready_; }
  /// Thread blocks finished since start().
  std::uint32_t thread_blocks() const { return current_.block; }
  bool between_thread_blocks() const { return current_.warps.empty() && warp_.instrs.empty(); }
  /// The thread block that was not finished, as far as it is known.
  simt::BlockTrace take_partial();
  const Totals& totals() const { return totals_; }

 private:
  struct Cursor;
  void decode_record(const Block& block, Cursor& at, std::size_t i, const BlockReader& reader);
  void decode_addresses(const Block& block, Cursor& at, const simt::WarpInstr& instr, bool deltas,
                        const BlockReader& reader);

  simt::Addr base_, end_;
  std::uint32_t warps_per_block_ = 0, blocks_ = 0;
  simt::BlockTrace current_;
  simt::WarpTrace warp_;
  std::deque<simt::BlockTrace> ready_;
  Totals totals_;
};

}  // namespace warpsieve::trace
