// L2Mshrs: the lines of an L2 slice that wait for sectors, each with a list of packets in order of arrival.
//
//   entries    l2.mshrs lines; at most l2.merges packets wait for one line
//   order      a packet leaves its list when it has all its sectors, and not before an older atomic to one of them
// The lists run through Packet::next. The slice decides what is read from the controller (l2.h).
#pragma once

#include <cstdint>
#include <vector>

#include "core/shared_pool.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

class L2Mshrs {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Entry {
    std::uint32_t way = 0;
    std::uint32_t head = kNone, tail = kNone;  ///< packets
    std::uint32_t waiting = 0, atomics = 0;    ///< packets, and how many of them are atomics
  };

  L2Mshrs(SharedPool<Packet>& packets, std::uint32_t entries);

  bool full() const { return free_.empty(); }
  bool idle() const { return free_.size() == entries_.size(); }
  std::size_t size() const { return entries_.size(); }
  std::size_t used() const { return entries_.size() - free_.size(); }
  std::uint32_t take(std::uint32_t way) {
    const std::uint32_t index = free_.back();
    free_.pop_back();
    entries_[index] = Entry{.way = way};
    return index;
  }
  void give(std::uint32_t index) { free_.push_back(index); }
  Entry& operator[](std::uint32_t index) { return entries_[index]; }
  const Entry& operator[](std::uint32_t index) const { return entries_[index]; }
  /// nullptr for kNone.
  const Entry* find(std::uint32_t index) const { return index == kNone ? nullptr : &entries_[index]; }
  /// Packets in all lists.
  std::uint32_t waiting() const { return waiting_; }

  void append(Entry& entry, std::uint32_t packet);
  /// Takes out `packet`, which follows `previous` in the list (kNone: it is the head).
  void remove(Entry& entry, std::uint32_t previous, std::uint32_t packet);
  bool has_atomic(std::uint32_t index) const { return index != kNone && entries_[index].atomics; }
  /// Whether an atomic to one of these sectors waits.
  bool has_atomic(std::uint32_t index, SectorMask mask) const {
    return has_atomic(index) && atomic_to(entries_[index], mask);
  }

 private:
  bool atomic_to(const Entry& entry, SectorMask mask) const;

  SharedPool<Packet>& packets_;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::uint32_t waiting_ = 0;
};

}  // namespace warpsieve::memsys
