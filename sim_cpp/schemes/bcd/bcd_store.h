// What BCD keeps on the chip (our adaptation, schemes/bcd.cpp): a set-associative store of keys with reference
// counts, whose entries each own a fixed place in DRAM, and a cache of base contents.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpsieve::schemes::bcd {

/// 16 bytes, and what they stand for.
struct Key {
  std::array<std::uint8_t, 16> bytes{};
  std::uint8_t kind = 0;
  bool operator==(const Key&) const = default;
};
/// Two words mixed (splitmix64).
std::uint64_t mix(std::uint64_t a, std::uint64_t b);

/// Entry n of the store is way n % ways of set n / ways. Entries with references never leave; of the others the
/// least recently used does.
class CountedStore {
 public:
  struct Entry {
    Key key{};
    bool valid = false, stored = false;  ///< stored: the place in DRAM holds the content
    std::uint32_t count = 0;
    std::uint64_t used = 0, born = 0;  ///< born tells an entry from its successors
  };
  CountedStore(std::uint32_t sets, std::uint32_t ways) : ways_(ways), entries_(std::size_t{sets} * ways) {}

  std::optional<std::uint32_t> find(const Key& key);
  /// A new entry without references for a key that is not there; nullopt when all of its set have some.
  std::optional<std::uint32_t> add(const Key& key);
  Entry& operator[](std::uint32_t id) { return entries_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(entries_.size()); }

 private:
  std::size_t first_of(const Key& key) const;
  std::uint32_t ways_;
  std::vector<Entry> entries_;
  std::uint64_t clock_ = 0;
};

/// Contents of bases by number, least recently used out.
class BaseCache {
 public:
  using Content = std::array<std::uint8_t, 64>;
  BaseCache(std::uint32_t sets, std::uint32_t ways) : ways_(ways), lines_(std::size_t{sets} * ways) {}
  const Content* find(std::uint32_t base);
  /// Also replaces what it holds for this number.
  void put(std::uint32_t base, const Content& content);

 private:
  struct Line {
    bool valid = false;
    std::uint32_t base = 0;
    std::uint64_t used = 0;
    Content content{};
  };
  std::size_t first_of(std::uint32_t base) const { return base % (lines_.size() / ways_) * ways_; }
  std::uint32_t ways_;
  std::vector<Line> lines_;
  std::uint64_t clock_ = 0;
};

}  // namespace warpsieve::schemes::bcd
