// L1PrivateLines: lines of private memory in an L1. They share sets and ways with the global space, and have a valid
// and a dirty bit per 4-byte word instead of sectors. LocalSpace (memsys/local) decides what happens to them.
#pragma once

#include <cstdint>
#include <vector>

#include "memsys/l1/l1_tags.h"

namespace warpsieve::memsys {

/// Gets the dirty words of private lines that leave the L1.
class PrivateVictims {
 public:
  virtual ~PrivateVictims() = default;
  virtual void evicted(Cycle now, GlobalLine line, std::uint32_t dirty, const LineData& data) = 0;
};

class L1PrivateLines {
 public:
  struct Words {
    std::uint32_t valid = 0, dirty = 0;  ///< bit = 4-byte word
  };

  explicit L1PrivateLines(L1Tags& tags) : tags_(tags) {}
  /// There is private memory: `victims` takes what leaves.
  void enable(PrivateVictims& victims) {
    words_.resize(tags_.size());
    victims_ = &victims;
  }
  /// Whether the way holds a private line.
  bool has(std::size_t way) const { return !words_.empty() && words_[way].valid; }
  std::uint32_t find(GlobalLine line) const { return tags_.find(line); }
  void touch(std::uint32_t way) { tags_.touch(way); }
  LineData& data(std::uint32_t way) { return tags_.data(way); }
  Words& words(std::uint32_t way) { return words_[way]; }
  void drop(std::uint32_t way) {
    tags_.vacate(way);
    words_[way] = {};
  }
  /// The line is replaced: its dirty words go to the victims.
  void evict(Cycle now, std::uint32_t way) {
    if (words_[way].dirty) victims_->evicted(now, tags_.line(way), words_[way].dirty, tags_.data(way));
    drop(way);
  }
  template <class F>
  void each(F&& f) const {
    for (std::uint32_t way = 0; way < words_.size(); ++way)
      if (words_[way].valid) f(tags_.line(way), words_[way], tags_.data(way));
  }
  void drop_all() {
    for (std::uint32_t way = 0; way < words_.size(); ++way)
      if (words_[way].valid) drop(way);
  }
  /// Forgets the words of all lines; the tags are cleared with them.
  void clear() { words_.assign(words_.size(), Words{}); }

 private:
  L1Tags& tags_;
  std::vector<Words> words_;  ///< empty when there is no private memory
  PrivateVictims* victims_ = nullptr;
};

}  // namespace warpsieve::memsys
