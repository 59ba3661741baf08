#include "memsys/l1/l1_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace warpsieve::memsys {

namespace {

/// Odd factors: a change of one word never leaves the sum as it was.
std::uint64_t sum_of(const std::uint8_t* sector) {
  std::array<std::uint64_t, 4> word;
  static_assert(sizeof word == kSectorBytes);
  std::memcpy(word.data(), sector, kSectorBytes);
  return word[0] * 0x9e3779b97f4a7c15u + word[1] * 0xc2b2ae3d27d4eb4fu + word[2] * 0x165667b19e3779f9u +
         word[3] * 0xd6e8feb86659fd93u;
}

}  // namespace

void L1Judge::stored(std::uint32_t way, const LineAccess& access, const LineData& before) {
  Copy& copy = copies_[way];
  if (copy.line != access.line) return;
  for (SectorMask left = access.mask & copy.filled; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    std::array<std::uint8_t, kSectorBytes> after;
    std::memcpy(after.data(), before.sector(s), kSectorBytes);
    merge_sector(after.data(), access.data.sector(s), access.bytes[s]);
    copy.sum[s] += sum_of(after.data()) - sum_of(before.sector(s));  // a wrong byte elsewhere stays one
    copy.stored |= static_cast<SectorMask>(1 << s);
  }
}

void L1Judge::outdated(std::uint32_t way, const LineAccess& access) {
  if (copies_[way].line == access.line) copies_[way].filled &= static_cast<SectorMask>(~access.mask);
}

void L1Judge::sent(std::uint32_t packet) {
  const GlobalLine line = context_.packets[packet].global_line;
  under_way_[bucket(line)].push_back({line, packet});
  some_under_way_ |= std::uint64_t{1} << bucket(line);
}

void L1Judge::performed(std::uint32_t packet) {
  const unsigned b = bucket(context_.packets[packet].global_line);
  std::vector<Store>& stores = under_way_[b];
  const auto store = std::find_if(stores.begin(), stores.end(), [&](const Store& s) { return s.packet == packet; });
  if (store == stores.end()) throw std::logic_error(fmt::format("SM {}: answer to a store it did not send", sm_));
  *store = stores.back();
  stores.pop_back();
  if (stores.empty()) some_under_way_ &= ~(std::uint64_t{1} << b);
}

L1Judge::Origin L1Judge::take_coming(const Packet& reply) {
  const auto coming = std::find_if(coming_.begin(), coming_.end(), [&](const Coming& c) {
    return c.line == reply.global_line && c.mask == reply.mask;
  });
  if (coming == coming_.end()) throw std::logic_error(fmt::format("SM {}: a peer's reply without a copy", sm_));
  const Origin from{coming->copy.stored, coming->copy.version};
  coming_.erase(coming);
  return from;
}

void L1Judge::filled(std::uint32_t way, const Packet& reply, SectorMask kept) {
  Origin from;
  if (reply.from_peer)
    from = take_coming(reply);
  else
    from.version.fill(reply.check.version);
  if (!kept) return;
  Copy& copy = copies_[way];
  if (copy.line != reply.global_line) {
    copy.line = reply.global_line;
    copy.filled = copy.stored = copy.lacks = 0;
  }
  copy.filled |= kept;
  copy.lacks &= static_cast<SectorMask>(~kept);
  copy.stored = static_cast<SectorMask>((copy.stored & ~kept) | (from.stored & kept));
  for (SectorMask left = kept; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    copy.version[s] = from.version[s];
    copy.sum[s] = sum_of(reply.data.sector(s));
  }
  each_under_way(reply.global_line, [&](const Packet& store) {
    for (SectorMask left = store.mask & kept; left; left &= left - 1) {
      const auto s = static_cast<unsigned>(__builtin_ctz(left));
      if (store.check.version == 0 || store.check.version > copy.version[s])
        copy.lacks |= static_cast<SectorMask>(1 << s);
    }
  });
}

void L1Judge::end_kernel() const {
  if (some_under_way_ || !coming_.empty())
    throw std::logic_error(fmt::format("SM {}: stores or replies under way at the end of a kernel", sm_));
}

unsigned L1Judge::check(Cycle now, std::uint32_t way, GlobalLine line, SectorMask mask, const LineData& found,
                        Source source) const {
  GoldenMemory& golden = context_.golden;
  golden.count(source, count_sectors(mask));
  const Copy& copy = copies_[way];
  if (copy.line != line || (mask & ~copy.filled)) {
    golden.violation(now, line, source, fmt::format("SM {} holds what no reply of this kernel brought", sm_));
    return 0;
  }
  if (mask & copy.lacks)
    golden.violation(now, line, source, fmt::format("SM {} kept a reply without its own older store", sm_));
  unsigned other = 0;
  for (SectorMask left = mask; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    const bool as_made = sum_of(found.sector(s)) == copy.sum[s];
    if (!as_made)
      golden.violation(now, line, source,
                       fmt::format("sector {} of SM {} is not what replies and its own stores made it", s, sm_));
    if (golden.same(now, line, s, found.sector(s))) continue;
    ++other;
    if (as_made && !(copy.stored >> s & 1) && copy.version[s] == golden.version(line) &&
        std::memcmp(golden.line(line) + s * kSectorBytes, found.sector(s), kSectorBytes) != 0)
      golden.violation(
          now, line, source,
          fmt::format("sector {} of SM {} is not what the L2 holds, and no store has come since", s, sm_));
  }
  return other;
}

}  // namespace warpsieve::memsys
