#include "memsys/l2/l2_tags.h"

namespace warpsieve::memsys {

L2Tags::L2Tags(const L2Params& p)
    : ways_(p.ways), set_(p.sets, static_cast<HashKind>(p.set_hash)), tags_(std::size_t{p.sets} * p.ways),
      dirty_(tags_.size()), lines_(tags_.size(), kNone), recency_(p.sets, p.ways), data_(tags_.size()) {}

std::uint32_t L2Tags::victim(LocalLine line) const {
  const std::uint32_t first = first_way(line), free = find_key(lines_.data() + first, ways_, kNone);
  if (free < ways_) return first + free;
  static_assert(Recency::kNone == kNone);
  return recency_.oldest(first, [&](std::uint32_t way) { return tags_[way].pending == 0; });
}

void L2Tags::prefetch_set(LocalLine line) const {
  const std::uint32_t first = first_way(line);
  prefetch(lines_.data() + first);
  constexpr std::uint32_t kTogether = 64 / sizeof(Tag);  // in a cache line
  for (std::uint32_t way = 0; way < ways_; way += kTogether) prefetch(&tags_[first + way]);
}

}  // namespace warpsieve::memsys
