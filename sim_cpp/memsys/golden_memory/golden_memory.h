// Golden memory: a flat copy of device memory in L2 order. Stores and atomics update it when the L2 performs them;
// every fill, forward, copy and read-back is compared with it byte by byte.
//
// It models nothing and costs no cycle. A mismatch is recorded, never repaired. The judge of each component decides
// what is compared (l1/l1_judge.h, l2/l2_judge.h, local/local_judge.h, cluster/visibility.h).
//
// Components that run on threads of their own see the memory through parts: GoldenMemory part(kPart, whole). The
// bytes of a line are changed by one part, the one of its partition, while no other part looks at them. A part counts
// for itself; gather() adds that to the whole. The first corruptions are the earliest, whoever found them.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/part.h"
#include "core/prefetch.h"
#include "core/zeroed_bytes.h"
#include "memsys/data_source.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

struct Corruption {
  Cycle cycle = 0;
  Addr address = 0;
  Source source = Source::dram;
  std::uint8_t expected = 0, found = 0;
  std::string broken;  ///< a broken rule of visibility instead of a wrong byte
  /// The earlier one first.
  auto operator<=>(const Corruption&) const = default;
  std::string describe() const;
};

class GoldenMemory {
 public:
  GoldenMemory() : whole_(this) {}
  /// After load() of `whole`, which must outlive it.
  GoldenMemory(Part, GoldenMemory& whole);
  GoldenMemory(const GoldenMemory&) = delete;
  GoldenMemory& operator=(const GoldenMemory&) = delete;

  /// `size`: of the whole device memory, zeros behind the image. `blank`: the image is all zero now and at the end
  /// (simt::Workload::blank()); then only lines that are written take memory.
  void load(Addr base, std::span<const std::uint8_t> image, std::uint64_t size, bool blank = false);

  std::uint8_t* line(GlobalLine global_line) { return data_ + std::size_t{global_line} * kLineBytes; }
  const std::uint8_t* line(GlobalLine global_line) const { return data_ + std::size_t{global_line} * kLineBytes; }
  std::uint32_t lines() const { return lines_; }

  /// Compares one sector, except the bytes of `newer`. Counts one check.
  void check(Cycle now, GlobalLine global_line, unsigned sector, const std::uint8_t* data, std::uint32_t newer,
             Source source);
  /// Compares 4-byte words of a line with what program order says they are. Counts one check.
  void check_words(Cycle now, GlobalLine global_line, std::uint32_t mask, const std::uint32_t* expected,
                   const std::uint32_t* found, Source source);
  /// The same against other bytes: a copy that may legally be older than the L2's content.
  void check_copy(Cycle now, GlobalLine global_line, unsigned sector, const std::uint8_t* want,
                  const std::uint8_t* data, std::uint32_t except, Source source);
  /// Counts sectors that the caller has checked; the caller reports a violation().
  void count(Source source, unsigned sectors) { checks_[static_cast<unsigned>(source)] += sectors; }
  /// Data that may equal the golden bytes but reached a component that must not have them.
  void violation(Cycle now, GlobalLine global_line, Source source, std::string rule);
  /// All components have come to cycle `now`.
  void reached(Cycle now);
  /// Parts have remembered lines: same() finds them.
  void show_kept();
  /// Adds what the parts have found since the last call.
  void gather();
  /// A store or atomic is about to change the line in cycle `now`. Remembers the line when that is still to come for
  /// callers of same().
  void keep(Cycle now, GlobalLine global_line) {
    if (now > whole_->reached_) keep_line(now, global_line);
  }
  /// A store or atomic was performed at the L2; returns how many there have been for the line.
  std::uint32_t written(GlobalLine global_line) { return ++version_[global_line]; }
  std::uint32_t version(GlobalLine global_line) const { return version_[global_line]; }
  /// True for an unwritten line of a blank memory: it holds no data that could be lost.
  bool untouched(GlobalLine global_line) const { return blank_ && version_[global_line] == 0; }
  /// Prefetches what version() reads.
  void prefetch_version(GlobalLine global_line) const { prefetch(&version_[global_line]); }
  /// True when the sector equals the golden one as it is in cycle `now`; counts nothing (stale L1 copies are legal).
  bool same(Cycle now, GlobalLine global_line, unsigned sector, const std::uint8_t* data) const {
    const std::uint8_t* bytes = whole_->kept_at_[slot(global_line)] ? line_at(now, global_line) : line(global_line);
    return std::memcmp(bytes + sector * kSectorBytes, data, kSectorBytes) == 0;
  }

  /// Compares with the functional image of the workload. Bytes inside `ranges` (order-dependent float atomics) are
  /// compared as float32 with `tolerance` relative to the value, or to a thousandth of the largest of its range.
  void compare_image(std::span<const std::uint8_t> image, const std::vector<std::pair<Addr, std::uint64_t>>& ranges,
                     double tolerance);

  std::uint64_t mismatches() const { return mismatched_sectors_; }
  bool clean() const { return mismatched_sectors_ == 0 && image_differences_ == 0; }
  std::uint64_t checks(Source source) const { return checks_[static_cast<unsigned>(source)]; }
  const std::vector<Corruption>& first() const { return first_; }
  nlohmann::ordered_json report() const;

 private:
  /// What a line held until a cycle that is still to come for some.
  struct Kept {
    Cycle until = 0;
    GlobalLine line;
    LineData bytes;
  };
  static constexpr std::size_t kSlots = 1024;
  static std::size_t slot(GlobalLine global_line) { return global_line % kSlots; }
  void keep_line(Cycle now, GlobalLine global_line);
  const std::uint8_t* line_at(Cycle now, GlobalLine global_line) const;

  void compare_floats(std::span<const std::uint8_t> image, std::size_t from, std::size_t to, double tolerance);
  void differs(std::size_t at);
  void mismatch(Cycle now, Addr address, Source source, std::uint8_t expected, std::uint8_t found);
  void record(Corruption corruption);

  static constexpr std::size_t kFirst = 16;  ///< corruptions that are reported

  GoldenMemory* whole_;
  std::vector<GoldenMemory*> parts_;
  std::uint8_t* data_ = nullptr;
  std::uint32_t* version_ = nullptr;  ///< per line
  std::uint32_t lines_ = 0;
  Addr base_ = 0;
  std::size_t size_ = 0;
  bool blank_ = false;
  ZeroedBytes bytes_;
  std::vector<std::uint32_t> versions_;
  Cycle reached_ = kNever;
  std::vector<Kept> kept_;              ///< in the order of the changes of each line
  std::size_t shown_ = 0;               ///< of kept_: that are in kept_at_
  std::array<bool, kSlots> kept_at_{};  ///< a line of this number, modulo kSlots, is among them
  std::array<std::uint64_t, kSources> checks_{}, mismatch_by_source_{};
  std::uint64_t mismatched_sectors_ = 0, image_differences_ = 0, tolerated_ = 0;
  double worst_error_ = 0;
  Addr first_image_difference_ = 0;
  std::vector<Corruption> first_;
};

}  // namespace warpsieve::memsys
