// What a RATA holds, without its timing: the block's model is made of it, and the simulator uses it to tell kinds of
// misses apart.
#pragma once

#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "blocks/rata/rata.h"

namespace warpsieve::rata {

/// Tags and owners of all sets; each set lists its entries, last use first.
class RataEntries {
 public:
  explicit RataEntries(const RataParams& params)
      : ways_(params.ways), set_mask_(params.sets - 1),
        tag_shift_(static_cast<unsigned>(std::countr_zero(params.sets))),
        tag_mask_(params.tag_bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << params.tag_bits) - 1),
        sm_mask_((1u << params.sm_bits) - 1), sets_(params.sets) {
    for (auto& set : sets_) set.reserve(ways_ + 1);
  }
  void clear() {
    for (auto& set : sets_) set.clear();
  }
  RataRsp lookup(const RataLookup& request) {
    auto& set = set_of(request.line);
    const auto at = find(set, request.line);
    if (at == set.end() || at->sm == (request.sm & sm_mask_)) return {};
    std::rotate(set.begin(), at, at + 1);
    return {true, set.front().sm};
  }
  /// The SM that owns the line, also when it is the asker itself; no use of the entry.
  std::optional<unsigned> owner(std::uint64_t line) {
    auto& set = set_of(line);
    const auto at = find(set, line);
    return at == set.end() ? std::nullopt : std::optional<unsigned>(at->sm);
  }
  void update(const RataUpdate& request) {
    auto& set = set_of(request.line);
    const auto at = find(set, request.line);
    const unsigned sm = request.sm & sm_mask_;
    switch (request.op) {
      case RataOp::allocate:
        if (at != set.end()) {
          std::rotate(set.begin(), at, at + 1);
          set.front().sm = sm;
        } else {
          if (set.size() == ways_) set.pop_back();
          set.insert(set.begin(), Entry{tag(request.line), sm});
        }
        return;
      case RataOp::invalidate:
        if (at != set.end()) set.erase(at);
        return;
      case RataOp::drop:
        if (at != set.end() && at->sm == sm) set.erase(at);
        return;
      case RataOp::clear: clear(); return;
    }
  }

 private:
  struct Entry {
    std::uint64_t tag;
    unsigned sm;
  };
  using Set = std::vector<Entry>;
  std::uint64_t tag(std::uint64_t line) const { return line >> tag_shift_ & tag_mask_; }
  Set& set_of(std::uint64_t line) { return sets_[line & set_mask_]; }
  Set::iterator find(Set& set, std::uint64_t line) const {
    return std::find_if(set.begin(), set.end(), [t = tag(line)](const Entry& e) { return e.tag == t; });
  }
  unsigned ways_;
  std::uint64_t set_mask_;
  unsigned tag_shift_;
  std::uint64_t tag_mask_;
  unsigned sm_mask_;
  std::vector<Set> sets_;
};

}  // namespace warpsieve::rata
