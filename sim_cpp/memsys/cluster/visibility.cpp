#include "memsys/cluster/visibility.h"

#include <fmt/format.h>

#include <algorithm>

#include "memsys/ports.h"

namespace warpsieve::memsys {

Visibility::Visibility(Context& context, const std::vector<L1Cache*>& l1s)
    : context_(context), l1s_(l1s), limit_(4 * std::size_t{context.profile.l1.sets} * context.profile.l1.ways + 64),
      copies_(l1s.size()), stores_(l1s.size()) {}

void Visibility::sent(unsigned sm, std::uint32_t packet) {
  const Packet& p = context_.packets[packet];
  if (p.kind == PacketKind::read) return;
  stores_[sm][p.global_line].pending.push_back(packet);
  const auto copy = copies_[sm].find(p.global_line);
  if (copy == copies_[sm].end() || p.kind == PacketKind::atomic) return;  // an atomic drops the sectors
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(p.mask >> s & 1)) continue;
    copy->second.own[s] |= p.bytes[s];
    merge_sector(copy->second.data.sector(s), p.data.sector(s), p.bytes[s]);
  }
}

void Visibility::answered(unsigned sm, std::uint32_t packet, bool remote) {
  const Packet& p = context_.packets[packet];
  if (p.kind != PacketKind::read) {
    Stores& stores = stores_[sm][p.global_line];
    std::erase(stores.pending, packet);
    for (unsigned s = 0; s < kSectors; ++s)
      if (p.mask >> s & 1) stores.version[s] = std::max(stores.version[s], p.version);
    return;
  }
  Copy& copy = copies_[sm][p.global_line];
  Copy from;
  if (remote) {
    from = incoming_[packet];
    incoming_.erase(packet);
  }
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(p.mask >> s & 1)) continue;
    copy.version[s] = remote ? from.version[s] : p.version;
    copy.own[s] = from.own[s];
    std::memcpy(copy.data.sector(s), p.data.sector(s), kSectorBytes);
  }
  copy.filled |= p.no_fill ? SectorMask{0} : p.mask;
  if (copies_[sm].size() > limit_) prune(sm);
}

void Visibility::check(Cycle now, unsigned sm, unsigned owner, std::uint32_t packet) {
  const Packet& p = context_.packets[packet];
  const auto broken = [&](const std::string& rule) {
    context_.golden.violation(now, p.global_line, Source::peer_l1, rule);
  };
  const auto found = copies_[owner].find(p.global_line);
  if (found == copies_[owner].end() || (p.mask & ~found->second.filled)) {
    broken(fmt::format("SM {} of the cluster has no copy that a reply of this kernel made", owner));
    return;
  }
  const Copy& copy = found->second;
  incoming_[packet] = copy;
  const auto stores = stores_[sm].find(p.global_line);
  for (unsigned s = 0; s < kSectors; ++s) {
    if (!(p.mask >> s & 1)) continue;
    context_.golden.check_copy(now, p.global_line, s, copy.data.sector(s), p.data.sector(s), 0, Source::peer_l1);
    if (copy.version[s] == context_.golden.version(p.global_line))
      context_.golden.check(now, p.global_line, s, p.data.sector(s), copy.own[s], Source::peer_l1);
    if (stores == stores_[sm].end()) continue;
    if (stores->second.version[s] > copy.version[s])
      broken(fmt::format("sector {} of version {}, but SM {} itself wrote version {}", s, copy.version[s], sm,
                         stores->second.version[s]));
    for (const std::uint32_t pending : stores->second.pending) {
      const Packet& store = context_.packets[pending];
      if ((store.mask >> s & 1) && store.born < p.born && (store.version == 0 || store.version > copy.version[s]))
        broken(fmt::format("SM {} got sector {} from a peer while its own store of cycle {} was under way", sm, s,
                           store.born));
    }
  }
}

/// Forgets copies of lines the L1 has replaced.
void Visibility::prune(unsigned sm) {
  std::erase_if(copies_[sm], [&](const auto& entry) {
    return !l1s_[sm]->holds(entry.first, 0, false) && !l1s_[sm]->pending(entry.first, 0);
  });
}

void Visibility::clear() {
  for (auto& map : copies_) map.clear();
  for (auto& map : stores_) map.clear();
}

}  // namespace warpsieve::memsys
