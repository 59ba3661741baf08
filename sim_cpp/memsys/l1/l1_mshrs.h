// L1Mshrs: the lines of an L1 that are on their way, each with a list of the loads that wait for it.
//
//   entries   l1.mshrs lines; at most l1.merges loads wait for one line
//   lookup    hashed by line number
// Private memory takes entries without a line (take_unlinked): it keeps its own list of fetches (memsys/local).
#pragma once

#include <cstdint>
#include <vector>

#include "core/prefetch.h"
#include "core/ring.h"
#include "memsys/types.h"

namespace warpsieve::memsys {

class L1Mshrs {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Entry {
    GlobalLine line;
    SectorMask pending = 0;             ///< asked for and not back yet
    SectorMask stale = 0;               ///< a store or atomic of the SM has overtaken them: not kept
    SectorMask passed = 0;              ///< a store of the cluster has passed the port since they were asked for
    SectorMask to_l1 = 0, to_port = 0;  ///< of `pending`: where the data is kept; in neither: nowhere
    bool replace = false;               ///< the reply takes the place of the line's valid sectors
    bool absent = false;    ///< no sector of the line is here: nothing was when it was made, and nothing has come
    bool whole = false;     ///< Keep::whole: `brought` is in the data of `way`, valid when nothing is pending
    SectorMask wanted = 0;  ///< by loads
    SectorMask brought = 0;
    std::uint32_t way = kNone;                              ///< reserved
    std::uint32_t waiting = 0, head = kNone, tail = kNone;  ///< list of loads
    std::uint32_t next = kNone;                             ///< in the bucket
  };
  struct Waiting {
    std::uint32_t slot = 0, next = kNone;
    SectorMask need = 0;
    bool replay = false;  ///< `parked` holds the load
    std::uint32_t parked = 0;
  };

  explicit L1Mshrs(std::uint32_t entries);
  bool full() const { return free_.empty(); }
  bool idle() const { return free_.size() == entries_.size(); }
  std::size_t size() const { return entries_.size(); }
  std::size_t used() const { return entries_.size() - free_.size(); }
  Entry& operator[](std::uint32_t index) { return entries_[index]; }
  const Entry& operator[](std::uint32_t index) const { return entries_[index]; }
  /// The entry that take() would return; kNone: none is free.
  std::uint32_t next() const { return full() ? kNone : free_.back(); }
  std::uint32_t find(GlobalLine line) const {
    for (std::uint32_t i = buckets_[bucket_of(line)]; i != kNone; i = entries_[i].next)
      if (entries_[i].line == line) return i;
    return kNone;
  }
  std::uint32_t take(GlobalLine line);
  /// Throws std::logic_error if loads still wait.
  void give(std::uint32_t index);
  std::uint32_t take_unlinked() {
    const std::uint32_t index = free_.back();
    free_.pop_back();
    return index;
  }
  void give_unlinked(std::uint32_t index) { free_.push_back(index); }

  void wait(Entry& entry, const Waiting& load);
  /// Takes out, in order, the loads that have all they need now that `arrived` is here: done(load) for each. Those
  /// that are to be replayed need the whole line.
  template <class F>
  void arrive(Entry& entry, SectorMask arrived, F&& done);

  // For prefetching on the simulating machine (host_prefetch.h).
  void prefetch_bucket(GlobalLine line) const { prefetch(&buckets_[bucket_of(line)]); }
  const Waiting* first_waiting(std::uint32_t index) const {
    const std::uint32_t head = entries_[index].head;
    return head == kNone ? nullptr : &waiting_[head];
  }

 private:
  std::size_t bucket_of(GlobalLine line) const { return line & last_bucket_; }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> free_;
  std::vector<std::uint32_t> buckets_;  ///< heads of lists of entries, by line; a power of two of them
  std::uint32_t last_bucket_;
  Pool<Waiting> waiting_;
};

template <class F>
void L1Mshrs::arrive(Entry& m, SectorMask arrived, F&& done) {
  std::uint32_t previous = kNone;
  for (std::uint32_t w = m.head; w != kNone;) {
    Waiting& load = waiting_[w];
    const std::uint32_t next = load.next;
    load.need &= static_cast<SectorMask>(~arrived);
    if (load.replay ? m.pending : load.need) {
      previous = w;
    } else {
      done(load);
      (previous == kNone ? m.head : waiting_[previous].next) = next;
      --m.waiting;
      waiting_.give(w);
    }
    w = next;
  }
  m.tail = previous;
}

}  // namespace warpsieve::memsys
