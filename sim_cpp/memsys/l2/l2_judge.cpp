#include "memsys/l2/l2_judge.h"

#include "memsys/l2/atomic_unit.h"

namespace warpsieve::memsys {

void L2Judge::answer(Cycle now, Packet& p) {
  GoldenMemory& golden = context_.golden;
  p.check.version = golden.version(p.global_line);
  for (unsigned s = 0; s < kSectors; ++s)
    if (p.mask >> s & 1) golden.check(now, p.global_line, s, p.data.sector(s), 0, Source::l2_forward);
}

void L2Judge::copy(Packet& p, SectorMask sectors) {
  p.check.version = context_.golden.version(p.global_line);
  if (p.check.expected != kNone) copy_golden(p, sectors);
}

void L2Judge::copy_golden(const Packet& p, SectorMask sectors) {
  const std::uint8_t* golden = context_.golden.line(p.global_line);
  for (SectorMask left = p.mask & sectors; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    std::memcpy(expected_[p.check.expected].sector(s), golden + s * kSectorBytes, kSectorBytes);
  }
}

/// The golden line is about to change: reads up to `end` must bring what it held before.
void L2Judge::keep(const L2Mshrs::Entry* waiting, std::uint32_t end) {
  if (!waiting) return;
  for (std::uint32_t h = waiting->head; h != end; h = context_.packets[h].next) {
    Packet& p = context_.packets[h];
    if (p.kind != PacketKind::read || p.check.expected != kNone) continue;
    p.check.expected = expected_.take();
    copy_golden(p, p.mask);
  }
}

void L2Judge::answer_waiting(Cycle now, Packet& p) {
  const std::uint32_t kept = p.check.expected;
  const std::uint8_t* want = kept == kNone ? context_.golden.line(p.global_line) : expected_[kept].bytes.data();
  for (SectorMask left = p.mask; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    context_.golden.check_copy(now, p.global_line, s, want + s * kSectorBytes, p.data.sector(s), 0,
                               Source::l2_forward);
  }
  if (kept != kNone) expected_.give(kept);
}

void L2Judge::store(Cycle now, Packet& p, const L2Mshrs::Entry* waiting) {
  GoldenMemory& golden = context_.golden;
  keep(waiting, kNone);
  golden.keep(now, p.global_line);
  for (SectorMask left = p.mask; left; left &= left - 1) {
    const auto s = static_cast<unsigned>(__builtin_ctz(left));
    merge_sector(golden.line(p.global_line) + s * kSectorBytes, p.data.sector(s), p.bytes[s]);
  }
  p.check.version = golden.written(p.global_line);
}

void L2Judge::atomic(Cycle now, const Packet& p, const L2Mshrs::Entry* waiting, std::uint32_t end) {
  keep(waiting, end);
  context_.golden.keep(now, p.global_line);
  apply_atomics(p, context_.golden.line(p.global_line));
  context_.golden.written(p.global_line);
}

}  // namespace warpsieve::memsys
