#include "memsys/l1/l1_tags.h"

#include <algorithm>

namespace warpsieve::memsys {

L1Tags::L1Tags(const L1Params& p)
    : ways_(p.ways), set_(p.sets, static_cast<HashKind>(p.set_hash)), lines_(std::size_t{p.sets} * p.ways, kNone),
      valid_(lines_.size()), touched_(lines_.size()), current_(lines_.size()), reserved_(lines_.size()),
      recency_(p.sets, p.ways), data_(lines_.size()) {
  if (p.ways > WayLookup::kScanned) lookup_.emplace(p.sets * p.ways);
  if (p.replacement == kPlruReplacement) tree_.emplace(p.sets, p.ways);
}

std::uint32_t L1Tags::victim(GlobalLine line) const {
  const std::uint32_t first = first_way(line);
  const auto may = [&](std::uint32_t way) { return !reserved_[way]; };
  if (tree_) {
    const std::uint32_t free =
        find_key_if(lines_.data() + first, ways_, kNone, [&](std::uint32_t i) { return may(first + i); });
    if (free < ways_) return first + free;
  }
  static_assert(Recency::kNone == kNone);
  const std::uint32_t way = recency_.oldest(first, may);
  if (!tree_ || way == kNone) return way;
  const std::uint32_t chosen = first + tree_->victim(set_of(line));
  return may(chosen) ? chosen : way;
}

bool L1Tags::can_reserve(GlobalLine line) const {
  const auto first = reserved_.begin() + first_way(line);
  return std::count(first, first + ways_, 1) + 1 < static_cast<std::ptrdiff_t>(ways_);
}

void L1Tags::clear() {
  std::fill(lines_.begin(), lines_.end(), kNone);
  if (lookup_) lookup_->clear();
  recency_.forget_all();
  std::fill(valid_.begin(), valid_.end(), SectorMask{0});
}

void L1Tags::prefetch_states(GlobalLine line) const {
  if (lookup_) return;  // the way is one of many
  const std::uint32_t first = first_way(line);
  prefetch(valid_.data() + first);
  prefetch(touched_.data() + first);
  prefetch(reserved_.data() + first);
  prefetch(current_.data() + first);
}

}  // namespace warpsieve::memsys
