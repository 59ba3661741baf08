#include "schemes/cmd/unlimited_store.h"

#include <array>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace warpsieve::schemes {

using namespace memsys;

UnlimitedStore::UnlimitedStore(std::uint32_t lines, Stats& stats)
    : inter_(
          stats.add("dedup.potential_inter", "writes",
                    "writes of content that another line of the controller holds: a store without limits finds it")),
      silent_(stats.add("dedup.potential_silent", "writes", "writes of the content that the line holds already")),
      held_(lines) {}

UnlimitedStore::Fingerprint UnlimitedStore::fingerprint(SectorMask mask, const std::uint8_t* data,
                                                        std::uint8_t domain) {
  // As C7: the masked sectors in order, then the mask, so that no two masks have a text in common.
  std::array<std::uint8_t, kLineBytes + 2> text;
  std::size_t size = 0;
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(mask >> s & 1)) continue;
    std::memcpy(text.data() + size, data + s * kSectorBytes, kSectorBytes);
    size += kSectorBytes;
  }
  text[size++] = mask;
  text[size++] = domain;
  const XXH128_hash_t hash = XXH3_128bits(text.data(), size);
  return {hash.low64, hash.high64};
}

void UnlimitedStore::leave(LocalLine line) {
  Users::value_type*& content = held_[line];
  if (content && --content->second == 0) users_.erase(content->first);
  content = nullptr;
}

UnlimitedStore::Found UnlimitedStore::write(LocalLine line, SectorMask mask, const std::uint8_t* data,
                                            std::uint8_t domain) {
  Users::value_type& content = *users_.try_emplace(fingerprint(mask, data, domain), 0).first;
  if (&content == held_[line]) {
    ++silent_;
    return Found::itself;
  }
  leave(line);
  held_[line] = &content;
  if (content.second++ == 0) return Found::nowhere;
  ++inter_;
  return Found::elsewhere;
}

}  // namespace warpsieve::schemes
