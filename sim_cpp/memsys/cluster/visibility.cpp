#include "memsys/cluster/visibility.h"

#include <fmt/format.h>

#include <algorithm>

#include "memsys/ports.h"

namespace warpsieve::memsys {

Visibility::Visibility(Context& context, const std::vector<L1Cache*>& l1s)
    : context_(context), l1s_(l1s), wrote_(l1s.size()) {}

void Visibility::performed(unsigned sm, std::uint32_t packet) {
  const Packet& p = context_.packets[packet];
  Versions& versions = wrote_[sm][p.global_line];
  for (unsigned s = 0; s < kSectors; ++s)
    if (p.mask >> s & 1) versions[s] = std::max(versions[s], p.check.version);
}

void Visibility::check(Cycle now, unsigned sm, unsigned owner, std::uint32_t packet) {
  const Packet& p = context_.packets[packet];
  const L1Judge::Copy& copy = l1s_[owner]->judge().of(l1s_[owner]->tags().find(p.global_line));
  l1s_[sm]->judge().expect(p, copy);
  const auto broken = [&](const std::string& rule) {
    context_.golden.violation(now, p.global_line, Source::peer_l1, rule);
  };
  const auto wrote = wrote_[sm].find(p.global_line);
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(p.mask >> s & 1)) continue;
    if (wrote != wrote_[sm].end() && wrote->second[s] > copy.version[s])
      broken(fmt::format("sector {} of version {}, but SM {} itself wrote version {}", s, copy.version[s], sm,
                         wrote->second[s]));
    l1s_[sm]->judge().each_under_way(p.global_line, [&](const Packet& store) {
      if ((store.mask >> s & 1) && store.born < p.born &&
          (store.check.version == 0 || store.check.version > copy.version[s]))
        broken(fmt::format("SM {} got sector {} from a peer while its own store of cycle {} was under way", sm, s,
                           store.born));
    });
  }
}

void Visibility::clear() {
  for (auto& map : wrote_) map.clear();
}

}  // namespace warpsieve::memsys
