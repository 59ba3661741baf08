// What one warp keeps for the spill model (spill.h) besides its stream: the value of every result, which results
// share a register, and where in the kernel's text each instruction stands.
//
// A place in the text ("site") is a scope and the number of the instruction in it. Scopes are the branches of if_,
// the bodies of lane-wise loops and of Warp::range; an iteration starts at number 0 again, so the same statement
// has the same site in every iteration, warp and block. Plain C++ loops count as unrolled, as a compiler would.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <vector>

namespace warpsieve::simt {

using LaneWords = std::array<std::uint32_t, 32>;

/// Sites of one kernel, shared by all its warps. Numbered in order of first appearance.
class Sites {
 public:
  std::uint32_t address_words = 0;  ///< SpillParams::address_words

  enum class Scope : std::uint8_t { then, otherwise, loop };
  std::uint32_t child(std::uint32_t scope, std::uint32_t ordinal, Scope kind) {
    return intern(scopes_, std::uint64_t{scope} << 32 | ordinal << 2 | static_cast<std::uint32_t>(kind), 1);
  }
  std::uint32_t site(std::uint32_t scope, std::uint32_t ordinal) {
    return intern(sites_, std::uint64_t{scope} << 32 | ordinal, 0);
  }
  std::uint32_t count() const { return static_cast<std::uint32_t>(sites_.size()); }

 private:
  using Table = std::unordered_map<std::uint64_t, std::uint32_t>;
  static std::uint32_t intern(Table& table, std::uint64_t key, std::uint32_t first) {
    return table.try_emplace(key, static_cast<std::uint32_t>(table.size()) + first).first->second;
  }
  Table scopes_, sites_;  // scope 0 is the kernel's body
};

class Capture {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  /// Of one instruction.
  struct Result {
    std::uint32_t site = 0;
    std::uint8_t words = 0;         ///< registers per thread; 0: no register (stores, branches, predicates)
    bool keeps_only = false;        ///< `updates` is among the sources only because some lanes keep it
    std::uint32_t first = 0;        ///< of its words in values
    std::uint32_t defined = 0;      ///< lanes with a value: those written, and those kept from `updates`
    std::uint32_t updates = kNone;  ///< the result of which this one replaces some lanes
  };
  std::vector<Result> results;    ///< one per instruction
  std::vector<LaneWords> values;  ///< after the update, all lanes

  explicit Capture(Sites& sites) : sites_(sites), stack_{{0, 0}} {}

  // --- called while the warp runs ---
  void enter(Sites::Scope kind) {
    const Place& here = stack_.back();
    stack_.push_back({sites_.child(here.scope, here.ordinal, kind), 0});
  }
  void leave() { stack_.pop_back(); }
  void next_iteration() { stack_.back().ordinal = 0; }
  void instruction() {
    Place& here = stack_.back();
    results.push_back({.site = sites_.site(here.scope, here.ordinal++)});
  }
  /// A statement that needs no instruction this time: those after it keep their sites.
  void no_instruction() { ++stack_.back().ordinal; }
  std::uint32_t address_words() const { return sites_.address_words; }
  /// The value of a result; the first call counts (later views of the same register are copies or parts of it).
  template <class T>
  void keep(std::uint32_t result, const std::array<T, 32>& lanes, std::uint32_t active) {
    Result& r = results[result];
    if (r.words) return;
    r.words = static_cast<std::uint8_t>(words_of<T>());
    r.first = static_cast<std::uint32_t>(values.size());
    r.defined = active;
    values.resize(values.size() + r.words);
    for (unsigned w = 0; w < r.words; ++w) values[r.first + w] = word(lanes, w);
  }
  /// A masked assignment of a T may make `result` the variable's new value: no other value was taken, and it is a T.
  template <class T>
  bool can_update(std::uint32_t result) const {
    return claimed_ != result && results[result].words == words_of<T>();
  }
  /// `result` became the new value of a variable that held `old` (kNone: a constant) in `defined` lanes.
  template <class T>
  void update(std::uint32_t result, std::uint32_t old, bool keeps_only, const std::array<T, 32>& lanes,
              std::uint32_t defined) {
    claimed_ = result;
    results[result].words = 0;
    keep(result, lanes, defined);
    Result& r = results[result];
    if (old == kNone || results[old].words != r.words) return;
    r.updates = old;
    r.keeps_only = keeps_only;
  }
  /// True unless the operand differs from the result that is said to have produced it.
  template <class T>
  bool matches(std::uint32_t result, const std::array<T, 32>& lanes, std::uint32_t active) const {
    const Result& r = results[result];
    if (!r.words) return true;
    const unsigned n = words_of<T>();
    for (unsigned part = 0; part + n <= r.words; ++part) {  // one member of a record, or all of it
      bool same = true;
      for (unsigned w = 0; w < n && same; ++w) {
        const LaneWords operand = word(lanes, w);
        for (std::uint32_t m = active & r.defined; m && same; m &= m - 1) {
          const auto lane = static_cast<unsigned>(__builtin_ctz(m));
          same = operand[lane] == values[r.first + part + w][lane];
        }
      }
      if (same) return true;
    }
    return false;
  }

 private:
  struct Place {
    std::uint32_t scope, ordinal;
  };
  template <class T>
  static constexpr unsigned words_of() {
    return sizeof(T) <= 4 ? 1 : sizeof(T) / 4;
  }
  template <class T>
  static LaneWords word(const std::array<T, 32>& lanes, unsigned w) {
    LaneWords out{};
    constexpr std::size_t bytes = sizeof(T) < 4 ? sizeof(T) : 4;
    for (unsigned l = 0; l < 32; ++l)
      std::memcpy(&out[l], reinterpret_cast<const std::uint8_t*>(&lanes[l]) + 4 * w, bytes);
    return out;
  }

  Sites& sites_;
  std::vector<Place> stack_;
  std::uint32_t claimed_ = kNone;
};

}  // namespace warpsieve::simt
