#include "memsys/dram/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "core/params.h"

namespace warpsieve::memsys {

DramMap::DramMap(const DramParams& p, const std::string& text) {
  const auto fail = [&](const std::string& why) {
    throw ConfigError(fmt::format("address map '{}': {}; expected something like o5,c6,g2,b2,r15", text, why));
  };
  unsigned sum[5] = {};
  const std::string letters = "ocgbr";
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t which = letters.find(text[at]);
    if (which == std::string::npos) fail(fmt::format("character {} is '{}'", at + 1, text[at]));
    std::size_t end = ++at;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    if (end == at || end - at > 2)
      fail(fmt::format("a number of bits from 1 to 40 must follow '{}'", letters[which]));
    const unsigned bits = static_cast<unsigned>(std::stoul(text.substr(at, end - at)));
    if (bits == 0 || bits > 40) fail(fmt::format("a number of bits from 1 to 40 must follow '{}'", letters[which]));
    fields_.push_back({letters[which], bits});
    sum[which] += bits;
    bits_ += bits;
    at = end;
    if (at < text.size() && text[at] != ',') fail(fmt::format("character {} is '{}'", at + 1, text[at]));
    if (at < text.size() && ++at == text.size()) fail("it ends with a comma");
  }
  const auto log2_of = [](std::uint32_t n) { return static_cast<unsigned>(__builtin_ctz(n)); };
  const unsigned wanted[4] = {5, p.column_bits, log2_of(p.groups), log2_of(p.banks_per_group)};
  const char* names[4] = {"offset (o)", "column (c)", "bank group (g)", "bank (b)"};
  for (unsigned i = 0; i < 4; ++i)
    if (sum[i] != wanted[i]) fail(fmt::format("{} has {} bits, the channel has {}", names[i], sum[i], wanted[i]));
  if (sum[4] == 0) fail("row (r) is missing");
  if (bits_ > 48) fail(fmt::format("{} bits in all, at most 48", bits_));
}

std::uint64_t DramMap::channel_address(const DramParams& p, std::uint64_t address) const {
  std::uint64_t value[5] = {};
  unsigned filled[5] = {};
  for (const Field& field : fields_) {
    const std::size_t which = std::string_view("ocgbr").find(field.what);
    value[which] |= (address & ((std::uint64_t{1} << field.bits) - 1)) << filled[which];
    filled[which] += field.bits;
    address >>= field.bits;
  }
  DramAddress place;
  place.column = static_cast<std::uint32_t>(value[1]);
  place.group = static_cast<std::uint32_t>(value[2]);
  place.bank = static_cast<std::uint32_t>(value[2] * p.banks_per_group + value[3]);
  place.row = value[4];
  return encode(p, place);
}

DramReplay replay(DramParams params, const std::vector<DramAccess>& accesses, std::vector<DramCommand>* trace) {
  params.core_mhz = params.command_mhz;
  params.latency = 0;
  Stats stats;
  DramChannel channel(params, stats);
  channel.store().keep_nothing();  // one write to the last row of a large map would need a table of all pages below
  channel.record(trace);
  DramReplay out;
  // Cookies carry the entry cycle: nothing is kept per access.
  static constexpr std::uint8_t kZero[kSectorBytes] = {};
  std::size_t sent = 0;
  Cycle now = 0;
  while (sent < accesses.size() || !channel.idle()) {
    channel.tick(now);
    while (const DramChannel::Done* done = channel.front(now)) {
      out.read_latency += now - done->cookie;
      out.worst_read = std::max(out.worst_read, now - done->cookie);
      out.cycles = std::max(out.cycles, now);
      channel.pop();
    }
    // Behind the channel's tick, as in a partition; what finds the queue full comes in the cycle that makes room.
    for (; sent < accesses.size() && accesses[sent].cycle <= now; ++sent) {
      const DramAccess& a = accesses[sent];
      if (!(a.write ? channel.write(now, a.address, RequestKind::write, kZero)
                    : channel.read(now, a.address, RequestKind::data_read, now)))
        break;
      ++(a.write ? out.writes : out.reads);
    }
    Cycle next = channel.due(now);
    if (sent < accesses.size() && accesses[sent].cycle > now) next = std::min(next, accesses[sent].cycle);
    if (next == kNever) break;
    now = next;
  }
  out.cycles = std::max(out.cycles, channel.last_data());
  out.bursts = stats.value("dram.reads") + stats.value("dram.writes");
  out.row_hits = stats.value("dram.row_hits");
  out.activates = stats.value("dram.activates");
  out.refreshes = stats.value("dram.refreshes");
  out.forwarded = stats.value("dram.forwarded_reads");
  out.data_bus_cycles = stats.value("dram.data_bus_cycles");
  return out;
}

}  // namespace warpsieve::memsys
