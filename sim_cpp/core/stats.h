// Statistics: named event counters with units, in order of declaration. Components keep Counter
// handles; incrementing is one add on a fixed address. freeze() .. thaw() makes everything counted in
// between vanish (copies by the host, final flush and read-back).
//
// Components that run on threads of their own count in parts: Stats part(kPart, whole). A part declares its counters
// in the whole, too; gather() adds what the parts have counted to the whole's counters, while no other thread counts.
#pragma once

#include <cstdint>
#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/part.h"

namespace warpsieve {

class Counter {
 public:
  Counter() = default;
  void operator++() { ++*value_; }
  void operator+=(std::uint64_t n) { *value_ += n; }
  std::uint64_t get() const { return *value_; }

 private:
  friend class Stats;
  explicit Counter(std::uint64_t* value) : value_(value) {}
  std::uint64_t* value_ = nullptr;
};

class Stats {
 public:
  Stats() = default;
  /// `whole` must outlive it.
  Stats(Part, Stats& whole) : whole_(&whole) { whole.parts_.push_back(this); }
  Stats(const Stats&) = delete;
  Stats& operator=(const Stats&) = delete;

  /// `name` is dotted ("l2.read_hits"). The same name gives the same counter (components of one kind
  /// add up); a different unit for it throws std::logic_error.
  Counter add(const std::string& name, const std::string& unit, const std::string& doc);
  /// Of the whole, after gather(). Throws std::out_of_range for an unknown name.
  std::uint64_t value(std::string_view name) const;
  bool has(std::string_view name) const;
  /// Adds what its parts have counted since the last call.
  void gather();

  void freeze();
  void thaw();
  bool frozen() const { return frozen_; }

  /// {"name": value, ...} in order of declaration.
  nlohmann::ordered_json values() const;
  /// {"name": {"unit": ..., "doc": ...}, ...}
  nlohmann::ordered_json legend() const;

 private:
  struct Entry {
    std::string name, unit, doc;
    std::uint64_t value = 0;
    Entry* of_whole = nullptr;  ///< in a part: the same counter
  };
  Entry& entry(const std::string& name, const std::string& unit, const std::string& doc);
  Stats* whole_ = nullptr;  ///< of a part
  std::vector<Stats*> parts_;
  std::deque<Entry> entries_;
  std::vector<std::uint64_t> saved_;
  bool frozen_ = false;
};

}  // namespace warpsieve
